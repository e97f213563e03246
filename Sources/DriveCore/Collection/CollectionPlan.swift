/// What a device remembers of its own collections.
public struct CollectionMemory: Hashable, Sendable {
    /// Since when an object was seen unneeded, by the time that has been seen pass (`SeenTime`).
    public var unneeded: [ObjectKey: UInt64] = [:]
    /// When the open collection was announced.
    public var announced: UInt64?
    /// The collections of others that are under way, by their numbers, and when each was first seen.
    public var others: [UInt64: UInt64] = [:]
    /// Devices that had a head at some time.
    public var known: Set<DeviceID> = []
    /// Those of them that have none now, and since when: where removals are seen before what replaces them, a device
    /// can be without a head for a while.
    public var gone: [DeviceID: UInt64] = [:]

    public init() {}

    /// What is needed again has to be unneeded for as long again.
    public mutating func note(unneeded objects: some Sequence<ObjectKey>, at now: UInt64) {
        let noted = objects.sorted().prefix(CollectionNotice.maximumObjects)
        unneeded = Dictionary(uniqueKeysWithValues: noted.map { ($0, unneeded[$0] ?? now) })
    }

    /// Whether it was seen unneeded for so long that it may go once nobody says that it is needed. A clock that was put back makes
    /// nothing older.
    func isOld(_ object: ObjectKey, _ rule: CollectionRule, now: UInt64) -> Bool {
        unneeded[object].map { $0 <= now && now - $0 >= rule.age } ?? false
    }

    /// The same of a content, a part of which is enough: where the store has lost that, nobody gets the rest.
    public func isOld(_ content: Content, _ rule: CollectionRule, now: UInt64) -> Bool {
        content.namedChunks.contains { isOld($0.object, rule, now: now) }
    }

    /// `token` is what is joined of all devices but the own.
    public mutating func note(listed journals: [JournalStanding], token: DeviceVector, at now: UInt64) {
        let listed = Set(journals.map(\.device))
        known.formUnion(listed)
        known.formUnion(token.entries.map(\.device))
        let missing = known.subtracting(listed)
        gone = Dictionary(uniqueKeysWithValues: missing.map { ($0, gone[$0] ?? now) })
    }

    public mutating func note(others journals: [JournalStanding], at now: UInt64) {
        let open = Set(journals.compactMap { $0.note?.open?.nonce })
        others = Dictionary(uniqueKeysWithValues: open.map { ($0, others[$0] ?? now) })
    }
}

/// A device's journal as its newest head shows it, for deciding about a collection.
public struct JournalStanding: Hashable, Sendable {
    public var device: DeviceID
    /// The key of the newest head.
    public var head: ObjectKey
    public var published: UInt64
    /// Nil where the newest head is torn, damaged or not there yet.
    public var note: CollectionNote?
    public var labels: [DeviceLabel]

    public init(
        device: DeviceID, head: ObjectKey, published: UInt64, note: CollectionNote?, labels: [DeviceLabel] = []
    ) {
        self.device = device
        self.head = head
        self.published = published
        self.note = note
        self.labels = labels
    }
}

/// What to do about the own collection now. Pure: everything it depends on is given.
public enum CollectionPlan: Hashable, Sendable {
    /// Nothing is old enough; at the earliest then, if there is anything at all.
    case nothing(until: UInt64?)
    /// Journals that are not read to their end: what they need is unknown.
    case unread([DeviceID])
    /// Somebody else's collection is under way; one at a time is enough.
    case othersTurn(DeviceID)
    case announce([ObjectKey])
    /// Not before this time, and not before these have answered.
    case wait(until: UInt64, for: [DeviceID])
    /// Everybody has answered: all but what somebody keeps can go. With those that did not answer in time: as they are
    /// forgotten from now on, no other device waits for them as long once more.
    case remove(kept: Set<Int>, silent: [ForgottenDevice])
}

extension CollectionMemory {
    /// Who started it may never come back.
    fileprivate func isUnderWay(_ open: CollectionReference?, _ rule: CollectionRule, _ now: UInt64) -> Bool {
        guard let open, let since = others[open.nonce] else { return false }
        return since > now || now - since < rule.patience
    }
}

extension CollectionPlan {
    /// `journals` are those of all other devices that are in the store, `token` what is joined of them. `note` is the own one.
    public init(
        own device: DeviceID, note: CollectionNote, memory: CollectionMemory, journals: [JournalStanding],
        token: DeviceVector, rule: CollectionRule, now: UInt64
    ) {
        let gone = memory.gone.filter { $0.value > now || now - $0.value < rule.patience }.keys
        let unread =
            journals.filter { $0.note == nil || $0.published != token[$0.device] }.map(\.device)
            + gone.filter { !note.forgotten.contains($0) }.sorted()
        guard unread.isEmpty else {
            self = .unread(unread)
            return
        }
        if let open = note.open {
            let answers = Answers(to: open, of: device, in: journals, forgotten: note.forgotten)
            self = Self.progress(answers, announced: min(memory.announced ?? now, now), rule, now)
        } else if let other = journals.first(where: { memory.isUnderWay($0.note?.open, rule, now) }) {
            self = .othersTurn(other.device)
        } else {
            self = Self.start(memory, rule, now)
        }
    }

    private static func start(_ memory: CollectionMemory, _ rule: CollectionRule, _ now: UInt64) -> CollectionPlan {
        let old = memory.unneeded.keys.filter { memory.isOld($0, rule, now: now) }
        if old.isEmpty { return .nothing(until: memory.unneeded.values.min().map { $0 + rule.age }) }
        return .announce(Array(old.sorted().prefix(CollectionNotice.maximumObjects)))
    }

    private static func progress(
        _ answers: Answers, announced: UInt64, _ rule: CollectionRule, _ now: UInt64
    ) -> CollectionPlan {
        let missing = answers.missing
        if now - announced < rule.grace { return .wait(until: announced + rule.grace, for: missing.map(\.device)) }
        let end = announced + rule.patience
        if !missing.isEmpty && now < end { return .wait(until: end, for: missing.map(\.device)) }
        return .remove(kept: answers.kept, silent: missing)
    }

    /// What others said about an open collection.
    private struct Answers {
        var kept: Set<Int> = []
        /// Who has not answered and is waited for, with its newest head.
        var missing: [ForgottenDevice] = []

        init(
            to open: CollectionReference, of device: DeviceID, in journals: [JournalStanding],
            forgotten: [ForgottenDevice]
        ) {
            for journal in journals {
                if let answer = journal.note?.answer(to: device, open.nonce) {
                    kept.formUnion(answer.kept)
                } else {
                    let silent = ForgottenDevice(journal.device, head: journal.head)
                    if !forgotten.contains(silent) { missing.append(silent) }
                }
            }
        }
    }
}
