import DriveCore
import FileCoordination

/// What acts of people do to a drive, whoever has its engine: a `Drive`, or a simulated device that nobody else uses.
package struct EngineActs: Sendable {
    package init() {}

    /// Does one, without waiting for anybody who uses its items. Throws `usage` for acts on the store and the settings.
    package func outcomes(of act: DriveAct, by engine: DriveEngine) async throws -> [ActOutcome] {
        try await begin(engine)
        if let planned = try plan(act, engine.parts) { return try await planned.run().0 }
        switch act {
        case .emptyTrash(let names): return try TrashActs(engine.parts).empty(names)
        default: throw DriveError(.usage, "this act needs more than an engine")
        }
    }

    /// What comes before every act, which is an operation of its own: one that was killed is settled first. What the others
    /// learn of goes by the rules as they are now; where they cannot be read, those that are known count.
    func begin(
        _ engine: DriveEngine, look: (DriveEngine) async throws -> Void = { _ = try await $0.scan() }
    ) async throws {
        try await engine.settleActs(look)
        engine.parts.operations.begin()
        _ = try? await engine.parts.options.rereadRules(engine)
    }

    /// Nil for what changes no item that somebody may use.
    func plan(_ act: DriveAct, _ parts: DriveParts) throws -> PlannedAct<[ActOutcome]>? {
        switch act {
        case .restoreTrash(let names): try RestoreActs(parts).restore(trashed: names)
        case .undoCleaning(let names): try RestoreActs(parts).restore(trashed: names, isUndo: true)
        case .resolve(let ids, let how): try ConflictActs(parts).resolve(ids, how)
        case .undo(let operations, let device): try UndoActs(parts).undo(operations, device: device)
        case .restore(let contents): try RestoreActs(parts).restore(contents)
        case .clean(let copies): try DriveCleaning(parts).clean(copies)
        default: nil
        }
    }

    /// Of each conflict its id, what has the name, and what the copy holds.
    package func conflicts(
        _ state: any DriveState
    ) throws -> [(id: String, current: ContentHash?, copy: ContentHash?)] {
        try ConflictList(state).all().map { ($0.id, $0.currentSide?.hash, $0.copySide?.hash) }
    }

    /// What acts go by.
    package func adjust(_ options: inout EngineOptions) {
        options.mergesCleanly = { ThreeWayMerge().isClean($0, ancestor: $1, $2) }
    }
}

extension DriveEngine {
    /// After an act that did not come to its end: what it took is written down, and what it moved is looked for, so that the next one
    /// goes by the folder as it is. Cheap where there is none. Where the look does not come to its end the next act looks again:
    /// this one may need nothing of what is in its way.
    func settleActs(_ look: (DriveEngine) async throws -> Void = { _ = try await $0.scan() }) async throws {
        try AnnouncedTrash(parts).settle()
        guard try UnseenActs(state: parts.state).hasMovesOfCutOff() else { return }
        do { try await look(self) } catch let error as DriveError where error.remedy != .halt {}
    }
}
