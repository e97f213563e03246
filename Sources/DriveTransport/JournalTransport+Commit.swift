import DriveCompression
import DriveCore

extension JournalTransport {
    /// After an unclear answer `recover` first: what an intended head that did arrive names must not be stored again
    /// under another.
    public func prepare(
        _ groups: [RecordGroup], through: UInt64, seen: DeviceVector, memory: JournalMemory
    ) async throws(DriveError) -> JournalMemory {
        let generation = nextGeneration(memory)
        let records = groups.flatMap(\.records)
        try check(records, through: through, memory)
        let added = try await store(records, generation: generation, device: memory.device)
        return intend(memory, published: through, generation: generation, segments: memory.segments + added)
    }

    public func publish(_ memory: JournalMemory, seen: DeviceVector) async throws(DriveError) -> JournalMemory {
        guard let intended = memory.intended, let name = HeadName(intended.key) else {
            throw DriveError(.internalFault, "No head was prepared before publishing; please report this")
        }
        let head = JournalHead(
            name: name, segments: intended.segments, seen: seen, labels: memory.labels, previous: memory.heads.last,
            collection: memory.collection)
        try await folder.put(intended.key, head.sealed())
        var result = memory.withIntendedInForce()
        // The commit stands. What cannot be removed now stays in the memory and is tried again.
        do { result = try await removeOldHeads(result) } catch {}
        return result
    }

    /// The first generation that no head of this device has, published or only intended.
    func nextGeneration(_ memory: JournalMemory) -> UInt32 {
        max(memory.generation, memory.intended?.generation ?? 0) &+ 1
    }

    func intend(
        _ memory: JournalMemory, published: UInt64, generation: UInt32, segments: [SegmentReference]
    ) -> JournalMemory {
        let name = HeadName(device: memory.device, published: published, generation: generation, nonce: nonce())
        var result = memory
        result.intended = IntendedHead(
            key: name.key, published: published, generation: generation, segments: segments)
        return result
    }

    /// Puts the records as segments of bounded size, smaller ones where the store refuses those. They must be in the order of their numbers.
    func store(
        _ records: [ItemState], generation: UInt32, device: DeviceID
    ) async throws(DriveError) -> [SegmentReference] {
        let zstd = Zstd()
        var result: [SegmentReference] = []
        // What small records take when they are sealed tells little of their sizes: each refusal also halves how many are tried.
        var most = Int.max
        var start = 0
        while start < records.count {
            var encoder = RecordEncoder()
            var end = start
            // What is put is smaller yet.
            while end < records.count,
                encoder.records == 0
                    || (encoder.records < most && encoder.size < min(Segment.target, limit.bytes))
            {
                encoder.append(records[end])
                end += 1
            }
            let (low, high) = (records[start].context[device], records[end - 1].context[device])
            let name = SegmentName(device: device, low: low, high: high, generation: generation, nonce: nonce())
            let (bytes, reference) = try Segment.seal(encoder, name, zstd)
            do { try await folder.put(reference.key, bytes) } catch {
                guard encoder.records > 1, error.refuses(folder.prefix + reference.key) else { throw error }
                limit.refused(bytes.count)
                most = encoder.records / 2
                continue
            }
            result.append(reference)
            start = end
        }
        return result
    }

    private func check(_ records: [ItemState], through: UInt64, _ memory: JournalMemory) throws(DriveError) {
        var last = memory.published
        for record in records {
            let n = record.context[memory.device]
            guard n > last, n <= through else {
                throw DriveError(.internalFault, "Records to publish are not numbered in order; please report this")
            }
            last = n
        }
        guard through >= memory.published else {
            throw DriveError(.internalFault, "The journal would become shorter; please report this")
        }
    }

    /// Keeps the last two heads. Segments that only removed heads list go first, so that a crash leaves nothing behind.
    private func removeOldHeads(_ memory: JournalMemory) async throws(DriveError) -> JournalMemory {
        var result = memory
        let kept = memory.heads.suffix(2)
        for key in memory.heads.dropLast(2) {
            if replacesSegments(memory.heads) { try await removeSegments(onlyOf: key, kept: kept, memory) }
            try await folder.delete(key)
            result.heads.removeFirst()
        }
        return result
    }

    /// Only a compaction leaves the number of published records as it is, and that number stands in the name.
    private func replacesSegments(_ heads: [ObjectKey]) -> Bool {
        let names = heads.map { HeadName($0)?.published }
        return zip(names, names.dropFirst()).contains { $0 == $1 }
    }

    private func removeSegments(
        onlyOf key: ObjectKey, kept: ArraySlice<ObjectKey>, _ memory: JournalMemory
    ) async throws(DriveError) {
        guard let name = HeadName(key), let old = try await head(name) else { return }
        var needed = Set(memory.segments.map(\.key))
        for key in kept.dropLast() {
            guard let name = HeadName(key), let head = try await head(name) else { return }
            needed.formUnion(head.segments.map(\.key))
        }
        // What a clone's heads list is the clone's too.
        for object in try await folder.list(HeadName.start(of: memory.device)) where !memory.heads.contains(object.key)
        {
            guard let name = HeadName(object.key), let head = try await head(name) else { continue }
            needed.formUnion(head.segments.map(\.key))
        }
        for segment in old.segments where !needed.contains(segment.key) { try await folder.delete(segment.key) }
    }

    /// What heads before the last two listed alone. Nothing else is ever removed: a segment in the folder that no head
    /// of ours names may be that of a clone which is about to publish.
    public func discardReplacedSegments(_ memory: JournalMemory) async throws(DriveError) {
        _ = try await removeOldHeads(memory)
    }
}

extension JournalMemory {
    /// As after the intended head has arrived.
    func withIntendedInForce() -> JournalMemory {
        guard let intended else { return self }
        var result = self
        result.published = intended.published
        result.generation = intended.generation
        result.segments = intended.segments
        result.heads.append(intended.key)
        result.intended = nil
        return result
    }
}
