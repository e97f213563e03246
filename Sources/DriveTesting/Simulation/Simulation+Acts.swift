import DriveCore
import FileCoordination

// Acts of people, with the promises that are theirs.
extension Simulation {
    func performAct(_ step: PlannedStep, seed: UInt64, _ site: Site) async throws {
        guard let device = site.device as? EngineDevice, device.acts != nil else { return }
        if site.isDead { try await revive(site) }
        var generator = SeededGenerator(seed: seed)
        let roll = generator.below(100)
        // Only what a look has just seen is told apart from what the act does.
        if roll < 60 { try await look(site) }
        guard let chosen = try device.choose(&generator) else { return }
        note(step)
        let before = try ActMoment(device)
        let happened = try await carryOut(chosen, step, before, device, site)
        let isAlone = !happened.contains { $0.event.isOfPerson || $0.event.isPowerCut } && !before.isUnsure
        guard isAlone, !chosen.takesForGood else { return }
        // What no date told of before comes to light with the next look.
        if !happened.isEmpty, plan.acts.contains(.editSilently) { return }
        if roll < 40 {
            try await checkReversal(of: chosen, before, device, site, isWhole: happened.isEmpty)
        } else if roll < 60, happened.isEmpty {
            try await checkEnd(of: chosen, device, site)
        }
    }

    /// Programs have closed what they had open: of a file that was not read nobody knows what an act finds.
    private func look(_ site: Site) async throws {
        site.setup.openFiles?.close()
        defer { site.setup.openFiles?.open() }
        do { try await perform(.scan, site) } catch let error as DriveError where error.kind == .temporary {}
    }

    /// Returns what came between.
    private func carryOut(
        _ chosen: ChosenAct, _ step: PlannedStep?, _ before: ActMoment, _ device: EngineDevice, _ site: Site
    ) async throws -> [Interruption] {
        report.trace.note("    \(site.setup.number) \(chosen.act)")
        history.acts += 1
        site.isDirty = true
        history.noteMeant(chosen.meant)
        lastOutcomes = []
        try await interrupting(step, site) {
            do { lastOutcomes = try await device.perform(chosen.act) } catch let error as DriveError
                where error.kind == .usage || error.kind == .needsDecision
            {
                report.trace.note("    refused: \(error)")
            }
        }
        for outcome in lastOutcomes { report.trace.note("    \(outcome.line)") }
        let happened = site.interrupter?.happened ?? []
        if lastOutcomes.contains(where: \.isDone) { report.faults[chosen.name, default: 0] += 1 }
        let after = try ActMoment(device)
        try noteAct(chosen, before, after, happened, device, site)
        noteCopies(site)
        return happened
    }

    private func noteAct(
        _ chosen: ChosenAct, _ before: ActMoment, _ after: ActMoment, _ happened: [Interruption],
        _ device: EngineDevice, _ site: Site
    ) throws {
        let (acts, announced) = try before.since(device.state)
        let isDisturbed = happened.contains { $0.event.isOfPerson }
        if let mayTake = chosen.mayTake, !isDisturbed, let other = announced.subtracting(mayTake).first {
            throw InvariantViolation(
                .nothingAsked, "\(device.label) was to take \(history.bodies(of: [other])), which nobody asked for")
        }
        let events = try acts.flatMap { try device.state.events(of: $0.id) }
        history.noteTaken(announced, on: site.setup.number)
        let taken = events.filter { [.trashed, .edited].contains($0.kind) }.compactMap(\.before)
        history.noteTaken(Set(taken), on: site.setup.number)
        let isLasting = !site.setup.rule.isInForce && !happened.contains { $0.event.isPowerCut }
        history.noteAct(
            before, after, on: site.setup.number, mayMerge: chosen.mayMerge,
            shown: isLasting ? history.bodies(of: try device.shownContents()) : nil)
        if happened.contains(where: { $0.event.isPowerCut }) { return }
        let had = chosen.takesForGood ? before.live : before.kept
        for body in had.subtracting(after.kept).sorted() where !isDisturbed || !history.excused.contains(body) {
            throw InvariantViolation(.nothingLost, "\(body) was on \(device.label) before an act, and is not after it")
        }
        if happened.isEmpty, !before.isUnsure, acts.count > 1 {
            throw InvariantViolation(.reversible, "an act of \(device.label) is \(acts.count) operations")
        }
    }

    /// What one act did, also one that was killed, another one undoes.
    private func checkReversal(
        of chosen: ChosenAct, _ before: ActMoment, _ device: EngineDevice, _ site: Site, isWhole: Bool
    ) async throws {
        if !isWhole {
            site.isDead = true
            try await revive(site)
            try await look(site)
        }
        let made = try device.state.operations(limit: 50).filter { $0.id > before.lastOperation && $0.kind != .sync }
        let done = try ActMoment(device)
        guard !made.isEmpty else {
            if let difference = before.difference(done, mayHaveMore: !isWhole) {
                throw InvariantViolation(.reversible, "an act is no operation: \(difference)")
            }
            return
        }
        report.faults["acts undone at once", default: 0] += 1
        let undo = ChosenAct(act: .undo(operations: made.map(\.id), device: nil))
        _ = try await carryOut(undo, nil, done, device, site)
        let now = try ActMoment(device)
        // Of what one act put back and took again, and was killed, only the taking is known.
        if let difference = before.difference(now, mayHaveMore: !isWhole) {
            throw InvariantViolation(.reversible, "an act was undone on \(device.label): \(difference)")
        }
        guard isWhole, !chosen.mayKeep else { return }
        for (path, attributes) in before.attributes.sorted(by: { $0.key < $1.key })
        where now.attributes[path] != attributes {
            throw InvariantViolation(.reversible, "the attributes of \(path) are not back on \(device.label)")
        }
    }

    /// Conflicts that were ended are over with the next look.
    private func checkEnd(of chosen: ChosenAct, _ device: EngineDevice, _ site: Site) async throws {
        guard !chosen.resolvedIDs.isEmpty, lastOutcomes.allSatisfy(\.isDone) else { return }
        try await look(site)
        if let id = try device.standingConflicts().intersection(chosen.resolvedIDs).first, !id.hasSuffix("-deleted") {
            throw InvariantViolation(.reversible, "conflict \(id) was resolved on \(device.label), and stands")
        }
    }
}

extension Interruption.Event {
    fileprivate var isOfPerson: Bool { if case .user = self { true } else { false } }
    fileprivate var isPowerCut: Bool { if case .cutPower = self { true } else { false } }
}
