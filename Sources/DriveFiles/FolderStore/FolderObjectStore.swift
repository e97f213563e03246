import CLinux
import DriveCore
import Glibc
import Synchronization

/// A store in a folder: on this disk, a stick, a mounted share, or in a folder that another tool keeps in step.
///
/// Each object is a file. Nothing in the folder is trusted: links are never followed, names that are no keys are not
/// seen. The store's folder itself is never made here, so that a disk that is not mounted does not get a second store.
public final class FolderObjectStore: ObjectStore {
    /// The person's path of the store's folder.
    public let path: [UInt8]
    private let pool: DiskPool
    /// What it is called where it cannot be opened.
    private let role: String
    private let memory = Mutex(Memory())
    /// A disk does one thing after the other.
    public var capabilities: StoreCapabilities { StoreCapabilities() }

    /// What is true of the folder for as long as it is the same one.
    struct Memory: Sendable {
        var identity: FileIdentity?
        /// The top of a key that was found here: recognises the store where inode numbers do not last, as on sshfs.
        var witness: FileName?
        /// Folders whose names, and those of all above them, have reached the disk.
        var durable: Set<[FileName]> = []
        /// Folders that were looked through for abandoned files.
        var tidied: Set<[FileName]> = []
    }

    public init(
        at path: [UInt8], pool: DiskPool = DiskPool(label: "docdrive.store"), role: String = "the store's folder"
    ) {
        self.path = path
        self.role = role
        self.pool = pool
    }

    public func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        try await pool.run { () throws(DriveError) in try self.read(StoreKey(key), range) }
    }

    public func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) {
        try await pool.run { () throws(DriveError) in try self.write(StoreKey(key), bytes) }
    }

    public func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        try await pool.run { () throws(DriveError) in
            var walk = StoreWalk(prefix: prefix, after: after, limit: limit)
            return try walk.run(from: try self.root())
        }
    }

    public func delete(_ key: ObjectKey) async throws(DriveError) {
        try await pool.run { () throws(DriveError) in try self.remove(StoreKey(key)) }
    }

    var displayPath: String { String(decoding: path, as: UTF8.self) }

    /// Opened anew for every call, so that a disk that went is noticed, and can be unmounted at any time.
    func root() throws(DriveError) -> Descriptor {
        let number = path.withPathPointer { dd_open_root($0) }
        if number < 0, (-number).meansAbsent {
            throw DriveError(.unreachable, "the store's folder is not there; is its disk mounted?", path: displayPath)
        }
        let folder = Descriptor(try check(number, "open \(role)", path: displayPath))
        let identity = try folder.facts().identity
        guard recognises(folder, identity) else {
            throw DriveError(
                .unreachable,
                "another folder lies where the store was; is its disk mounted? If this is the store, start again; if the "
                    + "store lies elsewhere now, write its place as `store` into the drive's .docdrive/config.toml",
                path: displayPath)
        }
        return folder
    }

    private func recognises(_ folder: Descriptor, _ identity: FileIdentity) -> Bool {
        memory.withLock { memory in
            if memory.identity == identity { return true }
            if memory.identity != nil {
                // Where nothing was ever found, it was the place of a disk that had not been mounted yet.
                if let witness = memory.witness, !folder.has(witness) { return false }
                memory.durable = []
            }
            memory.identity = identity
            return true
        }
    }

    func remember(_ key: StoreKey) { memory.withLock { $0.witness = key.components[0] } }

    func isDurable(_ folder: [FileName]) -> Bool { memory.withLock { $0.durable.contains(folder) } }

    func setDurable(_ folder: [FileName]) { memory.withLock { _ = $0.durable.insert(folder) } }

    /// True once for each folder.
    func claimTidying(_ folder: [FileName]) -> Bool { memory.withLock { $0.tidied.insert(folder).inserted } }

    /// The folder changed under us (somebody removed empty ones): make and sync them again.
    func forgetDurable() { memory.withLock { $0.durable = [] } }
}

extension FolderObjectStore {
    /// The open file of an object; nil where there is none, a link or a folder being none.
    fileprivate func open(_ key: StoreKey, in root: Descriptor) throws(DriveError) -> Descriptor? {
        let number = dd_open_beneath(root.number, key.text, false)
        if number < 0, (-number).meansAbsent || number == -EXDEV || number == -ENXIO { return nil }
        let file = Descriptor(try check(number, "read the object", path: "\(displayPath)/\(key.text)"))
        return try file.facts().kind == DD_KIND_FILE ? file : nil
    }

    private func read(_ key: StoreKey, _ range: Range<UInt64>?) throws(DriveError) -> [UInt8]? {
        guard let file = try open(key, in: try root()) else { return nil }
        remember(key)
        let size = try file.facts().size
        let wanted = (range ?? 0..<size).clamped(to: 0..<size)
        return try file.bytes(wanted, path: "\(displayPath)/\(key.text)")
    }

    private func remove(_ key: StoreKey) throws(DriveError) {
        var folder = try root()
        for name in key.folder {
            guard let next = try folder.folder(name) else { return }
            folder = next
        }
        let result = dd_remove_file(folder.number, key.name.bytes, key.name.bytes.count)
        // EISDIR: a folder is no object.
        if result == -ENOENT || result == -EISDIR { return }
        _ = try check(result, "remove the object", path: "\(displayPath)/\(key.text)")
    }

    /// Whether the object is stored with just these bytes.
    func holds(_ key: StoreKey, _ bytes: [UInt8], in root: Descriptor) throws(DriveError) -> Bool {
        guard let file = try open(key, in: root), try file.facts().size == bytes.count else { return false }
        guard try file.bytes(0..<UInt64(bytes.count), path: displayPath) == bytes else { return false }
        _ = try check(dd_sync(file.number), "write the object to the disk", path: "\(displayPath)/\(key.text)")
        return true
    }
}

extension Descriptor {
    /// What a file holds in the range, cut at its end.
    fileprivate func bytes(_ range: Range<UInt64>, path: String) throws(DriveError) -> [UInt8] {
        var failure: DriveError?
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
            do throws(DriveError) {
                filled = try read(at: range.lowerBound, into: UnsafeMutableRawBufferPointer(buffer), path: path)
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }
}
