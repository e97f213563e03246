import DriveCore

// Looking after the store, once a day.
extension DriveEngine {
    private static let doneKey = "upkeep-done"

    /// Where it is due. What is wrong with single objects is not for now: `store check` names it.
    func upkeepIfDue() async throws {
        guard parts.transport != nil else { return }
        let now = parts.clock.milliseconds()
        if let nextUpkeep, now < nextUpkeep, nextUpkeep - now <= parts.options.collection.interval { return }
        let done = try parts.state.setting(Self.doneKey).map { try Milliseconds.decode($0) }
        // A clock that was put back is no reason to wait for years.
        if let done, done <= now, now - done < parts.options.collection.interval {
            nextUpkeep = done + parts.options.collection.interval
            return
        }
        do { try await upkeep(isFirst: done == nil) } catch let error as DriveError where error.remedy == .skip {}
        try parts.state.transaction { try parts.state.setSetting(Milliseconds.encode(now), Self.doneKey) }
        nextUpkeep = now + parts.options.collection.interval
    }

    /// Checks that the store has what this device needs, answers what others would remove, and removes what nobody needs.
    package func upkeep() async throws { try await upkeep(isFirst: false) }

    /// The first time, where nobody else has published, everything went to the store a moment ago.
    private func upkeep(isFirst: Bool) async throws {
        guard let transport = parts.transport else { return }
        let stored = try await transport.contentObjects()
        let used = try UsedObjects(ContentUse(parts.state))
        if try !isFirst || !parts.state.token().entries.isEmpty {
            try ContentOffer(parts: parts).check(used, against: stored, lossDelay: parts.options.collection.lossDelay)
        }
        let standings = try await othersStandings(transport)
        try await answer(standings, transport)
        if parts.options.collection.collects {
            _ = try await collector(transport, parts.options.collection)
                .turn(standings, stored: stored, used: used, isTrial: false)
        }
        _ = try await removeUnfinishedUploads()
    }

    /// How the journals of the others stand. An own head that a crash has torn is put anew: nobody can tell it from one
    /// that is still on its way.
    func othersStandings(
        _ transport: any Transport, isTrial: Bool = false
    ) async throws -> [JournalStanding] {
        try await makeSure()
        let standings = try await transport.standings()
        let own = try parts.state.journal().device
        if !isTrial, standings.contains(where: { $0.device == own && $0.note == nil }) { try await renewHead() }
        if !isTrial { try await reviewForgotten(standings) }
        let others = standings.filter { $0.device != own }
        try learnNames(of: others)
        return others
    }

    /// Of a device that has published no record, or none since it was renamed, its head is all that tells what it is called.
    private func learnNames(of journals: [JournalStanding]) throws {
        var labels = try parts.state.labels()
        // There is one more after each renaming.
        let new = journals.filter { $0.labels.count > labels[$0.device].count }
        guard !new.isEmpty else { return }
        for journal in new { labels[journal.device] = journal.labels }
        try parts.state.transaction {
            var maintenance = ViewMaintenance(parts.state)
            try maintenance.setLabels(labels)
        }
    }

    /// Says what this device needs of what others would remove.
    private func answer(_ standings: [JournalStanding], _ transport: any Transport) async throws {
        if try await CollectionAnswers(parts: parts, transport: transport).update(standings) { try await renewHead() }
    }

    private func collector(_ transport: any Transport, _ rule: CollectionRule) -> Collector {
        Collector(parts: parts, transport: transport, rule: rule) { try await self.renewHead() }
    }

    /// Takes the own collection a step further: `docdrive store gc`. With `isTrial`, only tells what it would do.
    public func collect(olderThan age: UInt64? = nil, isTrial: Bool = false) async throws -> CollectionOutcome {
        guard let transport = parts.transport else { throw Self.noStore }
        var rule = parts.options.collection
        if let age { rule.age = age }
        let standings = try await othersStandings(transport, isTrial: isTrial)
        if !isTrial { try await answer(standings, transport) }
        return try await collector(transport, rule)
            .turn(
                standings, stored: try await transport.contentObjects(),
                used: try UsedObjects(ContentUse(parts.state)), isTrial: isTrial)
    }
}
