import DriveCore
import DriveFiles
import FileCoordination

/// The passes of one drive.
struct DrivePass: WatchPass {
    let drive: Drive
    let announcements: Announcements
    let documents: DocumentFeed

    func run(
        _ work: WatchSchedule.Work, _ engine: DriveEngine,
        secondLook: @escaping @Sendable () async -> TouchedPaths?
    ) async throws -> WatchPassOutcome {
        try await drive.patience.passing { try await runPass(work, engine, secondLook) }
    }

    private func runPass(
        _ work: WatchSchedule.Work, _ engine: DriveEngine,
        _ secondLook: @escaping @Sendable () async -> TouchedPaths?
    ) async throws -> WatchPassOutcome {
        documents.gate.begin()
        var changedNothing = false
        defer { documents.passEnded(changedNothing: changedNothing) }
        if let pause = try engine.pause() {
            var outcome = try await lookPaused(work, engine, secondLook)
            outcome.pause = pause
            return outcome
        }
        do {
            let outcome = try await runWhole(work, engine, secondLook)
            // A look at everything also comes first, and then there is what nobody has read before.
            changedNothing = !outcome.didSomething && !work.scansEverything
            // A look at the folder alone says nothing of the store, where there is one.
            if work.fetches || engine.parts.transport == nil { try engine.forgetTrouble() }
            return outcome
        } catch {
            drive.confirmation.doubt()
            note(error, engine)
            throw error
        }
    }

    /// With another store in the settings whoever watches begins anew, and nobody has anything to do.
    private func note(_ error: any Error, _ engine: DriveEngine) {
        if (try? drive.settledStore.isOther) != true { engine.note(error) }
    }

    /// Takes up what people changed; its bytes wait here until they may be sent.
    private func lookPaused(
        _ work: WatchSchedule.Work, _ engine: DriveEngine,
        _ secondLook: @escaping @Sendable () async -> TouchedPaths?
    ) async throws -> WatchPassOutcome {
        guard try engine.wasAtStore else { return WatchPassOutcome(didSomething: false, looksAgain: false) }
        return try await lookHolding(work, engine, secondLook)
    }

    /// Takes up what people changed, and keeps its bytes here until they may be sent: what is written where the store was may
    /// be gone when it is back.
    private func lookHolding(
        _ work: WatchSchedule.Work, _ engine: DriveEngine,
        _ secondLook: @escaping @Sendable () async -> TouchedPaths?, longest: UInt64 = .max
    ) async throws -> WatchPassOutcome {
        try await drive.holding(engine, evenSo: true, longest: longest) {
            if work.scans { try await drive.ignoring.refresh(engine) }
            return try await engine.look(work, secondLook: secondLook)
        }
    }

    private func runWhole(
        _ work: WatchSchedule.Work, _ engine: DriveEngine,
        _ secondLook: @escaping @Sendable () async -> TouchedPaths?
    ) async throws -> WatchPassOutcome {
        if try engine.isBeforeJoin {
            let summary = try await sync(engine)
            return WatchPassOutcome(didSomething: true, looksAgain: summary.isUnsettled)
        }
        do { try await drive.confirmStore() } catch {
            // What people have changed is taken up all the same.
            if work.scans { _ = try await lookHolding(work, engine, secondLook) }
            throw error
        }
        if work.scans { try await drive.ignoring.refresh(engine) }
        if work.tidies { try engine.expire() }
        var outcome: WatchPassOutcome
        do { outcome = try await engine.perform(work, secondLook: secondLook) } catch {
            if let longest = engine.longestToKeep(after: error) {
                _ = try await lookHolding(work, engine, secondLook, longest: longest)
            }
            throw error
        }
        drive.ignoring.keep(in: engine.parts.state)
        // Emptied, rolled back, or another's.
        if engine.missesOwnHeads { drive.confirmation.doubt() }
        // Also after a pass with nothing to do: a conflict may be older than it, and its handler could not answer then.
        if try await engine.handleConflicts(drive.conflictHandler, in: drive.folder) {
            outcome.didSomething = true
            outcome.looksAgain = true
            outcome.touched = TouchedNames()
        }
        if outcome.didSomething { announcements.tell(.worked) }
        try tellOfWhatStands(engine)
        // From here on the watcher says where to look.
        if work.scansEverything {
            try engine.parts.state.releaseMemory()
            HeapMemory.giveBack()
        }
        return outcome
    }

    func look(
        _ work: WatchSchedule.Work, _ engine: DriveEngine,
        secondLook: @escaping @Sendable () async -> TouchedPaths?
    ) async throws -> WatchPassOutcome {
        engine.readRestless()
        if try engine.isBeforeJoin { return try await run(work, engine, secondLook: secondLook) }
        documents.gate.begin()
        defer { documents.passEnded() }
        if try engine.pause() != nil { return try await lookPaused(work, engine, secondLook) }
        do {
            do { try await drive.confirmStore() } catch { return try await lookHolding(work, engine, secondLook) }
            try await drive.ignoring.refresh(engine)
            do { return try await engine.look(work, secondLook: secondLook) } catch {
                // The next pass says what is wrong with the store.
                guard let longest = engine.longestToKeep(after: error) else { throw error }
                return try await lookHolding(work, engine, secondLook, longest: longest)
            }
        } catch {
            engine.note(error)
            throw error
        }
    }

    func sync(_ engine: DriveEngine, isHurried: Bool = true) async throws -> SyncSummary {
        documents.gate.begin()
        defer { documents.passEnded() }
        let summary: SyncSummary
        do {
            do { try await drive.checkStore() } catch {
                await drive.recordWithoutStore(engine, after: error)
                throw error
            }
            summary = try await drive.patience.hurrying(isHurried) {
                try await drive.recording(engine) { try await drive.syncAsking(engine) }
            }
            try engine.forgetTrouble()
        } catch {
            note(error, engine)
            throw error
        }
        announcements.tell(.worked)
        try tellOfWhatStands(engine)
        return summary
    }

    /// What goes on only when somebody does something.
    private func tellOfWhatStands(_ engine: DriveEngine) throws {
        let state = engine.parts.state
        announcements.hold(try state.heldRowCount() + HeldDeletes(state).incoming().count)
        announcements.note(try state.problems())
    }

    /// What says which store it is, is missing or damaged: another device may put it back, and a server may have lost sight of it
    /// for a moment.
    func waitsOut(_ error: DriveError) -> Bool {
        error.kind == .corrupt && error.path != nil && error.path == drive.access?.address.text
    }

    func waits(for error: DriveError) { announcements.tell(.waiting(error)) }

    func goesOn(after trouble: DriveError.Kind) { announcements.tell(.goesOn(trouble)) }
}
