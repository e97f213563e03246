public import DriveCore

/// What became of the own collection in one turn.
public enum CollectionOutcome: Hashable, Sendable {
    /// Nothing is old enough to go, at the earliest `until`.
    case nothing(unneeded: Size, until: UInt64?)
    /// Journals of these devices could not be read to their end.
    case unread([DeviceID])
    case othersTurn(DeviceID)
    case announced(Size, until: UInt64)
    case waiting(Size, until: UInt64, for: [DeviceID])
    case removed(Size)

    /// Where times are of another clock: theirs, with what is to be added.
    func adding(_ difference: UInt64) -> CollectionOutcome {
        switch self {
        case .nothing(let size, let until): .nothing(unneeded: size, until: until.map { $0 &+ difference })
        case .announced(let size, let until): .announced(size, until: until &+ difference)
        case .waiting(let size, let until, let devices): .waiting(size, until: until &+ difference, for: devices)
        case .unread, .othersTurn, .removed: self
        }
    }

    /// Objects, and what they take on the store.
    public struct Size: Hashable, Sendable {
        public var objects: Int
        public var bytes: UInt64

        public init(objects: Int = 0, bytes: UInt64 = 0) {
            self.objects = objects
            self.bytes = bytes
        }
    }
}

/// Removes contents from the store that nobody needs any more, in two steps: the device announces what it would remove,
/// every other device says which of it it needs, and only then the rest goes. See docs/format.md, "Collection".
struct Collector {
    let parts: DriveParts
    let transport: any Transport
    let rule: CollectionRule
    /// Puts a head with the note that the journal's memory holds now.
    let renewHead: () async throws -> Void

    /// One turn; `isTrial` only tells what it would do.
    func turn(
        _ standings: [JournalStanding], stored: [ObjectKey: UInt64], used: UsedObjects, isTrial: Bool
    ) async throws -> CollectionOutcome {
        // Once something is gone, it is gone on all devices: a clock that is wrong for a moment must not do that.
        let clock = parts.clock.milliseconds()
        let now = try parts.state.lookAtClock(clock)
        let needed = try await used.all(on: transport).union(UnfinishedUploads(parts: parts).objects())
        var memory = try CollectionMemory.load(from: parts.state)
        memory.note(unneeded: stored.keys.filter { !needed.contains($0) }, at: now)
        memory.note(others: standings, at: now)
        let journal = try parts.state.journal()
        var token = try parts.state.token()
        token[journal.device] = 0
        memory.note(listed: standings, token: token, at: now)
        let plan = CollectionPlan(
            own: journal.device, note: journal.collection, memory: memory, journals: standings, token: token,
            rule: rule, now: now)
        let step = Step(plan: plan, memory: memory, needed: needed, stored: stored, now: now)
        let outcome = try await isTrial ? foretell(step) : take(step)
        return outcome.adding(clock &- now)
    }

    struct Step {
        var plan: CollectionPlan
        var memory: CollectionMemory
        var needed: Set<ObjectKey>
        var stored: [ObjectKey: UInt64]
        var now: UInt64

        func size(of objects: some Sequence<ObjectKey>) -> CollectionOutcome.Size {
            var size = CollectionOutcome.Size()
            for key in objects {
                guard let bytes = stored[key] else { continue }
                size.objects += 1
                size.bytes = size.bytes.addingClamped(bytes)
            }
            return size
        }
    }

    private func foretell(_ step: Step) async throws -> CollectionOutcome {
        switch step.plan {
        case .announce(let objects): return .announced(step.size(of: objects), until: step.now + rule.grace)
        case .remove(let kept, _): return .removed(step.size(of: try await removable(step, kept: kept)))
        default: return try await rest(step)
        }
    }

    private func take(_ step: Step) async throws -> CollectionOutcome {
        switch step.plan {
        case .announce(let objects): return try await announce(objects, step)
        case .remove(let kept, let silent): return try await remove(kept: kept, silent: silent, step)
        default:
            try parts.state.transaction { try step.memory.save(to: parts.state) }
            return try await rest(step)
        }
    }

    /// Outcomes that change nothing in the store.
    private func rest(_ step: Step) async throws -> CollectionOutcome {
        switch step.plan {
        case .unread(let devices): return .unread(devices)
        case .othersTurn(let device): return .othersTurn(device)
        case .wait(let until, let devices):
            return .waiting(step.size(of: try await ownNotice()?.objects ?? []), until: until, for: devices)
        case .nothing(let until): return .nothing(unneeded: step.size(of: step.memory.unneeded.keys), until: until)
        case .announce, .remove: return .nothing(unneeded: step.size(of: []), until: nil)
        }
    }

    private func announce(_ objects: [ObjectKey], _ step: Step) async throws -> CollectionOutcome {
        var journal = try parts.state.journal()
        var basis = try parts.state.token()
        basis[journal.device] = journal.published
        let notice = CollectionNotice(
            device: journal.device, nonce: parts.entropy.next(), basis: basis, objects: objects)
        let reference = try await transport.store(notice)
        journal.collection.open = reference
        var memory = step.memory
        memory.announced = step.now
        try parts.state.transaction {
            try parts.state.setJournal(journal)
            try memory.save(to: parts.state)
        }
        try await renewHead()
        return .announced(step.size(of: objects), until: step.now + rule.grace)
    }

    private func ownNotice() async throws -> CollectionNotice? {
        let journal = try parts.state.journal()
        guard let open = journal.collection.open else { return nil }
        return try await transport.notice(of: journal.device, open)
    }

    /// Everything is looked at once more with what the others have answered, and published together with it.
    private func removable(_ step: Step, kept: Set<Int>) async throws -> [ObjectKey] {
        let objects = try await ownNotice()?.objects ?? []
        return objects.indices.filter { !kept.contains($0) && !step.needed.contains(objects[$0]) }.map { objects[$0] }
    }

    private func remove(
        kept: Set<Int>, silent: [ForgottenDevice], _ step: Step
    ) async throws -> CollectionOutcome {
        let objects = try await removable(step, kept: kept)
        try parts.state.transaction { try parts.state.forgetUploaded(in: Set(objects)) }
        try await transport.remove(objects)
        var memory = step.memory
        memory.announced = nil
        for key in objects { memory.unneeded[key] = nil }
        try parts.state.transaction {
            var journal = try parts.state.journal()
            journal.collection.open = nil
            journal.collection.forget(silent)
            try parts.state.setJournal(journal)
            try LeftContents.note(Set(objects), .removed, in: parts.state)
            try memory.save(to: parts.state)
        }
        try await renewHead()
        try await transport.removeNotices(of: try parts.state.journal().device, but: nil)
        return .removed(step.size(of: objects))
    }
}
