import DriveCore

/// What became of one look at the journals of others.
struct Fetched {
    /// Those with news.
    var journals = 0
    /// There is more than was taken at once.
    var isPartial = false
    /// Of the own journal, as they were put.
    var areOwnHeadsThere = true
}

extension DriveParts {
    /// Joins what other devices have published; each journal whole, in one transaction with the token.
    /// Throws `ForkNeeded` where another device has seen more of this one than it has published.
    func fetch(only: Set<DeviceID>? = nil) async throws -> Fetched {
        guard let transport else { return Fetched() }
        let memory = try state.journal()
        var outcome = try await transport.fetch(since: try state.token(), own: memory.device, only: only)
        // Before anything is joined that others have made of what the copy wrote.
        if try await partFromCopy(among: outcome.ownHeads) { throw PartedFromCopy() }
        // First: whatever ends this, what is joined of a device says that it is back.
        if !memory.collection.forgotten.isEmpty { try state.remember(outcome.newestHeads) }
        let journals = outcome.journals.count
        var problems = outcome.problems
        let own = Dot(device: memory.device, n: max(memory.published, memory.intended?.published ?? 0))
        outcome.journals.reverse()
        while var journal = outcome.journals.popLast() {
            if journal.seen[own.device] > own.n { throw ForkNeeded() }
            do {
                // Lost, it is fetched again: what is made of it, here or in the store, is durable before it is done.
                try state.transaction(isDurable: false) { try join(&journal, own: own) }
            } catch let damage as JournalDamage {
                // Nobody else's journal waits for this one.
                problems.append(.init(device: journal.device, reason: damage.reason))
            }
        }
        try await meet(outcome.silentHeads, transport)
        // Nobody writes on in the journal of a device that is gone for good: what is torn there stays so.
        let forgotten = try state.journal().collection.forgotten
        problems.removeAll { problem in
            forgotten.contains { $0.device == problem.device && $0.head == outcome.newestHeads[problem.device] }
        }
        try LostJournals(parts: self).check(outcome.published)
        let now = clock.milliseconds()
        try state.transaction {
            let labels = try state.labels()
            try state.setProblems(
                problems.map { problem in
                    let name = labels.text(Dot(device: problem.device, n: .max))
                    return Problem(
                        path: .root, reason: "the journal of \(name) cannot be read whole yet: \(problem.reason)",
                        source: .fetch, since: now)
                }, from: .fetch)
        }
        return Fetched(
            journals: journals, isPartial: outcome.isPartial,
            areOwnHeadsThere: outcome.ownHeads.isSuperset(of: memory.heads))
    }

    /// Who has joined counts as a device before it has changed anything.
    private func meet(_ heads: [DeviceID: ObjectKey], _ transport: any Transport) async throws {
        let known = Set(try state.labels().devices)
        let new = heads.filter { !known.contains($0.key) }.sorted { $0.key < $1.key }
        for (device, key) in new.prefix(Self.metAtOnce) {
            guard let found = try await transport.labels(inHead: key), !found.isEmpty else { continue }
            try state.transaction(isDurable: false) {
                var maintenance = ViewMaintenance(state)
                var labels = try state.labels()
                labels[device] = found
                try maintenance.setLabels(labels)
            }
        }
    }

    private static let metAtOnce = 100

    /// Takes each segment out of the journal: a large one is not kept whole until all of it is joined.
    private func join(_ journal: inout FetchedJournal, own: Dot) throws {
        var numbers = try state.numbers()
        let now = clock.milliseconds()
        var maintenance = ViewMaintenance(state)
        var labels = try state.labels()
        if labels[journal.device] != journal.labels {
            labels[journal.device] = journal.labels
            try maintenance.setLabels(labels)
        }
        var lives = LifeNotes(self, of: journal.device, own: own.device, labels)
        journal.segments.reverse()
        while let segment = journal.segments.popLast() {
            var joined: [ItemID: ItemState] = [:]
            var passed: [ReplacedHead] = []
            for record in try segment.readableRecords() {
                let known = try joined[record.id] ?? state.item(record.id)?.state
                let result = known?.joined(record) ?? record
                if let known {
                    // Also what came and went between two looks.
                    passed += known.heads(replacedIn: result) + record.heads(replacedIn: result)
                }
                try lives.note(known, record, result)
                joined[record.id] = result
                numbers.receive(record.newestTime, now: now)
                try cover(record, own: own)
            }
            let count = joined.count
            try maintenance.putInParts(&joined)
            try state.keep(passed, until: now)
            if count > 4_096 { options.didMuch() }
        }
        try state.setNumbers(numbers)
        var token = try state.token()
        token[journal.device] = journal.through
        try state.setToken(token)
        try lives.tell()
        try checkView()
    }

    /// Notes that somebody else's record contains ours, which compaction may then leave out. One that contains more
    /// than was published is of a time that this device has forgotten, or a lie; either way its numbers are used up.
    private func cover(_ record: ItemState, own: Dot) throws {
        let n = record.context[own.device]
        if n > own.n { throw ForkNeeded() }
        guard n > 0, var mine = try state.ownRecord(of: record.id), mine.covered < n else { return }
        mine.covered = n
        try state.setOwnRecord(mine, of: record.id)
    }
}

extension ViewMaintenance {
    /// So many at once that an index can keep what they touch in memory. Folders come first, so that nothing has to wait for
    /// its folder.
    /// Empties `joined` first.
    fileprivate mutating func putInParts(_ joined: inout [ItemID: ItemState]) throws {
        let states = Array(joined.values)
        joined = [:]
        // Not the states themselves, which are much to move.
        let order = states.indices.sorted { one, other in
            (states[one].kind == .folder ? 0 : 1, states[one].id) < (
                states[other].kind == .folder ? 0 : 1, states[other].id
            )
        }
        for start in stride(from: 0, to: order.count, by: 2_048) {
            try put(order[start..<min(start + 2_048, order.count)].map { states[$0] })
        }
    }
}

/// A journal that cannot be joined, whoever tries: nothing of it was.
public struct JournalDamage: Error {
    public var reason: String
}

extension FetchedSegment {
    /// The records, or `JournalDamage`.
    public func readableRecords() throws -> [ItemState] {
        do { return try records() } catch  where error.kind == .corrupt {
            throw JournalDamage(reason: error.message)
        }
    }
}

/// Another copy of this device has published something, and this one has a new id now.
struct PartedFromCopy: Error {}

/// Another device has seen records of this one that it does not know of: its state is an old copy.
struct ForkNeeded: Error {}
