import DriveCore

extension DriveParts {
    /// Publishes what is pending: segments, then the head, which is the commit point. Of how many segments the journal then
    /// consists; nil where nothing was pending and no head is due. What names bytes that the store does not take waits.
    func publishPending() async throws -> Int? {
        guard let transport else { return nil }
        guard try !state.pendingGroups().isEmpty || state.isHeadDue() else {
            if let unsent { try await UnsentSending(parts: self, unsent: unsent, transport: transport).runAlone() }
            return nil
        }
        return try await publish(transport, evenNothing: state.isHeadDue())
    }

    /// Publishes what is pending, or where nothing is, the journal as it stands under a new head.
    func renewHead() async throws {
        if let transport { _ = try await publish(transport, evenNothing: true) }
    }

    private func publish(_ transport: any Transport, evenNothing: Bool) async throws -> Int? {
        var ready = UnsentSending.Outcome(groups: try state.pendingGroups(), through: try state.numbers().last)
        if let unsent {
            ready = try await UnsentSending(parts: self, unsent: unsent, transport: transport).run(ready.groups)
        }
        // What is left out for good does not wait either.
        guard try !ready.groups.isEmpty || evenNothing || ready.through > state.journal().published else {
            unsent?.settle()
            if let lack = ready.lack { throw lack }
            return nil
        }
        let seen = try state.token()
        var memory = try await transport.prepare(
            ready.groups, through: ready.through, seen: seen, memory: try state.journal())
        // Written down before it is put: if the answer is lost, the name tells whether it arrived.
        try state.transaction { try state.setJournal(memory) }
        memory = try await transport.publish(memory, seen: seen)
        try keep(memory)
        // Not before: what was sent is lost with the index as long as no record names it.
        unsent?.settle()
        try state.headIsPut()
        if let lack = ready.lack { throw lack }
        return memory.segments.count
    }

    /// The journal is as the memory says; what it has published is not pending any more.
    func keep(_ memory: JournalMemory) throws {
        // Lost, the name that was written down tells that the head arrived.
        try state.transaction(isDurable: false) {
            try state.setJournal(memory)
            try state.removePending(through: memory.published)
        }
    }

    /// Finds out what became of the last answer, and whether this is still the only device of its name.
    /// True where the device had to fork.
    func recoverJournal() async throws -> Bool {
        guard let transport else { return false }
        switch try await transport.recover(try state.journal()) {
        case .unchanged: return false
        case .adopted(let memory):
            try keep(memory)
            return try await recoverJournal()
        case .foreign:
            if try await !partFromCopy() { try fork() }
            return true
        case .behind(let memory):
            try offerAgain(memory)
            return false
        }
    }

    /// The store was swapped, emptied or rolled back: nothing is inferred from what it lacks, and everything that is
    /// known here is offered again.
    private func offerAgain(_ memory: JournalMemory) throws {
        try state.transaction {
            var memory = memory
            // Others may have seen all of it: the numbers go on from there, and what they saw is no sign of a clone.
            memory.published = max(memory.published, try state.journal().published)
            // What was announced and answered is of a time that the store has forgotten.
            memory.collection = .none
            try state.setJournal(memory)
            try state.setToken(DeviceVector())
            try LeftContents.noteLoss(in: state)
            try offerAll("The store has less than this device had published; everything known here is offered again.")
        }
    }

    /// Publishes all that is known once more, and has the next scan look for contents that the store lacks.
    /// Within the caller's transaction.
    func offerAll(_ note: String) throws {
        try state.setPending([])
        if let group = try renumbered(state.allItems().map(\.id)) {
            try state.setPending([group])
            try noteOwn(group, try state.numbers().device, isCovered: false)
        }
        try ContentOffer(parts: self).wish()
        try log(DriveEvent(time: clock.milliseconds(), kind: .recovered, path: .root, note: note))
    }

    /// What is known of these as records of this device that change nothing. Within the caller's transaction.
    func renumbered(_ items: [ItemID]) throws -> RecordGroup? {
        var numbers = try state.numbers()
        var states = try items.sorted().compactMap { try state.item($0)?.state }
        if states.isEmpty { return nil }
        for place in states.indices {
            numbers.last += 1
            states[place].context[numbers.device] = numbers.last
        }
        try state.setNumbers(numbers)
        var maintenance = ViewMaintenance(state)
        try maintenance.put(states)
        return RecordGroup(records: states)
    }

    /// Rewrites the own log where that pays; only with nothing pending.
    func compact() async throws {
        guard let transport, try state.pendingGroups().isEmpty else { return }
        let seen = try state.token()
        let outcome = try await transport.compact(try state.journal(), seen: seen) { item, n in
            guard let own = try state.ownRecord(of: item) else { return false }
            return own.n == n && own.isNeeded
        }
        switch outcome {
        case .unneeded: return
        case .damaged(let segments):
            try replace(segments)
            _ = try await publish(transport, evenNothing: true)
        case .prepared(let prepared): try await put(prepared, seen, transport)
        }
    }

    private func put(_ prepared: JournalMemory, _ seen: DeviceVector, _ transport: any Transport) async throws {
        report(.phase(.compact))
        try state.transaction { try state.setJournal(prepared) }
        let memory = try await transport.publish(prepared, seen: seen)
        try keep(memory)
        // It stands. What cannot be removed now is tried again with each head.
        do { try await transport.discardReplacedSegments(memory) } catch {}
    }

    /// The next head does not name these segments, and what they told is published with it once more: others read nothing of a
    /// device that comes after what they cannot read.
    private func replace(_ segments: [SegmentReference]) throws {
        let keys = Set(segments.map(\.key))
        try state.transaction {
            var memory = try state.journal()
            memory.segments.removeAll { keys.contains($0.key) }
            try state.setJournal(memory)
            let told = try state.allItems().map(\.id).filter { id in
                guard let own = try state.ownRecord(of: id), own.isNeeded else { return false }
                return segments.contains { $0.low <= own.n && own.n <= $0.high }
            }
            if let group = try renumbered(told) {
                try state.setPending([group])
                try noteOwn(group, try state.numbers().device)
            }
            try log(
                DriveEvent(
                    time: clock.milliseconds(), kind: .recovered, path: .root,
                    note: "A part of this device's journal was damaged in the store; what it told is published again."))
        }
    }

    func noteOwn(_ group: RecordGroup, _ device: DeviceID, isCovered: Bool = true) throws {
        for record in group.records {
            let covered = isCovered ? try state.ownRecord(of: record.id)?.covered ?? 0 : 0
            try state.setOwnRecord(OwnRecord(n: record.context[device], covered: covered), of: record.id)
        }
    }
}
