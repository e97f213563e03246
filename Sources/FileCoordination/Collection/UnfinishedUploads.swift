import DriveCore

/// Removes from the store what was put there of files that were never read to their end, and that nobody waits to read again:
/// gone, ignored, or recorded with other contents since. So what a file that found no room has filled is not lost for 30 days.
///
/// No record of this device ever named these objects, so no other device knows of them, and nobody has to be asked. Only
/// between scans: one that is under way counts on what it has stored.
struct UnfinishedUploads {
    let parts: DriveParts

    /// Their chunks by the objects that they lie in, of those that nothing is known to need.
    func abandoned(on transport: any Transport) async throws -> [ObjectKey: ChunkReference] {
        let left = try told().abandoned
        guard !left.isEmpty else { return [:] }
        let needed = try await UsedObjects(ContentUse(parts.state)).all(on: transport)
        return left.filter { !needed.contains($0.key) }
    }

    func remove(_ left: [ObjectKey: ChunkReference], on transport: any Transport) async throws {
        // Nothing is to refer to them once the first of them is gone, and where this breaks off the next turn goes on with it.
        try parts.state.transaction { try parts.state.addUploaded(Array(left.values), of: .root) }
        try await transport.remove(left.keys.sorted())
        try parts.state.transaction { try parts.state.forgetUploaded(in: Set(left.keys)) }
    }

    /// What the next scan counts on, and what goes without anybody being asked.
    func objects() throws -> Set<ObjectKey> {
        let told = try told()
        return told.waiting.union(told.abandoned.keys)
    }

    /// Objects with several chunks may have been named for another of them: they are not abandoned at once.
    private func told() throws -> (waiting: Set<ObjectKey>, abandoned: [ObjectKey: ChunkReference]) {
        var known: [DrivePath: Bool] = [:]
        var waiting: Set<ObjectKey> = []
        var abandoned: [ObjectKey: ChunkReference] = [:]
        for upload in try parts.state.unfinishedUploads() {
            let isWaiting = try known[upload.source] ?? self.isWaiting(upload.source)
            known[upload.source] = isWaiting
            if isWaiting {
                waiting.insert(upload.chunk.object)
            } else if upload.chunk.isAlone {
                abandoned[upload.chunk.object] = upload.chunk
            }
        }
        return (waiting, abandoned)
    }

    /// Whether the next scan is going to read this file.
    private func isWaiting(_ path: DrivePath) throws -> Bool {
        guard let name = path.name, !parts.options.ignores(path, false) else { return false }
        let facts: FileFacts?
        do {
            facts = try parts.files.open(path: path.parent).flatMap { try parts.files.look(at: name, in: $0) }
        } catch is DriveError {
            // It may be there, and cannot be looked at just now.
            return true
        }
        guard let facts, facts.kind == .file else { return false }
        // Where case does not count the row may have the name in other letters.
        let row = try parts.state.row(at: path) ?? parts.state.row(identity: facts.identity)
        guard let row, row.hash != nil, row.facts.looksUnchanged(since: facts) else { return true }
        // What the store has lost is stored again, of files that nobody has touched.
        return try ContentOffer(parts: parts).isWished
    }
}

extension DriveEngine {
    /// Removes from the store what uploads that were broken off have left there, where nobody goes on with them.
    public func removeUnfinishedUploads(isTrial: Bool = false) async throws -> CollectionOutcome.Size {
        guard let transport = parts.transport else { throw Self.noStore }
        // A copy of another index may not know what that one has named.
        doubt()
        try await makeSure()
        _ = try await parts.options.rereadRules(self)
        let uploads = UnfinishedUploads(parts: parts)
        let left = try await uploads.abandoned(on: transport)
        let size = CollectionOutcome.Size(
            objects: left.count, bytes: left.values.reduce(0) { $0 + UInt64($1.storedLength) })
        if isTrial || left.isEmpty { return size }
        // So that a copy of this index sees that it is one before it counts on what goes. A full store may not take a head.
        do { try await renewHead() } catch let error as DriveError where error.kind == .noSpace {}
        try await uploads.remove(left, on: transport)
        return size
    }
}
