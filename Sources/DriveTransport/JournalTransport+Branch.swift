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
        for name in names.filter({ !own.contains($0.key) }).sorted(by: { $0.isNewer(than: $1) }) {
            guard let head = try await readableHead(name) else { continue }
            let both = Set(memory.segments.map(\.key)).intersection(head.segments.map(\.key))
            guard let theirs = try await parts(head.segments, but: both),
                let ours = try await parts(memory.segments, but: both)
            else { continue }
            return JournalBranch(
                head: name.key, published: name.published, isLater: try await goesOn(head, from: memory),
                both: memory.segments.filter { both.contains($0.key) }, theirs: theirs, ours: ours)
        }
        return nil
    }

    /// Nil also where it cannot be read: other heads, and other journals, go on.
    private func readableHead(_ name: HeadName) async throws(DriveError) -> JournalHead? {
        do throws(DriveError) { return try await head(name) } catch {
            guard error.provesLoss else { throw error }
            return nil
        }
    }

    /// Who goes on from a head names it, and removes it after two of its own.
    private func goesOn(_ branch: JournalHead, from memory: JournalMemory) async throws(DriveError) -> Bool {
        guard let inForce = memory.heads.last else { return true }
        var previous = branch.previous
        for _ in 0..<8 {
            if previous == inForce { return true }
            guard let name = previous.flatMap(HeadName.init), let head = try await readableHead(name) else { break }
            previous = head.previous
        }
        guard let name = HeadName(inForce) else { return false }
        return try await readableHead(name) == nil
    }

    /// Nil where that is more than any journal has that is read.
    private func parts(
        _ segments: [SegmentReference], but both: Set<ObjectKey>
    ) async throws(DriveError) -> [JournalBranch.Part]? {
        let wanted = segments.filter { !both.contains($0.key) }.sorted { ($0.high, $0.low) < ($1.high, $1.low) }
        let total = wanted.reduce(UInt64(0)) { $0.addingReportingOverflow($1.size).partialValue }
        guard Set(wanted.map(\.key)).count == wanted.count, total <= Self.longest,
            wanted.allSatisfy({ $0.size <= Self.longest })
        else { return nil }
        var result: [JournalBranch.Part] = []
        for reference in wanted {
            do throws(DriveError) {
                result.append(JournalBranch.Part(reference, try await stored([reference]).first))
            } catch {
                guard error.provesLoss else { throw error }
                result.append(JournalBranch.Part(reference, nil))
            }
        }
        return result
    }
}

extension DriveError {
    /// What the store may read the next time is there: of that nobody may infer whose journal goes on.
    fileprivate var provesLoss: Bool { remedy == .skip && kind != .objectFailed }
}
