import DriveCore

// Two copies of one device that both write: a drive that was copied with its state, a cloned machine.
extension DriveParts {
    /// True where somebody else had written under this device's id, and this one goes on under a new one. `heads` are all of this id
    /// that the store has.
    func partFromCopy(among heads: Set<ObjectKey>? = nil) async throws -> Bool {
        let memory = try state.journal()
        guard let branch = try await transport?.branch(from: memory, among: heads, except: ownStrays.keys) else {
            return false
        }
        let theirs = try branch.theirs.records(of: memory.device)
        let ours = try branch.ours.records(of: memory.device).found
        let past = SharedPast(of: memory.device).last(ours.values, theirs.found.values)
        let comparison = BranchComparison(
            published: memory.published, theirPublished: branch.published, isLater: branch.isLater,
            shared: branch.both.map(\.high) + [past], ours: ours, theirs: theirs.found,
            needed: try needed(ours, besides: theirs.found), unknown: try unknown(theirs.found, memory.device),
            missing: theirs.missing)
        if comparison.isOpen, try isWaitedFor(branch.head) { return false }
        switch comparison.kinship() {
        case .own:
            ownStrays.add(branch.head)
            return false
        case .later: try fork(through: recordedByBoth(theirs.found, past, memory.device))
        case .apart(let common):
            try Parting(parts: self, memory: memory, branch: branch, common: common).run(theirs.found)
        }
        return true
    }

    /// A later record of the same item makes one needless.
    private func needed(
        _ records: [UInt64: ItemState], besides theirs: [UInt64: ItemState]
    ) throws -> Set<UInt64> {
        let last = Dictionary(theirs.map { ($0.value.id, $0.key) }) { max($0, $1) }
        return Set(
            try records.filter { n, record in
                guard last[record.id, default: 0] < n else { return false }
                return try state.ownRecord(of: record.id).map { $0.n == n && $0.isNeeded } ?? false
            }.keys)
    }

    private func unknown(_ records: [UInt64: ItemState], _ device: DeviceID) throws -> Set<UInt64> {
        Set(
            try records.filter { n, record in
                try state.item(record.id)?.state.context.covers(Dot(device: device, n: n)) != true
            }.keys)
    }

    /// Until it counts as lost: nobody can mend what somebody else has put under this device's id.
    private func isWaitedFor(_ head: ObjectKey) throws -> Bool {
        let now = clock.milliseconds()
        if try state.setting(Self.lateKey) == Array(head.utf8),
            let since = try state.setting(Self.lateSinceKey).map({ try Milliseconds.decode($0) })
        {
            return now < since || now - since < options.journalLossDelay
        }
        try state.transaction {
            try state.setSetting(Array(head.utf8), Self.lateKey)
            try state.setSetting(Milliseconds.encode(now), Self.lateSinceKey)
        }
        return true
    }

    private static let lateKey = "late-branch"
    private static let lateSinceKey = "late-branch-since"

    /// The last number up to which all that waits here to be published is what the other one has published: it was copied with it.
    private func recordedByBoth(
        _ theirs: [UInt64: ItemState], _ past: UInt64, _ device: DeviceID
    ) throws -> UInt64 {
        var last: UInt64 = 0
        for record in try state.pendingGroups().flatMap(\.records) {
            let n = record.context[device]
            if n > past, theirs[n] != record { break }
            last = n
        }
        return last
    }
}

/// Both have used numbers after `common`, and nobody can tell what of either others have read by then. So what was written by these
/// numbers gets new ones, of two new devices, whoever wrote it; and the new records say that the old numbers are used up.
struct Parting {
    let parts: DriveParts
    let memory: JournalMemory
    let branch: JournalBranch
    let common: UInt64
    private var state: any DriveState { parts.state }

    init(parts: DriveParts, memory: JournalMemory, branch: JournalBranch, common: UInt64) {
        (self.parts, self.memory, self.branch, self.common) = (parts, memory, branch, common)
    }

    func run(_ theirs: [UInt64: ItemState]) throws {
        let old = memory.device
        // Numbers stay as they are: where a compaction hides some of the past from one of both, they do not agree on `common`, and
        // one number of a new id would stand for two things.
        let own = Renaming(old: old, new: id(of: branch.ours), published: common, offset: 0)
        let other = Renaming(old: old, new: id(of: branch.theirs), published: common, offset: 0)
        try state.transaction {
            for row in try state.allRows() { try state.save(own.row(row)) }
            var states: [ItemID: ItemState] = [:]
            var before: [ItemID: [ItemState]] = [:]
            for item in try state.allItems() {
                states[item.state.id] = own.state(item.state)
                before[item.state.id] = [item.state]
            }
            for (n, record) in theirs.sorted(by: { $0.key < $1.key }) where n > common {
                let renamed = other.state(record)
                states[record.id] = states[record.id]?.joined(renamed) ?? renamed
                before[record.id, default: []].append(record)
            }
            var numbers = try state.numbers()
            numbers.device = own.new
            let used = max(memory.published, branch.published)
            var group = RecordGroup(records: [])
            for var record in states.values.sorted(by: { $0.id < $1.id })
            where record.context[own.new] > 0 || record.context[other.new] > 0 {
                numbers.last += 1
                record.context[own.new] = numbers.last
                record.context[old] = max(record.context[old], used)
                for earlier in before[record.id] ?? [] { record.joinRegisters(of: earlier) }
                states[record.id] = record
                group.records.append(record)
            }
            try state.setNumbers(numbers)
            var token = try state.token()
            token[old] = used
            try state.setToken(token)
            try parts.goOn(
                as: own.new, states.values.sorted { $0.id < $1.id }, [group], used: memory.published)
        }
    }

    private func id(of parts: [JournalBranch.Part]) -> DeviceID {
        let first = parts.first { $0.reference.high > common }
        return first.map { DeviceID.branch(of: memory.device, from: $0.reference.key) } ?? self.parts.entropy.deviceID()
    }
}

extension ItemState {
    /// Those that others may have joined, and where contents lie: the latest is the same for all then.
    fileprivate mutating func joinRegisters(of earlier: ItemState) {
        if context.covers(earlier.name.tag.dot) { name = name.joined(earlier.name) }
        if context.covers(earlier.placement.tag.dot) { placement = placement.joined(earlier.placement) }
        for (key, register) in earlier.attributes where context.covers(register.tag.dot) {
            attributes[key] = attributes[key]?.joined(register) ?? register
        }
        for head in earlier.heads {
            guard let again = head.content.storedAgain, context.covers(again.dot),
                let place = heads.firstIndex(where: { $0.dot == head.dot })
            else { continue }
            heads[place].content = heads[place].content.joined(head.content)
        }
    }
}

extension [JournalBranch.Part] {
    /// By their numbers, and the greatest number of what is not there, or breaks the format.
    fileprivate func records(of device: DeviceID) throws -> (found: [UInt64: ItemState], missing: UInt64) {
        var found: [UInt64: ItemState] = [:]
        var missing: UInt64 = 0
        for part in self {
            do {
                guard let records = try part.segment?.readableRecords() else {
                    missing = Swift.max(missing, part.reference.high)
                    continue
                }
                for record in records { found[record.context[device]] = record }
            } catch is JournalDamage {
                missing = Swift.max(missing, part.reference.high)
            }
        }
        return (found, missing)
    }
}

/// For the engine's one thread.
final class OwnStrays {
    private(set) var keys: Set<ObjectKey> = []

    func add(_ key: ObjectKey) { keys.insert(key) }
}
