public import DriveCore
import Synchronization

/// A store in a folder of a server that speaks SFTP, version 3 (draft-ietf-secsh-filexfer-02), reached by the user's `ssh`.
///
/// Each object is a file, as in a folder store, and the same folder can be used as one. Objects appear whole: they are
/// written beside their place and renamed. Names that are no keys are not seen, and a link is no object. The store's
/// folder is made by `create()` only, so that a server whose disk is not mounted does not get a second store.
public final class SFTPObjectStore: RemoteStore {
    let root: SFTPRoot
    let pace: TransferPace
    let host: String
    private let connection: SFTPConnection
    private let memory = Mutex(Memory())

    /// What is true of the server's folders for as long as nobody removes them.
    private struct Memory {
        /// Folders whose names, and those of all above them, have reached the disk.
        var durable: Set<[UInt8]> = []
        /// Folders that were looked through for abandoned drafts.
        var tidied: Set<[UInt8]> = []
        var listing: (folder: [UInt8], entries: [SFTPWalk.Entry], time: ContinuousClock.Instant)?
    }

    /// Connects to nothing yet. Throws `usage` where the URL cannot be of an SFTP store.
    public convenience init(_ url: StoreURL, _ options: RemoteStoreOptions) throws(DriveError) {
        try self.init(url, options, idleSeconds: 60)
    }

    init(_ url: StoreURL, _ options: RemoteStoreOptions, idleSeconds: Double) throws(DriveError) {
        try url.checkOptions([])
        let command = try SSHCommand(url, options)
        root = SFTPRoot(url)
        pace = options.pace
        host = url.host
        connection = SFTPConnection(
            SSHProcess(
                command: command, failure: SSHFailure(command: command, host: url.host, place: url.text),
                environment: options.environment,
                patience: SFTPPatience(
                    connectSeconds: options.connectSeconds, progressSeconds: options.progressSeconds,
                    idleSeconds: idleSeconds), isKnown: options.isKnown))
    }

    /// A server handles the requests of a session one after the other; more only keep the way to it filled.
    public var capabilities: StoreCapabilities { StoreCapabilities(concurrentRequests: 8) }

    public func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        let key = try SFTPKey(key)
        return try await connection.use { session throws(DriveError) in try await self.read(key, range, session) }
    }

    public func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) {
        let key = try SFTPKey(key)
        try await connection.use { session throws(DriveError) in try await self.write(key, bytes, session) }
        forgetListing()
    }

    public func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        try await connection.use { session throws(DriveError) in
            var walk = SFTPWalk(self, session, prefix: prefix, after: after, limit: limit)
            return try await walk.run()
        }
    }

    public func delete(_ key: ObjectKey) async throws(DriveError) {
        let key = try SFTPKey(key)
        try await connection.use { session throws(DriveError) in try await self.remove(key, session) }
        forgetListing()
    }

    public func look() async throws(DriveError) -> StoreFinding {
        try await connection.use { session throws(DriveError) in try await self.look(session) }
    }

    public func create() async throws(DriveError) {
        try await connection.use { session throws(DriveError) in try await self.makeRoot(session) }
    }

    public func remove() async throws(DriveError) {
        try await connection.use { session throws(DriveError) in try await self.removeRoot(session) }
        forgetDurable()
    }

    func isDurable(_ folder: [UInt8]) -> Bool { memory.withLock { $0.durable.contains(folder) } }

    func setDurable(_ folder: [UInt8]) { memory.withLock { _ = $0.durable.insert(folder) } }

    /// True once for each folder.
    func claimTidying(_ folder: [UInt8]) -> Bool { memory.withLock { $0.tidied.insert(folder).inserted } }

    /// The folders changed under us: sync them again.
    func forgetDurable() { memory.withLock { $0.durable = [] } }

    /// What a folder held less than half a minute ago, if it was the last that was read and nothing was changed here since.
    func listing(of folder: [UInt8]) -> [SFTPWalk.Entry]? {
        memory.withLock { memory in
            guard let listing = memory.listing, listing.folder == folder, listing.time.duration(to: .now) < .seconds(30)
            else { return nil }
            return listing.entries
        }
    }

    func keep(_ entries: [SFTPWalk.Entry], of folder: [UInt8]) {
        memory.withLock { $0.listing = (folder, entries, .now) }
    }

    private func forgetListing() { memory.withLock { $0.listing = nil } }
}
