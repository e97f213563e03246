import DriveCore

/// Removes from the store what was put there of files that were never read to their end, and that nobody waits to read again:
/// gone, ignored, or recorded with other contents since. So what a file that found no room has filled is not lost for 30 days.
///
/// No record of this device ever named these objects, so no other device knows of them, and nobody has to be asked. Only
/// between scans: one that is under way counts on what it has stored.
struct UnfinishedUploads {
    let parts: DriveParts

    /// What was removed, or would be.
    func remove(on transport: any Transport, isTrial: Bool = false) async throws -> CollectionOutcome.Size {
        let left = try sorted().abandoned
        var size = CollectionOutcome.Size()
        guard !left.isEmpty else { return size }
        let needed = try await UsedObjects(ContentUse(parts.state)).all(on: transport)
        let objects = Set(left.keys).subtracting(needed)
        size = CollectionOutcome.Size(objects: objects.count, bytes: objects.reduce(0) { $0 + (left[$1] ?? 0) })
        if isTrial || objects.isEmpty { return size }
        // Nothing is to refer to them once the first of them is gone.
        try parts.state.transaction { try parts.state.forgetUploaded(in: objects) }
        try await transport.remove(objects.sorted())
        return size
    }

    /// What the next scan counts on.
    func waiting() throws -> Set<ObjectKey> { try sorted().waiting }

    /// Objects with several chunks may have been named for another of them: they are not abandoned at once.
    private func sorted() throws -> (waiting: Set<ObjectKey>, abandoned: [ObjectKey: UInt64]) {
        var known: [DrivePath: Bool] = [:]
        var waiting: Set<ObjectKey> = []
        var abandoned: [ObjectKey: UInt64] = [:]
        for upload in try parts.state.unfinishedUploads() {
            let isWaiting = try known[upload.source] ?? self.isWaiting(upload.source)
            known[upload.source] = isWaiting
            if isWaiting {
                waiting.insert(upload.chunk.object)
            } else if upload.chunk.isAlone {
                abandoned[upload.chunk.object] = UInt64(upload.chunk.storedLength)
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
        guard let row = try parts.state.row(at: path), row.hash != nil else { return true }
        return !row.facts.looksUnchanged(since: facts)
    }
}

extension DriveEngine {
    /// Removes from the store what uploads that were broken off have left there, where nobody goes on with them.
    public func removeUnfinishedUploads(isTrial: Bool = false) async throws -> CollectionOutcome.Size {
        guard let transport = parts.transport else { throw Self.noStore }
        // As a copy of another index, this one does not know what was named.
        try await makeSure()
        _ = try await parts.options.rereadRules(self)
        return try await UnfinishedUploads(parts: parts).remove(on: transport, isTrial: isTrial)
    }
}
