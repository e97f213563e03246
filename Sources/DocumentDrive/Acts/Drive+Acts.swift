import DriveCore
import DriveTransport
public import FileCoordination
import Foundation

extension Drive {
    /// Does what a person decided; says what it did, a line each. A pass afterwards tells the other devices.
    public func perform(_ act: DriveAct) async throws -> [String] {
        try await engine.use { $0.parts.operations.begin() }
        return switch act {
        case .confirmDeletes(let ids): try await engine.use { try DeleteActs($0.parts).confirm(ids) }
        case .restoreDeletes(let ids):
            try await engine.use { engine in
                try engine.parts.operations.during(.deletes) { try DeleteActs(engine.parts).restore(ids) }
            }
        case .restoreTrash(let names): try await engine.use { try await RestoreActs($0.parts).restore(trashed: names) }
        case .undoCleaning(let names):
            try await engine.use { try await RestoreActs($0.parts).restore(trashed: names, isUndo: true) }
        case .emptyTrash(let names): try await engine.use { try TrashActs($0.parts).empty(names) }
        case .resolve(let ids, let how): try await engine.use { try await ConflictActs($0.parts).resolve(ids, how) }
        case .undo(let operations, let device):
            try await engine.use { try await UndoActs($0.parts).undo(operations, device: device) }
        case .restore(let contents): try await engine.use { try await RestoreActs($0.parts).restore(contents) }
        case .clean(let copies): try await engine.use { try DriveCleaning($0.parts).clean(copies) }
        case .pause(let span): try await engine.use { try PauseActs($0.parts).pause(for: span) }
        case .resume: try await engine.use { try PauseActs($0.parts).resume() }
        case .renameDevice(let name): try await renameDevice(to: name)
        case .repairFiles(let paths): try await repairFiles(paths.map { DrivePath(bytes: $0) })
        case .repairStore(let repair): try await repairStore(repair)
        case .collect(let age, let isTrial): try await collect(olderThan: age, isTrial)
        }
    }

    /// Copies that are made from now on bear the new name; those that are there keep theirs.
    private func renameDevice(to name: String) async throws -> [String] {
        try DriveSettings.check(deviceName: name)
        try await engine.use { engine in
            let state = engine.parts.state
            try state.transaction {
                var journal = try state.journal()
                journal.labels.append(DeviceLabel(from: try state.numbers().last + 1, text: name))
                try state.setJournal(journal)
            }
        }
        var settings = try DriveSettings.load(from: folder)
        settings.deviceName = name
        try settings.save(to: folder)
        return ["this device is called \(name) from now on"]
    }

    private func repairFiles(_ paths: [DrivePath]) async throws -> [String] {
        try await checkStore()
        let files = try await engine.use { engine in
            try await engine.parts.operations.during(.repair) { try await engine.repairFiles(paths) }
        }
        return files.map { file in
            "\(file.path): "
                + (file.obstacle.map { "not repaired: \($0)" } ?? "repaired; what was there is in the trash")
        }
    }

    /// One line: a `CollectionReport` as JSON. What others have published is read first.
    private func collect(olderThan age: UInt64, _ isTrial: Bool) async throws -> [String] {
        try await checkStore()
        return try await engine.use { engine in
            if !isTrial { _ = try await engine.fetch() }
            let outcome = try await engine.collect(olderThan: age, isTrial: isTrial)
            let report = CollectionReport(outcome, isTrial: isTrial, labels: try engine.parts.state.labels())
            return [String(decoding: try JSONEncoder().encode(report), as: UTF8.self)]
        }
    }

    private func repairStore(_ repair: StoreRepair) async throws -> [String] {
        guard let access, let id = settings.storeID.flatMap({ StoreID($0) }) else {
            throw DriveError(.usage, "the drive has no store", path: folder.description)
        }
        if repair.isFormatDamaged {
            try await Store.restoreFormat(StoreInfo(id: id), in: access.objects)
        }
        try await checkStore()
        try await engine.use { try await $0.repairStore(repair) }
        return []
    }
}
