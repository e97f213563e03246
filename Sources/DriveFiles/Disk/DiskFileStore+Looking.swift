import CLinux
import CXXHash
import DriveCore
import Glibc

extension OpenFolder {
    var descriptor: Int32 { Int32(truncatingIfNeeded: number) }

    init(_ open: Descriptor) throws(DriveError) {
        self.init(number: Int(open.number), identity: try open.facts().identity, keeper: open)
    }
}

extension DiskFileStore {
    /// Whether a name in a folder is the drive's own folder. Also by identity: `.DocDrive` is the same where the file
    /// system folds case, and somebody may have renamed it.
    func isOwn(_ name: FileName, in folder: OpenFolder) -> Bool {
        guard folder.identity == root else { return false }
        if name == DriveLayout.state { return true }
        var facts = dd_facts()
        return dd_look(folder.descriptor, name.bytes, name.bytes.count, &facts) == 0 && facts.identity == state
    }

    public func open(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> OpenFolder? {
        guard !isOwn(name, in: folder) else { return nil }
        return try Descriptor.folder(name, in: folder.descriptor).map(OpenFolder.init)
    }

    public func open(path: DrivePath, in folder: OpenFolder) throws(DriveError) -> OpenFolder? {
        guard let first = path.components.first else { return folder }
        // `..` and the like lead nowhere here.
        guard path.components.allSatisfy(\.isValid), !isOwn(first, in: folder) else { return nil }
        let bytes = path.bytes
        guard bytes.count < PATH_MAX else { return try openStepwise(path, in: folder) }
        return try Descriptor.folder(beneath: folder.descriptor, bytes).map(OpenFolder.init)
    }

    public func look(at name: FileName, in folder: OpenFolder) throws(DriveError) -> FileFacts? {
        var facts = dd_facts()
        let result = dd_look(folder.descriptor, name.bytes, name.bytes.count, &facts)
        if result < 0 {
            if (-result).meansAbsent { return nil }
            throw .system(-result, "look at it", path: Descriptor.path(of: name, in: folder.descriptor))
        }
        if folder.identity == root, facts.identity == state || name == DriveLayout.state { return nil }
        return facts.facts(on: volume)
    }

    public func foldsCase(_ folder: OpenFolder) -> Bool { foldsCaseEverywhere || dd_folds_case(folder.descriptor) }

    public func list(_ folder: OpenFolder) throws(DriveError) -> [FolderEntry] {
        var entries: [FolderEntry] = []
        let isRoot = folder.identity == root
        try forEachEntry(in: folder.descriptor) { bytes, kind, inode throws(DriveError) in
            let name = FileName(bytes: Array(bytes))
            if isRoot, inode == state.inode || name == DriveLayout.state { return }
            entries.append(FolderEntry(name: name, kind: kind ?? .other, inode: inode))
        }
        return entries
    }

    public func digest(_ folder: OpenFolder) throws(DriveError) -> FolderDigest? {
        var digest = FolderDigest()
        var isCovered = true
        var facts = dd_facts()
        let isRoot = folder.identity == root
        // No name is longer: d_reclen of getdents64(2) has 16 bits.
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: FolderDigest.descriptionHead + 65_536, alignment: 8)
        defer { buffer.deallocate() }
        try forEachEntry(in: folder.descriptor) { name, _, _ throws(DriveError) in
            guard isCovered else { return }
            let result = dd_look(folder.descriptor, name.baseAddress, name.count, &facts)
            if result < 0, !(-result).meansAbsent {
                throw .system(
                    -result, "look at it",
                    path: Descriptor.path(of: FileName(bytes: Array(name)), in: folder.descriptor))
            }
            if isRoot, result == 0, facts.identity == state || name.elementsEqual(DriveLayout.state.bytes) { return }
            let found = facts.facts(on: volume)
            guard result == 0, FolderDigest.covers(found) else { return isCovered = false }
            let count = FolderDigest.describe(name, found, in: buffer)
            digest.add(fingerprint(of: UnsafeRawBufferPointer(rebasing: buffer[..<count])))
        }
        return isCovered ? digest : nil
    }

    public func fingerprint(of bytes: UnsafeRawBufferPointer) -> Fingerprint {
        let value = XXH3_128bits(bytes.baseAddress, bytes.count)
        return Fingerprint(high: value.high64, low: value.low64)
    }

    public func contentDigest() -> any ContentDigest { fingerprints?.digest() ?? ContentHasher() }

    public func readLink(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> [UInt8]? {
        var count = 0
        // A target is shorter than PATH_MAX, 4096 (symlink(2)).
        let target = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, filled in
            count = dd_read_link(folder.descriptor, name.bytes, name.bytes.count, buffer.baseAddress, buffer.count)
            filled = max(0, count)
        }
        if count >= 0 { return target }
        let code = Int32(-count)
        // EINVAL: it is no link (readlink(2)).
        if code.meansAbsent || code == EINVAL { return nil }
        throw .system(code, "read the link", path: Descriptor.path(of: name, in: folder.descriptor))
    }

    public func extendedAttributes(
        of name: FileName, in folder: OpenFolder
    ) throws(DriveError) -> [AttributeKey: [UInt8]] {
        let number = folder.descriptor
        let present = try attributeNames(
            { dd_list_attributes_of(number, name.bytes, name.bytes.count, $0, $1) },
            path: Descriptor.path(of: name, in: number))
        return try carriedAttributes(among: present) { text throws(DriveError) in
            try attributeValue(
                { dd_get_attribute_of(number, name.bytes, name.bytes.count, text, $0, $1) },
                path: Descriptor.path(of: name, in: number))
        }
    }

    /// Whether another process has the file open for writing; nil where that cannot be told (the file is gone or is
    /// somebody else's, or the file system has no leases).
    public func isBeingWritten(_ name: FileName, in folder: OpenFolder) -> Bool? {
        Descriptor.isBeingWritten(name, in: folder.descriptor)
    }
}
