import DriveCore
import DriveTransport

extension MemoryFolder: FileStore {
    public func open(_ area: FileArea) throws(DriveError) -> OpenFolder {
        try perform(.openArea, in: area.number) { () throws(DriveError) in
            if area == .root, let rootFailure { throw rootFailure }
            guard let node = nodes[area.number] else { throw removed(area.number) }
            return OpenFolder(number: node.number, identity: identity(of: node))
        }
    }

    public func open(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> OpenFolder? {
        try perform(.open, name, in: folder.number) { () throws(DriveError) in
            guard !isOwn(name, folder), let node = entry(name, in: folder.number), node.kind == .folder else {
                return nil
            }
            return OpenFolder(number: node.number, identity: identity(of: node), keeper: openFolders?.open())
        }
    }

    public func look(at name: FileName, in folder: OpenFolder) throws(DriveError) -> FileFacts? {
        try perform(.look, name, in: folder.number) { () throws(DriveError) in
            entry(name, in: folder.number).map(facts(of:))
        }
    }

    public func list(_ folder: OpenFolder) throws(DriveError) -> [FolderEntry] {
        try perform(.list, in: folder.number) { () throws(DriveError) in
            guard let node = folderNode(folder.number) else { throw removed(folder.number) }
            return node.entries.all.map { FolderEntry(name: $0.name, kind: $0.node.kind, inode: $0.node.inode) }
        }
    }

    public func contentDigest() -> any ContentDigest { ContentHasher() }

    public func fingerprint(of bytes: UnsafeRawBufferPointer) -> Fingerprint { MemoryFingerprint(of: bytes).value }

    public func read(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> (any FileReader)? {
        try perform(.read, name, in: folder.number) { () throws(DriveError) in
            guard let node = entry(name, in: folder.number), node.kind == .file else { return nil }
            return MemoryReader(node, of: self, name, folder: folder.number)
        }
    }

    public func readUndated(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> (any FileReader)? {
        try read(name, in: folder)
    }

    public func read(
        _ name: FileName, in folder: OpenFolder, as facts: FileFacts
    ) throws(DriveError) -> (any FileReader)? { try read(name, in: folder) }

    public func readLink(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> [UInt8]? {
        try perform(.readLink, name, in: folder.number) { () throws(DriveError) in
            guard let node = entry(name, in: folder.number), node.kind == .link else { return nil }
            return node.bytes
        }
    }

    public var keepsExtendedAttributes: Bool { options.keepsExtendedAttributes }
    public func foldsCase(_ folder: OpenFolder) -> Bool { options.ignoresCase }

    public func extendedAttributes(
        of name: FileName, in folder: OpenFolder
    ) throws(DriveError) -> [AttributeKey: [UInt8]] {
        try perform(.extendedAttributes, name, in: folder.number) { () throws(DriveError) in
            guard name.isValid else { throw impossible(name) }
            guard let node = entry(name, in: folder.number) else {
                throw DriveError(.notFound, "It is not there any more", path: name.description)
            }
            return carriedAttributes(of: node)
        }
    }

    public func stageFile(
        _ name: FileName, size: UInt64, isSharing: Bool
    ) throws(DriveError) -> any FileWriter {
        try perform(.stageFile, name, in: FileArea.incoming.number) { () throws(DriveError) in
            guard name.isValid else { throw impossible(name) }
            if !isSharing { try require(size) }
            return MemoryWriter(try stage(.file, name, mode: 0o644), of: self)
        }
    }

    public func snapshot(of file: any FileReader) throws(DriveError) -> (any FileReader)? {
        (file as? MemoryReader)?.snapshot()
    }

    public func stageLink(_ name: FileName, target: [UInt8], modified: FileTime?) throws(DriveError) -> FileFacts {
        try perform(.stageLink, name, in: FileArea.incoming.number) { () throws(DriveError) in
            guard Self.isTarget(target) else {
                throw DriveError(.usage, "No link can have this target", path: name.description)
            }
            let node = try stage(.link, name, bytes: target, mode: 0o777)
            if let modified { node.modified = cut(modified) }
            return facts(of: node)
        }
    }

    public func stageFolder(_ name: FileName) throws(DriveError) -> FileFacts {
        try perform(.stageFolder, name, in: FileArea.incoming.number) { () throws(DriveError) in
            facts(of: try stage(.folder, name, mode: 0o755))
        }
    }

    public func move(
        _ name: FileName, in folder: OpenFolder, to newName: FileName, in newFolder: OpenFolder
    ) throws(DriveError) -> RenameOutcome {
        try perform(.move, name, in: folder.number) { () throws(DriveError) in
            guard isPossible(name, folder), isPossible(newName, newFolder) else { return .impossible }
            guard let found = found(name, in: folder.number), let target = folderNode(newFolder.number) else {
                return .missing
            }
            if entry(newName, in: newFolder.number) != nil { return .occupied }
            if isInside(target, found.node) { return .impossible }
            rename(found.name, in: found.folder, to: newName, in: target)
            return .done
        }
    }

    public func exchange(
        _ name: FileName, in folder: OpenFolder, with otherName: FileName, in otherFolder: OpenFolder
    ) throws(DriveError) -> RenameOutcome {
        try perform(.exchange, name, in: folder.number) { () throws(DriveError) in
            guard isPossible(name, folder), isPossible(otherName, otherFolder) else { return .impossible }
            guard let a = found(name, in: folder.number), let b = found(otherName, in: otherFolder.number) else {
                return .missing
            }
            if areNested(a.node, in: a.folder, b.node, in: b.folder) { return .impossible }
            exchange(a.name, in: a.folder, b.name, in: b.folder)
            return .done
        }
    }

    /// As the failures have it that every exchange of the name meets.
    public func obstruction(at name: FileName, in folder: OpenFolder, isLeaving: Bool) -> DriveError? {
        failures.first { $0.kind == .exchange && ($0.name == nil || $0.name == name) }?.error
    }

    public func removeFolder(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> RenameOutcome {
        try perform(.removeFolder, name, in: folder.number) { () throws(DriveError) in
            guard isPossible(name, folder) else { return .impossible }
            guard let found = found(name, in: folder.number), found.node.kind == .folder else { return .missing }
            if !found.node.entries.isEmpty { return .occupied }
            unlink(found.name, in: found.folder)
            return .done
        }
    }

    public func discard(_ name: FileName, in area: FileArea) throws(DriveError) {
        try perform(.discard, name, in: area.number) { () throws(DriveError) in
            guard area == .incoming || area == .trash else {
                throw DriveError(.internalFault, "Nothing is ever unlinked in \(area)", path: name.description)
            }
            guard name.isValid else { throw impossible(name) }
            guard let found = found(name, in: area.number) else { return }
            guard found.node.entries.isEmpty || area == .trash else {
                throw DriveError(.inputOutput, "The folder is not empty", path: name.description)
            }
            unlink(found.name, in: found.folder)
        }
    }

    public func setAttributes(
        _ attributes: Attributes, of name: FileName, in folder: OpenFolder, expecting identity: FileIdentity
    ) throws(DriveError) -> Bool {
        try perform(.setAttributes, name, in: folder.number) { () throws(DriveError) in
            guard let node = entry(name, in: folder.number), self.identity(of: node) == identity else { return false }
            try set(attributes, on: node)
            return true
        }
    }

    public func adoptLocalMetadata(
        from name: FileName, in folder: OpenFolder, to staged: FileName
    ) throws(DriveError) {
        try perform(.adoptLocalMetadata, name, in: folder.number) { () throws(DriveError) in
            guard let source = entry(name, in: folder.number), source.kind == .file,
                let target = entry(staged, in: FileArea.incoming.number), target.kind == .file
            else { return }
            let carried = Set(AttributeKey.extendedAttributes.compactMap(\.extendedAttributeName))
            for (key, value) in source.extended where !carried.contains(key) { target.extended[key] = value }
            target.mode = (source.mode & ~0o111) | (target.mode & 0o111)
            target.changed = now()
        }
    }

    public func makeDurable() throws(DriveError) {
        try perform(.makeDurable) { () throws(DriveError) in settleStorage() }
    }

    public func freeSpace() throws(DriveError) -> (available: UInt64, total: UInt64) {
        try perform(.freeSpace) { () throws(DriveError) in
            (options.capacity > used ? options.capacity - used : 0, options.capacity)
        }
    }
}

extension MemoryFolder {
    func require(_ bytes: UInt64) throws(DriveError) {
        if bytes > options.capacity - min(used, options.capacity) {
            throw DriveError(.noSpace, "The disk is full; free \(bytes) bytes")
        }
    }

    /// The name that is the drive's own in the root: never there, and never free.
    private func isOwn(_ name: FileName, _ folder: OpenFolder) -> Bool {
        folder.number == FileArea.root.number && name == Self.ownName
    }

    private func isPossible(_ name: FileName, _ folder: OpenFolder) -> Bool {
        name.isValid && name.bytes.count <= options.longestName && !isOwn(name, folder)
    }

    private func impossible(_ name: FileName) -> DriveError {
        DriveError(.usage, "No file can have this name", path: name.description)
    }

    private func removed(_ folder: Int) -> DriveError { DriveError(.notFound, "The folder has been removed") }

    private func stage(
        _ kind: FileFacts.Kind, _ name: FileName, bytes: [UInt8] = [], mode: UInt16
    ) throws(DriveError) -> MemoryNode {
        guard name.isValid else { throw impossible(name) }
        guard let incoming = folderNode(FileArea.incoming.number), incoming.entries[name] == nil else {
            throw DriveError(.internalFault, "The staged name is taken", path: name.description)
        }
        let node = makeNode(kind, bytes: bytes, mode: mode)
        node.isStaged = true
        link(node, as: name, in: incoming)
        return node
    }

    func carriedAttributes(of node: MemoryNode) -> [AttributeKey: [UInt8]] {
        var result: [AttributeKey: [UInt8]] = [:]
        if node.extended.isEmpty { return result }
        for key in AttributeKey.extendedAttributes {
            if let name = key.extendedAttributeName, let value = node.extended[name] { result[key] = value }
        }
        return result
    }

    /// Sets what differs; the ctime moves only if something does. What is too large is left out, and thrown after the rest.
    func set(_ attributes: Attributes, on node: MemoryNode) throws(DriveError) {
        var isChanged = false
        var isTooLarge = false
        if node.kind == .file, node.isExecutable != attributes.isExecutable {
            node.setExecutable(attributes.isExecutable)
            isChanged = true
        }
        if node.kind != .link, options.keepsExtendedAttributes {
            for key in AttributeKey.extendedAttributes {
                guard let name = key.extendedAttributeName, node.extended[name] != attributes.extended[key] else {
                    continue
                }
                guard attributes.extended[key]?.count ?? 0 <= options.longestAttribute else {
                    isTooLarge = true
                    continue
                }
                node.extended[name] = attributes.extended[key]
                isChanged = true
            }
        }
        if node.kind != .folder, let modified = attributes.modified.map(cut), node.modified != modified {
            node.modified = modified
            isChanged = true
        }
        if isChanged {
            node.changed = now()
            touched.insert(node.name, in: node.parent)
        }
        if isTooLarge {
            throw DriveError(.unfit, "An attribute is too large for this file system", path: "\(node.name)")
        }
    }
}
