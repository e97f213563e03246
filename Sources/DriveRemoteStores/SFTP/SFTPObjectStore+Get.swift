import DriveCore

// Reading and removing.
extension SFTPObjectStore {
    func read(_ key: SFTPKey, _ range: Range<UInt64>?, _ session: SFTPSession) async throws(DriveError) -> [UInt8]? {
        // Before it is opened: to open a pipe would keep the server waiting for whoever writes to it.
        guard let facts = try await attributes(key.bytes, session, "read the object"), facts.isFile == true,
            let size = facts.size
        else { return nil }
        let wanted = (range ?? 0..<size).clamped(to: 0..<size)
        if wanted.isEmpty { return [] }
        switch try await session.handle(.open(path: root.path(of: key.bytes), .read)) {
        case .success(let handle):
            defer { session.send(.close(handle: handle)) }
            return try await read(handle, wanted, key, session)
        case .failure(let status) where status.code == .noSuchFile: return nil
        case .failure(let status): throw refusal(status, "read the object", key.bytes)
        }
    }

    private func read(
        _ handle: [UInt8], _ range: Range<UInt64>, _ key: SFTPKey, _ session: SFTPSession
    ) async throws(DriveError) -> [UInt8] {
        var result: [UInt8] = []
        // A size is only what the server says, so memory grows with what it sends.
        result.reserveCapacity(Int(min(range.upperBound - range.lowerBound, 16 << 20)))
        var early: [UInt64: [UInt8]] = [:]
        let pipeline = SFTPPipeline(session: session, pace: pace, direction: .down)
        try await pipeline.run(over: range) { piece in
            .read(handle: handle, offset: piece.lowerBound, count: piece.count)
        } _: { piece, ticket throws(DriveError) in
            try await self.piece(handle, piece, key, session, ticket)
        } take: { piece, bytes in
            early[piece.lowerBound] = bytes
            while let next = early.removeValue(forKey: range.lowerBound + UInt64(result.count)), !next.isEmpty {
                result += next
            }
            return bytes.count == piece.count
        }
        return result
    }

    /// The bytes of the range as far as there are any; servers may give less than was asked for.
    private func piece(
        _ handle: [UInt8], _ range: Range<UInt64>, _ key: SFTPKey, _ session: SFTPSession, _ first: SFTPTicket
    ) async throws(DriveError) -> [UInt8] {
        var result: [UInt8] = []
        var ticket: SFTPTicket? = first
        while result.count < range.count {
            let offset = range.lowerBound + UInt64(result.count)
            let answer = try await session.read(handle, offset, range.count - result.count, ticket)
            ticket = nil
            switch answer {
            case .success(let bytes) where bytes.isEmpty: return result
            case .success(let bytes): result += bytes
            case .failure(let status): throw refusal(status, "read the object", key.bytes)
            }
        }
        return result
    }

    func remove(_ key: SFTPKey, _ session: SFTPSession) async throws(DriveError) {
        let status = try await session.status(.remove(path: root.path(of: key.bytes)))
        if status.code == .ok || status.code == .noSuchFile { return }
        // A folder is no object, and what lies beneath a file is none either: version 3 has one code for all that.
        guard try await attributes(key.bytes, session, "remove the object")?.isFolder == false else { return }
        throw refusal(status, "remove the object", key.bytes)
    }
}
