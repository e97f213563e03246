import DriveCore
import DriveTransport
public import FileCoordination
import Foundation

extension Drive {
    /// Does what a person decided; says what it did, a line each. A pass afterwards tells the other devices.
    ///
    /// Waits for the drive while that does something else, and for whoever uses one of the items (`FileCoordinator`), but not for
    /// an access that the running task is a part of: until `patience` is over, which throws `temporary` and changes nothing; nil
    /// waits until the task is cancelled. What reads the store before waits for that as long as it takes.
    ///
    /// What was done when something fails stays done and is written down, and `DriveAct.undo` reverses it as it does the whole.
    public func perform(_ act: DriveAct, patience: Duration? = nil) async throws -> [String] {
        try await outcomes(of: act, patience: patience).map(\.line)
    }

    /// As `perform`, with what became of each item, for programs.
    public func outcomes(of act: DriveAct, patience: Duration? = nil) async throws -> [ActOutcome] {
        try await outcomes(of: act, ActPatience(patience))
    }

    package func outcomes(of act: DriveAct, _ patience: ActPatience) async throws -> [ActOutcome] {
        let outcomes = try await tellingCancellation { try await carryOut(act, ActDeadlines(patience)) }
        await whenActed.withLock { $0 }?(act)
        return outcomes
    }

    private func carryOut(_ act: DriveAct, _ deadlines: ActDeadlines) async throws -> [ActOutcome] {
        switch act {
        case .confirmDeletes(let ids): try await acting(deadlines) { try DeleteActs($0).confirm(ids) }
        case .restoreDeletes(let ids):
            try await acting(deadlines) { parts in
                try parts.operations.during(.deletes) { try DeleteActs(parts).restore(ids) }
            }
        case .emptyTrash(let names):
            try await reserveUse.during { try await acting(deadlines) { try TrashActs($0).empty(names) } }
        case .restoreTrash, .undoCleaning, .resolve, .undo, .restore, .clean:
            try await self.act(deadlines) { try EngineActs().plan(act, $0) ?? PlannedAct([]) { [] } }
        case .pause(let span):
            try await acting(deadlines) { try PauseActs($0, PauseFile(drive: self.folder)).pause(for: span) }
        case .resume: try await acting(deadlines) { try PauseActs($0, PauseFile(drive: self.folder)).resume() }
        case .renameDevice(let name): try await renameDevice(to: name, deadlines)
        case .forgetDevice(let id): try await forgetDevice(id, deadlines)
        case .note(let readings): try await note(readings, deadlines)
        case .repairFiles(let paths): try await repairFiles(paths.map { DrivePath(bytes: $0) }, deadlines)
        case .repairStore(let repair): try await repairStore(repair, deadlines)
        case .giveUp(let contents): try await giveUp(Set(contents.compactMap { ContentHash(bytes: $0) }), deadlines)
        case .collect(let age, let isTrial): try await collect(olderThan: age, isTrial, deadlines)
        }
    }

    /// An operation of its own, whatever else is asked for at the same time.
    private func acting(
        _ deadlines: ActDeadlines, _ body: @escaping @Sendable (DriveParts) async throws -> [ActOutcome]
    ) async throws -> [ActOutcome] {
        try await engine.use(until: deadlines.drive) { engine in
            try await self.beginAct(engine)
            return try await body(engine.parts)
        }
    }

    /// Copies that are made from now on bear the new name; those that are there keep theirs.
    private func renameDevice(to name: String, _ deadlines: ActDeadlines) async throws -> [ActOutcome] {
        try DriveSettings.check(deviceName: name)
        try checkPlace()
        try await engine.use(until: deadlines.drive) { engine in
            let state = engine.parts.state
            try state.transaction {
                var journal = try state.journal()
                journal.labels.append(DeviceLabel(from: try state.numbers().last + 1, text: name))
                try state.setJournal(journal)
                try state.askForHead()
            }
            try engine.bearOwnLabel()
        }
        try DriveSettings.change(in: folder) { $0.deviceName = name }
        return [ActOutcome(nil, "this device is called \(name) from now on")]
    }

    private func forgetDevice(_ id: String, _ deadlines: ActDeadlines) async throws -> [ActOutcome] {
        guard let device = DeviceID(id) else {
            throw DriveError(.usage, "no device can have this id; `docdrive device ls` names them", path: id)
        }
        try await checkStore()
        return try await engine.use(until: deadlines.drive) { engine in
            // Whoever is back already shows that with what it has published.
            _ = try await engine.fetch()
            let isNew = try await engine.forget(device)
            let name = try engine.parts.state.labels().text(Dot(device: device, n: .max))
            return [
                ActOutcome(
                    nil,
                    isNew
                        ? "\(name) is not waited for any more; should it sync again, it is back"
                        : "\(name) was forgotten before")
            ]
        }
    }

    private func note(_ readings: [FileReading], _ deadlines: ActDeadlines) async throws -> [ActOutcome] {
        try await engine.use(until: deadlines.drive) { try $0.note(readings) }
        return []
    }

    private func repairFiles(_ paths: [DrivePath], _ deadlines: ActDeadlines) async throws -> [ActOutcome] {
        try await checkStore()
        var files = try await repair(paths, until: deadlines.drive)
        // What is whole is repaired once: this is about what somebody uses.
        while let used = files.first(where: \.isInUse)?.path {
            try await coordination.claiming([.writing(used)], until: deadlines.users) { _, _ in }
            let later = try await repair(files.filter(\.isInUse).map(\.path), until: deadlines.drive)
            files = files.filter { !$0.isInUse } + later
        }
        return files.map { file in
            ActOutcome(
                file.path, file.obstacle.map { "not repaired: \($0)" } ?? "repaired; what was there is in the trash",
                isDone: file.obstacle == nil)
        }
    }

    private func repair(
        _ paths: [DrivePath], until deadline: ContinuousClock.Instant?
    ) async throws -> [RepairedFile] {
        try await engine.use(until: deadline) { engine in
            // What the store had lost another device may have stored again, elsewhere than this one knows. What is not reached
            // may not be needed.
            _ = try? await engine.fetch()
            engine.parts.operations.begin()
            return try await engine.parts.operations.during(.repair) { try await engine.repairFiles(paths) }
        }
    }

    /// One sentence: a `CollectionReport` as JSON. What others have published is read first.
    private func collect(olderThan age: UInt64, _ isTrial: Bool, _ deadlines: ActDeadlines) async throws -> [ActOutcome]
    {
        try await checkStore()
        return try await engine.use(until: deadlines.drive) { engine in
            if !isTrial { _ = try await engine.fetch() }
            let unfinished = try await engine.removeUnfinishedUploads(isTrial: isTrial)
            let outcome = try await engine.collect(olderThan: age, isTrial: isTrial)
            let labels = try engine.parts.state.labels()
            let report = CollectionReport(outcome, unfinished: unfinished, isTrial: isTrial, labels: labels)
            return [ActOutcome(nil, String(decoding: try JSONEncoder().encode(report), as: UTF8.self))]
        }
    }

    private func repairStore(_ repair: StoreRepair, _ deadlines: ActDeadlines) async throws -> [ActOutcome] {
        guard let access, let id = settings.storeID.flatMap({ StoreID($0) }) else {
            throw DriveError(.usage, "the drive has no store", path: folder.description)
        }
        if repair.isFormatDamaged {
            try await Store.restoreFormat(StoreInfo(id: id), in: access.objects)
        }
        try await checkStore()
        try await engine.use(until: deadlines.drive) { try await $0.repairStore(repair) }
        return []
    }
    private func giveUp(_ contents: Set<ContentHash>, _ deadlines: ActDeadlines) async throws -> [ActOutcome] {
        try await checkStore()
        return try await engine.use(until: deadlines.drive) { engine in
            engine.parts.operations.begin()
            return try await engine.giveUp(contents).map { ActOutcome($0.path, $0.text) }
        }
    }
}

extension GivenUpFile {
    fileprivate var text: String {
        switch outcome {
        case .deleted: "deleted: its content is given up"
        case .otherSide: "goes on without the content that is given up"
        case .whatLiesHere: "what lies here counts from now on"
        }
    }
}
