import DriveCore

extension JournalTransport {
    /// Compares names, not records: a clone that wrote records with the same numbers is still somebody else.
    public func recover(_ memory: JournalMemory) async throws(DriveError) -> RecoverOutcome {
        let inForce = memory.heads.last.flatMap(HeadName.init)
        let listed = try await listedHeads(of: memory.device)
        let names = listed.map(\.name)
        // Also where somebody else went on meanwhile: what is published is not published once more under another id.
        if let intended = listed.first(where: { $0.name.key == memory.intended?.key }),
            try await isWhole(intended.name, size: intended.size)
        {
            return .adopted(memory.withIntendedInForce())
        }
        for (name, size) in listed {
            if name == inForce { return try await completeness(of: memory) }
            if let inForce, name.isOlder(than: inForce) { break }
            guard try await isWhole(name, size: size) else { continue }
            return .foreign
        }
        guard let inForce else { return .unchanged }
        // Not listed, but lists may be late.
        if try await head(inForce) != nil { return .unchanged }
        return .behind(try await remainder(of: memory, names.filter { $0.isOlder(than: inForce) }))
    }

    private func listedHeads(of device: DeviceID) async throws(DriveError) -> [(name: HeadName, size: UInt64)] {
        let listed = try await folder.list(HeadName.start(of: device))
        let heads = listed.compactMap { object in HeadName(object.key).map { (name: $0, size: object.size) } }
        return heads.sorted { $0.name.isNewer(than: $1.name) }
    }

    /// Whether a listed head was put to its end. Only what is read the same twice counts as torn: to take a bad read for
    /// a torn head would be to overlook a clone, or one's own commit.
    private func isWhole(_ name: HeadName, size: UInt64) async throws(DriveError) -> Bool {
        // Nobody's head is that long.
        if size > UInt64(Envelope.limit(.head)) { return false }
        let first = try await folder.get(name.key, limit: Envelope.limit(.head))
        if let first, try JournalHead.open(name, first) != nil { return true }
        let second = try await folder.get(name.key, limit: Envelope.limit(.head))
        if let second, try JournalHead.open(name, second) != nil { return true }
        guard let first, first == second, UInt64(first.count) == size else {
            throw DriveError(
                .temporary, "The store lists an object that it does not return whole; try again", path: name.key)
        }
        return false
    }

    /// The head in force is there. A store that was rolled back before it was put may lack what it lists.
    private func completeness(of memory: JournalMemory) async throws(DriveError) -> RecoverOutcome {
        let listed = try await folder.list(SegmentName.folder(memory.device))
        let sizes = Dictionary(listed.map { ($0.key, $0.size) }) { first, _ in first }
        var result = memory
        result.segments = memory.segments.filter { sizes[$0.key] == $0.size }
        if result.segments.count == memory.segments.count { return .unchanged }
        result.intended = nil
        return .behind(result)
    }

    /// The newest own head that is left, and of its segments those before the first that is gone.
    private func remainder(
        of memory: JournalMemory, _ names: [HeadName]
    ) async throws(DriveError) -> JournalMemory {
        var result = memory
        result.published = 0
        result.segments = []
        result.heads = []
        result.intended = nil
        // The generation stays: a later head must not look older than one that somebody saw.
        for name in names {
            guard let head = try await head(name) else { continue }
            let listed = try await folder.list(SegmentName.folder(memory.device))
            let sizes = Dictionary(listed.map { ($0.key, $0.size) }) { first, _ in first }
            let segments = head.segments.sorted { $0.high < $1.high }
            result.segments = Array(segments.prefix { sizes[$0.key] == $0.size })
            result.published =
                result.segments.count == segments.count ? name.published : result.segments.last?.high ?? 0
            result.heads = [name.key]
            return result
        }
        return result
    }
}
