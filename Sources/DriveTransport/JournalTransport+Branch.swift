import DriveCore

extension JournalTransport {
    public func branch(
        from memory: JournalMemory, among heads: Set<ObjectKey>?, except known: Set<ObjectKey>
    ) async throws(DriveError) -> JournalBranch? {
        var names: [HeadName]
        if let heads {
            names = heads.compactMap(HeadName.init)
        } else {
            names = try await folder.list(HeadName.start(of: memory.device)).compactMap { HeadName($0.key) }
        }
        let own = known.union(memory.heads).union([memory.intended?.key].compactMap(\.self))
        // What is older than all that is remembered is of this device's own past.
        let oldest = memory.heads.first.flatMap(HeadName.init)
        names = names.filter { name in !own.contains(name.key) && oldest.map { !name.isOlder(than: $0) } ?? true }
        for name in names.sorted(by: { $0.isNewer(than: $1) }) {
            guard let head = try await head(name) else { continue }
            let both = Set(memory.segments.map(\.key)).intersection(head.segments.map(\.key))
            return JournalBranch(
                head: name.key, published: name.published, isLater: try await goesOn(head, from: memory),
                both: memory.segments.filter { both.contains($0.key) },
                theirs: try await parts(head.segments, but: both), ours: try await parts(memory.segments, but: both))
        }
        return nil
    }

    /// Who goes on from a head names it, and removes it after two of its own.
    private func goesOn(_ branch: JournalHead, from memory: JournalMemory) async throws(DriveError) -> Bool {
        guard let inForce = memory.heads.last else { return true }
        var previous = branch.previous
        for _ in 0..<8 {
            if previous == inForce { return true }
            guard let name = previous.flatMap(HeadName.init), let head = try await head(name) else { break }
            previous = head.previous
        }
        guard let name = HeadName(inForce) else { return false }
        return try await head(name) == nil
    }

    private func parts(
        _ segments: [SegmentReference], but both: Set<ObjectKey>
    ) async throws(DriveError) -> [JournalBranch.Part] {
        let wanted = segments.filter { !both.contains($0.key) }.sorted { ($0.high, $0.low) < ($1.high, $1.low) }
        var result: [JournalBranch.Part] = []
        for reference in wanted {
            do throws(DriveError) {
                result.append(JournalBranch.Part(reference, try await stored([reference]).first))
            } catch {
                guard error.remedy == .skip else { throw error }
                result.append(JournalBranch.Part(reference, nil))
            }
        }
        return result
    }
}
