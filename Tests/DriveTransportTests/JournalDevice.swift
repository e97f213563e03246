import DriveCore

@testable import DriveTransport

/// A device reduced to its journal: what it joined, what it has not published, and its memory.
struct JournalDevice {
    let transport: JournalTransport
    var memory: JournalMemory
    var states: [ItemID: ItemState] = [:]
    var seen = DeviceVector()
    var pending: [RecordGroup] = []
    /// Every record that this device ever wrote.
    var written: [ItemState] = []
    private var last: UInt64 = 0
    private var newest: [ItemID: UInt64] = [:]
    private var covered: [ItemID: UInt64] = [:]
    private let entropy: any Entropy

    init(
        _ number: Int, _ store: TestStore, _ info: StoreInfo, entropy: any Entropy,
        rule: CompactionRule = CompactionRule()
    ) {
        let id = entropy.deviceID()
        self.entropy = entropy
        transport = JournalTransport(store.view(number), store: info, device: id, entropy: entropy, compaction: rule)
        memory = JournalMemory(device: id, labels: [DeviceLabel(from: 1, text: "device \(number)")])
    }

    /// A new item, or a new name and content for one that is there.
    mutating func edit(_ item: ItemID?, _ text: String) {
        last += 1
        let dot = Dot(device: memory.device, n: last)
        let time = HybridTime(milliseconds: last)
        let tag = Tag(time: time, dot: dot)
        let content = Content.link(target: Array(text.utf8), modified: FileTime(seconds: 1))
        let id = item ?? entropy.itemID()
        var state =
            states[id]
            ?? ItemState(
                id: id, kind: .link, context: DeviceVector(), name: Register(tag: tag, value: FileName(text)),
                placement: Register(tag: tag, value: Placement(parent: .root, from: .root)), life: [])
        state.context[memory.device] = last
        if tag > state.name.tag { state.name = Register(tag: tag, value: FileName(text)) }
        state.heads = [Head(dot: dot, time: time, content: content)]
        state.life = [LifeDot(dot: dot)]
        states[id] = state
        newest[id] = last
        written.append(state)
        pending.append(RecordGroup(records: [state]))
    }

    /// False where the answer was lost: nothing is known.
    mutating func commit() async throws -> Bool {
        try await recover()
        guard !pending.isEmpty else { return true }
        do {
            memory = try await transport.prepare(pending, through: last, seen: seen, memory: memory)
            memory = try await transport.publish(memory, seen: seen)
        } catch let error where error.kind == .unreachable {
            return false
        }
        pending = []
        return true
    }

    mutating func recover() async throws {
        switch try await transport.recover(memory) {
        case .unchanged: break
        case .adopted(let adopted):
            memory = adopted
            pending.removeAll { $0.records[0].context[memory.device] <= memory.published }
        case .foreign: throw DriveError(.identityChanged, "foreign")
        case .behind: throw DriveError(.identityChanged, "behind")
        }
    }

    @discardableResult
    mutating func fetch() async throws -> FetchOutcome {
        let outcome = try await transport.fetch(since: seen, own: memory.device, only: nil)
        for journal in outcome.journals {
            for segment in journal.segments {
                for record in try segment.records() {
                    states[record.id] = states[record.id]?.joined(record) ?? record
                    covered[record.id] = max(covered[record.id] ?? 0, record.context[memory.device])
                }
            }
            seen[journal.device] = journal.through
        }
        return outcome
    }

    mutating func compact() async throws {
        try await recover()
        guard pending.isEmpty else { return }
        do {
            guard case .prepared(let intended) = try await compacted() else { return }
            memory = intended
            memory = try await transport.publish(memory, seen: seen)
        } catch let error as DriveError where error.kind == .unreachable {
            return
        }
        try await transport.discardReplacedSegments(memory)
    }

    private func compacted() async throws -> CompactOutcome {
        try await transport.compact(memory, seen: seen) { item, n in
            newest[item] == n && covered[item, default: 0] < n
        }
    }
}

extension [ItemState] {
    var joinedStates: [ItemID: ItemState] {
        reduce(into: [:]) { result, record in result[record.id] = result[record.id]?.joined(record) ?? record }
    }
}
