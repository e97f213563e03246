import DriveCore

/// Where a person or program acts: a name in a folder, by the folder's number so that the folder may move meanwhile.
public struct Place: Hashable, Sendable {
    public var folder: Int
    public var name: FileName

    public init(folder: Int, name: FileName) {
        self.folder = folder
        self.name = name
    }
}

/// What a person and their programs do in the root. False where it cannot be done, and then nothing has changed. No
/// hook sees it, and no failure or full disk hinders it.
extension MemoryFolder {
    /// What the drive keeps its own things in on a disk; here they are elsewhere, but the name is taken all the same.
    static let ownName: FileName = ".docdrive"

    /// What a link can lead to: not empty, no NUL, shorter than `PATH_MAX` (symlink(2)).
    static func isTarget(_ bytes: [UInt8]) -> Bool { !bytes.isEmpty && bytes.count < 4096 && !bytes.contains(0) }

    /// The number of the root folder.
    public static var root: Int { FileArea.root.number }

    /// Nil where the folder that the path leads to is not there.
    public func place(_ path: DrivePath) -> Place? {
        guard let name = path.name, let folder = folderNumber(path.parent) else { return nil }
        return Place(folder: folder, name: name)
    }

    public func folderNumber(_ path: DrivePath) -> Int? {
        var number = Self.root
        for name in path.components {
            guard let node = entry(name, in: number), node.kind == .folder else { return nil }
            number = node.number
        }
        return number
    }

    @discardableResult
    public func create(_ bytes: [UInt8], at place: Place, isExecutable: Bool = false) -> Bool {
        add(.file, bytes, mode: isExecutable ? 0o755 : 0o644, at: place)
    }

    @discardableResult
    public func makeFolder(at place: Place) -> Bool { add(.folder, [], mode: 0o755, at: place) }

    @discardableResult
    public func makeLink(to target: [UInt8], at place: Place) -> Bool {
        Self.isTarget(target) && add(.link, target, mode: 0o777, at: place)
    }

    /// A pipe, socket or device.
    @discardableResult
    public func makeSpecial(at place: Place) -> Bool { add(.other, [], mode: 0o644, at: place) }

    /// Writes into the file that is there: the inode stays.
    @discardableResult
    public func write(_ bytes: [UInt8], at place: Place) -> Bool {
        guard let node = file(at: place) else { return false }
        replaceBytes(of: node, with: bytes)
        node.isStaged = false
        node.hasHiddenBytes = false
        node.modified = now()
        node.changed = node.modified
        noteTouched(place)
        return true
    }

    /// A program that wrote through a mapping: the bytes differ, size, mtime and ctime say that nothing happened. The
    /// bytes must be as many as before.
    @discardableResult
    public func writeSilently(_ bytes: [UInt8], at place: Place) -> Bool {
        guard let node = file(at: place), node.bytes.count == bytes.count else { return false }
        replaceBytes(of: node, with: bytes)
        node.isStaged = false
        node.hasHiddenBytes = true
        return true
    }

    /// What a power cut may leave of a file whose bytes were not on the disk: its beginning, with all dates as they were.
    @discardableResult
    public func cutOff(after length: Int, at place: Place) -> Bool {
        guard let node = file(at: place), node.bytes.count >= length else { return false }
        replaceBytes(of: node, with: Array(node.bytes.prefix(length)))
        return true
    }

    /// The kernel writes the times of files that were written through a mapping, and of no others.
    public func flushMappings(in area: FileArea) {
        for entry in walk(from: area.number)
        where self.entry(entry.place.name, in: entry.place.folder)?.hasHiddenBytes == true {
            touch(at: entry.place)
        }
    }

    /// As most editors save: a new file beside it, then a rename over it.
    @discardableResult
    public func save(_ bytes: [UInt8], at place: Place) -> Bool {
        guard let old = file(at: place), let folder = folderNode(place.folder) else { return false }
        let node = makeNode(.file, bytes: [], mode: old.mode)
        node.extended = old.extended
        let draft = freeName(for: place, in: folder)
        link(node, as: draft, in: folder)
        replaceBytes(of: node, with: bytes)
        rename(draft, in: folder, to: place.name, in: folder)
        return true
    }

    /// As some editors save: the old file becomes `name~`, then a new one is written.
    @discardableResult
    public func saveWithBackup(_ bytes: [UInt8], at place: Place) -> Bool {
        guard let old = file(at: place), let folder = folderNode(place.folder) else { return false }
        let backup = FileName(bytes: place.name.bytes + [0x7E])
        if let there = folder.entries[backup], there.kind == .folder { return false }
        if folder.entries[backup] === old { return false }
        rename(place.name, in: folder, to: backup, in: folder)
        return create(bytes, at: place, isExecutable: old.isExecutable)
    }

    /// `rm -r`.
    @discardableResult
    public func remove(at place: Place) -> Bool {
        guard let found = found(place.name, in: place.folder) else { return false }
        unlink(found.name, in: found.folder)
        return true
    }

    /// `ln`: another name for the file that is there.
    @discardableResult
    public func addName(to place: Place, at target: Place) -> Bool {
        guard let node = file(at: place), let folder = folderNode(target.folder), isFree(target),
            folder.entries[target.name] == nil
        else { return false }
        link(node, as: target.name, in: folder)
        node.changed = now()
        return true
    }

    /// `mv -T`: over a file or link too, and over an empty folder if it is a folder itself.
    @discardableResult
    public func move(from place: Place, to target: Place) -> Bool {
        guard let found = found(place.name, in: place.folder), let folder = folderNode(target.folder),
            isFree(target), !isInside(folder, found.node)
        else { return false }
        let node = found.node
        if let there = folder.entries[target.name] {
            if there === node {
                // mv(1) of one name of a file to another takes the first away.
                if (found.name, found.folder.number) != (target.name, target.folder) {
                    unlink(found.name, in: found.folder)
                }
                return true
            }
            if (there.kind == .folder) != (node.kind == .folder) || !there.entries.isEmpty { return false }
        }
        rename(found.name, in: found.folder, to: target.name, in: folder)
        return true
    }

    @discardableResult
    public func swap(_ place: Place, _ other: Place) -> Bool {
        guard let a = found(place.name, in: place.folder), let b = found(other.name, in: other.folder),
            !areNested(a.node, in: a.folder, b.node, in: b.folder)
        else { return false }
        exchange(a.name, in: a.folder, b.name, in: b.folder)
        return true
    }

    /// `cp -p` of a file or link.
    @discardableResult
    public func copy(from place: Place, to target: Place) -> Bool {
        guard let node = entry(place.name, in: place.folder), node.kind == .file || node.kind == .link,
            add(node.kind, node.bytes, mode: node.mode, at: target)
        else { return false }
        if let copy = entry(target.name, in: target.folder) {
            copy.extended = node.extended
            copy.modified = node.modified
        }
        return true
    }

    @discardableResult
    public func setExecutable(_ isExecutable: Bool, at place: Place) -> Bool {
        guard let node = file(at: place) else { return false }
        node.setExecutable(isExecutable)
        node.changed = now()
        noteTouched(place)
        return true
    }

    @discardableResult
    public func setMode(_ mode: UInt16, at place: Place) -> Bool {
        guard let node = entry(place.name, in: place.folder) else { return false }
        node.mode = mode
        node.changed = now()
        noteTouched(place)
        return true
    }

    /// Sets the modification time; to now where none is given.
    @discardableResult
    public func touch(_ time: FileTime? = nil, at place: Place) -> Bool {
        guard let node = entry(place.name, in: place.folder) else { return false }
        node.changed = now()
        noteTouched(place)
        node.modified = time ?? node.changed
        node.hasHiddenBytes = false
        return true
    }

    /// Nil removes the attribute.
    @discardableResult
    public func setExtended(_ name: String, to value: [UInt8]?, at place: Place) -> Bool {
        guard options.keepsExtendedAttributes, let node = entry(place.name, in: place.folder), node.kind != .link else {
            return false
        }
        node.extended[name] = value
        node.changed = now()
        noteTouched(place)
        return true
    }

    private func add(_ kind: FileFacts.Kind, _ bytes: [UInt8], mode: UInt16, at place: Place) -> Bool {
        guard let folder = folderNode(place.folder), isFree(place), folder.entries[place.name] == nil else {
            return false
        }
        // A link's target is part of its inode; a file's bytes are written after it has its name.
        let node = makeNode(kind, bytes: kind == .link ? bytes : [], mode: mode)
        link(node, as: place.name, in: folder)
        if kind == .file { replaceBytes(of: node, with: bytes) }
        return true
    }

    /// Whether a person can give something this name.
    private func isFree(_ place: Place) -> Bool {
        place.name.isValid && !(place.folder == Self.root && place.name == Self.ownName)
    }

    private func file(at place: Place) -> MemoryNode? {
        guard let node = entry(place.name, in: place.folder), node.kind == .file else { return nil }
        return node
    }

    /// A watcher hears of the name that somebody used, and of no other name of the file.
    private func noteTouched(_ place: Place) {
        if let found = found(place.name, in: place.folder) { touched.insert(found.name, in: place.folder) }
    }

    private func freeName(for place: Place, in folder: MemoryNode) -> FileName {
        var number = 0
        while true {
            let name = FileName(".goutputstream-\(number)")
            if folder.entries[name] == nil { return name }
            number += 1
        }
    }
}
