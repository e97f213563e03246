import DriveCore

extension JournalTransport {
    public func compact(
        _ memory: JournalMemory, seen: DeviceVector, isNeeded: (ItemID, UInt64) throws -> Bool
    ) async throws(DriveError) -> CompactOutcome {
        var old = compaction.merged(memory.segments)
        let isExamination = old.isEmpty
        if isExamination {
            let suspects = compaction.suspects(memory.segments, published: memory.published)
            guard !suspects.isEmpty, entropy.next() % max(1, compaction.examineOneIn) == 0 else {
                return .unneeded
            }
            old = [suspects[Int(entropy.next() % UInt64(suspects.count))]]
        }
        let reading = try await read(old)
        guard reading.damaged.isEmpty else { return .damaged(reading.damaged) }
        let records = newest(of: reading.records, memory.device)
        let needed = try records.needed(by: memory.device, isNeeded)
        let total = old.reduce(0) { $0 + Int($1.records) }
        if isExamination, needed.count * 2 > total { return .unneeded }
        let generation = nextGeneration(memory)
        let added = try await store(needed, generation: generation, device: memory.device)
        let replaced = Set(old.map(\.key))
        let kept = memory.segments.filter { !replaced.contains($0.key) }
        return .prepared(
            intend(
                memory, published: memory.published, generation: generation,
                segments: (kept + added).sorted { ($0.high, $0.low) < ($1.high, $1.low) }))
    }

    /// What the segments hold, and which of them are damaged.
    private func read(
        _ segments: [SegmentReference]
    ) async throws(DriveError) -> (records: [ItemState], damaged: [SegmentReference]) {
        var records: [ItemState] = []
        var damaged: [SegmentReference] = []
        for reference in segments {
            if let found = try await whole(reference) { records += found } else { damaged.append(reference) }
        }
        return (records, damaged)
    }

    /// The records of a segment; nil where the store does not have it as it was put. As of a head, only what is read the same
    /// twice counts as that.
    private func whole(_ reference: SegmentReference) async throws(DriveError) -> [ItemState]? {
        let first = try await bytes(of: reference)
        if let records = try records(in: first, reference) { return records }
        let second = try await bytes(of: reference)
        if let records = try records(in: second, reference) { return records }
        guard first == second else {
            throw DriveError(
                .objectFailed,
                "The store returns a part of this device's journal otherwise each time; try again later, and look at the "
                    + "connection to it", path: reference.key)
        }
        return nil
    }

    private func bytes(of reference: SegmentReference) async throws(DriveError) -> [UInt8] {
        do throws(DriveError) {
            if let found = try await folder.get(reference.key, limit: Envelope.limit(.segment)) { return found }
        } catch {
            // A disk that cannot read an object has lost it.
            guard error.kind == .inputOutput else { throw error }
            return []
        }
        throw DriveError(.notFound, "A segment of this device's journal is gone", path: reference.key)
    }

    private func records(
        in bytes: [UInt8], _ reference: SegmentReference
    ) throws(DriveError) -> [ItemState]? {
        guard Segment.verify(bytes, reference) else { return nil }
        do throws(DriveError) { return try Segment.records(bytes) } catch {
            guard error.kind == .corrupt else { throw error }
            return nil
        }
    }

    /// Of each item the last record, in the order of their numbers.
    private func newest(of records: [ItemState], _ device: DeviceID) -> [ItemState] {
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
