import CLinux

/// A store in whose folder others may write. What one person puts there the others must be able to read, and its folders to write
/// in, whatever the umask of that person: as git has it (git-config(1), `core.sharedRepository`).
struct SharedStore {
    private let group: UInt32
    /// What the group may, and everybody where everybody may write.
    private let rights: UInt32

    /// Nil where the store's folder lets nobody else write: then the umask says who may read.
    init?(_ folder: dd_facts) {
        guard folder.mode & 0o020 != 0 else { return nil }
        group = folder.group
        rights = folder.mode & (folder.mode & 0o002 != 0 ? 0o077 : 0o070)
    }

    /// Gives others what the store's folder gives them. No object is written again, so nobody has to write it. Best effort: not every
    /// file system knows of permissions, and only members may choose a group.
    func open(_ made: Descriptor, isFolder: Bool) {
        guard let facts = try? made.facts() else { return }
        var wanted = isFolder ? rights : rights & 0o044
        // The rights of this group are no business of another one.
        let isOurs = facts.group == group || dd_set_owner(made.number, UInt32.max, group) == 0
        if !isOurs { wanted &= 0o007 }
        guard let mode = try? made.facts().mode & 0o7777, mode | wanted != mode else { return }
        _ = dd_set_mode(made.number, mode | wanted)
    }
}

extension FolderObjectStore {
    /// Gives others in a folder that was made for a store what the one that it lies in gives them, whatever the umask (`SharedStore`). Nothing
    /// where it belongs to somebody else, or cannot be opened.
    public static func share(folder path: [UInt8], in above: [UInt8]) {
        guard let above = try? Descriptor.root(at: above), let made = try? Descriptor.root(at: path),
            let facts = try? above.facts()
        else { return }
        SharedStore(facts)?.open(made, isFolder: true)
    }
}
