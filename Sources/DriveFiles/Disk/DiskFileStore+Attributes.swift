import CLinux
import DriveCore
import Glibc

extension DiskFileStore {
    public func setAttributes(
        _ attributes: Attributes, of name: FileName, in folder: OpenFolder, expecting identity: FileIdentity
    ) throws(DriveError) -> Bool {
        guard !isOwn(name, in: folder), let item = try Descriptor.pin(name, in: folder.descriptor) else { return false }
        // Pinned: what is changed below is the very inode that was compared.
        let facts = try item.facts()
        guard facts.identity == identity else { return false }
        try item.apply(attributes, to: facts)
        return true
    }

    public func adoptLocalMetadata(
        from name: FileName, in folder: OpenFolder, to staged: FileName
    ) throws(DriveError) {
        guard let source = try Descriptor.pin(name, in: folder.descriptor),
            let target = try Descriptor.pin(staged, in: areas[.incoming]!.number)
        else { return }
        let old = try source.facts()
        let new = try target.facts()
        guard old.kind == DD_KIND_FILE, new.kind == DD_KIND_FILE else { return }
        target.adoptOwner(of: old, having: new)
        let failure = target.adoptExtendedAttributes(of: source)
        // What the access list just did to the execute bits is undone here, so they come from before it.
        let group = try target.facts().group
        var mode = adoptedMode(from: old, isExecutable: new.isExecutable, group: group)
        if let list = target.lostList(of: source) { mode &= ~0o070 | list.groupPermissions << 3 }
        _ = dd_set_mode(target.number, mode)
        if let failure { throw failure }
    }

    /// As the kernel does it for what is made there (inode(7), "The set-group-ID bit"; acl(5), "OBJECT CREATION AND DEFAULT ACLs").
    public func adoptSurroundings(of folder: OpenFolder, to staged: FileName) {
        var above = dd_facts()
        guard dd_look_at(folder.descriptor, &above) == 0 else { return }
        let givesGroup = above.mode & Self.setGroup != 0
        let list = listForNew(in: folder)
        guard givesGroup || list != nil, let item = try? Descriptor.pin(staged, in: areas[.incoming]!.number),
            let facts = try? item.facts()
        else { return }
        if givesGroup, facts.group != above.group { _ = dd_set_owner(item.number, UInt32.max, above.group) }
        let isFolder = facts.kind == DD_KIND_FOLDER
        guard isFolder || facts.kind == DD_KIND_FILE else { return }
        if let list {
            _ = dd_set_attribute(item.number, "system.posix_acl_access", list, list.count)
            if isFolder { _ = dd_set_attribute(item.number, "system.posix_acl_default", list, list.count) }
        }
        // The list has set the permissions, for a program that wants all of them.
        guard let mode = try? item.facts().mode & 0o777 else { return }
        let wanted =
            isFolder ? mode | (givesGroup ? Self.setGroup : 0) : mode.settingExecutable(facts.isExecutable)
        _ = dd_set_mode(item.number, wanted)
    }

    public func permissions(of name: FileName, in folder: OpenFolder) -> UInt16? {
        var facts = dd_facts()
        guard dd_look(folder.descriptor, name.bytes, name.bytes.count, &facts) == 0, facts.kind == DD_KIND_FOLDER
        else { return nil }
        return UInt16(facts.mode & 0o777)
    }

    public func limit(_ staged: FileName, to permissions: UInt16) {
        guard let item = try? Descriptor.pin(staged, in: areas[.incoming]!.number), let facts = try? item.facts(),
            facts.kind == DD_KIND_FOLDER
        else { return }
        let mode = facts.mode & 0o7777
        let taken = 0o077 & ~UInt32(permissions)
        if mode & taken != 0 { _ = dd_set_mode(item.number, mode & ~taken) }
    }

    /// S_ISGID (inode(7)).
    private static let setGroup: UInt32 = 0o2000

    /// The access list that the folder gives to what is made in it; nil where it has none.
    private func listForNew(in folder: OpenFolder) -> [UInt8]? {
        let key = "system.posix_acl_default"
        let size = dd_get_attribute(folder.descriptor, key, nil, 0)
        guard size > 0 else { return nil }
        let list = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = max(0, dd_get_attribute(folder.descriptor, key, buffer.baseAddress, buffer.count))
        }
        return list.isEmpty ? nil : list
    }

    /// The replaced file's permissions, with the execute bits that the new one should have. Where the group could not
    /// be kept, the new group gets no more than everybody, as `cp -p` and editors do it.
    private func adoptedMode(from old: dd_facts, isExecutable: Bool, group: UInt32) -> UInt32 {
        var mode = old.mode & 0o777
        if old.group != group { mode = mode & 0o707 | (mode & 0o007) << 3 & mode }
        return mode.settingExecutable(isExecutable)
    }
}

extension UInt32 {
    /// Permission bits with the execute bits given to those who may read, or taken from all. Bits that would let a
    /// program run as somebody else (setuid, setgid) and the sticky bit never survive.
    fileprivate func settingExecutable(_ isExecutable: Bool) -> UInt32 {
        let mode = self & 0o777
        if !isExecutable { return mode & ~0o111 }
        return mode & 0o100 != 0 ? mode : mode | (mode & 0o444) >> 2 | 0o100
    }
}

extension Descriptor {
    /// Sets what differs; times last, since the rest may touch them. What the disk does not keep of extended attributes is thrown
    /// after all that.
    func apply(_ attributes: Attributes, to facts: dd_facts) throws(DriveError) {
        var refusal: DriveError?
        // Links have none in the `user` namespace (xattr(7)).
        if facts.kind != DD_KIND_LINK {
            do { try setCarriedAttributes(attributes.extended) } catch { refusal = error }
        }
        if facts.kind == DD_KIND_FILE, facts.isExecutable != attributes.isExecutable {
            _ = try check(
                dd_set_mode(number, facts.mode.settingExecutable(attributes.isExecutable)), "set its permissions",
                path: Self.path(of: nil, in: number))
        }
        if facts.kind != DD_KIND_FOLDER, let modified = attributes.modified, modified != facts.modified {
            try setModified(modified)
        }
        if let refusal { throw refusal }
    }

    func setModified(_ time: FileTime) throws(DriveError) {
        _ = try check(
            dd_set_modified(number, time.seconds, time.nanoseconds), "set its time",
            path: Self.path(of: nil, in: number))
    }

    /// Best effort: only root may give a file away, and only members may choose a group.
    fileprivate func adoptOwner(of old: dd_facts, having new: dd_facts) {
        let same = UInt32.max  // -1: leave it (chown(2)).
        if old.owner != new.owner, dd_set_owner(number, old.owner, old.group) == 0 { return }
        if old.group != new.group { _ = dd_set_owner(number, same, old.group) }
    }

    /// The access list, the person's own attributes and the label, what matters most first. Not what would give new bytes the old
    /// ones' powers (`security.capability`) or vouch for them (`security.ima`, `security.evm`), and not `trusted`. Returns what there
    /// was no room for: the old file had it, on the same disk.
    fileprivate func adoptExtendedAttributes(of source: Descriptor) -> DriveError? {
        let carried = Set(AttributeKey.extendedAttributes.compactMap(\.extendedAttributeName))
        let keys = ((try? source.attributeNames()) ?? []).filter { key in
            let isAdopted = key.hasPrefix("user.") || key == Self.accessList || key == "security.selinux"
            return isAdopted && !carried.contains(key)
        }
        var failure: DriveError?
        for key in keys.filter({ $0 == Self.accessList }) + keys.filter({ $0 != Self.accessList }) {
            guard let value = try? source.attribute(key) else { continue }
            do { try setAttribute(key, value) } catch {
                if [.noSpace, .unfit, .inputOutput].contains(error.kind) { failure = failure ?? error }
            }
        }
        return failure
    }

    private static let accessList = "system.posix_acl_access"

    /// The access list that the other has and this one has not got.
    fileprivate func lostList(of source: Descriptor) -> AccessList? {
        guard let list = try? source.attribute(Self.accessList), (try? attribute(Self.accessList)) == nil else {
            return nil
        }
        return AccessList(bytes: list)
    }
}
