import DriveCore

extension JournalTransport {
    public func compact(
        _ memory: JournalMemory, seen: DeviceVector, isNeeded: (ItemID, UInt64) throws -> Bool
    ) async throws(DriveError) -> JournalMemory? {
        var old = compaction.merged(memory.segments)
        let isExamination = old.isEmpty
        if isExamination {
            let suspects = compaction.suspects(memory.segments, published: memory.published)
            guard !suspects.isEmpty, entropy.next() % max(1, compaction.examineOneIn) == 0 else { return nil }
            old = [suspects[Int(entropy.next() % UInt64(suspects.count))]]
        }
        let records = try await newestRecords(of: old, memory.device)
        let needed = try records.needed(by: memory.device, isNeeded)
        let total = old.reduce(0) { $0 + Int($1.records) }
        if isExamination, needed.count * 2 > total { return nil }
        let generation = nextGeneration(memory)
        let added = try await store(needed, generation: generation, device: memory.device)
        let replaced = Set(old.map(\.key))
        let kept = memory.segments.filter { !replaced.contains($0.key) }
        return intend(
            memory, published: memory.published, generation: generation,
            segments: (kept + added).sorted { ($0.high, $0.low) < ($1.high, $1.low) })
    }

    /// Of each item the last record in the segments, in the order of their numbers.
    private func newestRecords(
        of segments: [SegmentReference], _ device: DeviceID
    ) async throws(DriveError) -> [ItemState] {
        var records: [ItemState] = []
        for reference in segments {
            guard let bytes = try await folder.get(reference.key, limit: Envelope.limit(.segment)) else {
                throw DriveError(.notFound, "A segment of this device's journal is gone", path: reference.key)
            }
            guard Segment.verify(bytes, reference) else {
                throw DriveError(.corrupt, "A segment of this device's journal is damaged", path: reference.key)
            }
            records += try Segment.records(bytes)
        }
        let numbers = records.map { $0.context[device] }
        var seen = Set<ItemID>(minimumCapacity: records.count)
        // Records are large: what is sorted are their places.
        return records.indices.sorted { numbers[$0] > numbers[$1] }
            .filter { seen.insert(records[$0].id).inserted }
            .reversed().map { records[$0] }
    }
}

extension [ItemState] {
    fileprivate func needed(
        by device: DeviceID, _ isNeeded: (ItemID, UInt64) throws -> Bool
    ) throws(DriveError) -> [ItemState] {
        do {
            return try filter { try isNeeded($0.id, $0.context[device]) }
        } catch let error as DriveError {
            throw error
        } catch {
            throw DriveError(.inputOutput, "The index could not be read (\(error))")
        }
    }
}
