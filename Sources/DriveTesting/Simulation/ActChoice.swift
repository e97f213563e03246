import DriveCore
import FileCoordination

/// An act that a simulated person asks for, and what it is about.
struct ChosenAct {
    var act: DriveAct
    /// What may lose its place; nil where whatever has a name may.
    var mayTake: Set<ContentHash>?
    /// What somebody has looked at and decided about.
    var meant: Set<ContentHash> = []

    /// Texts may become one that nobody has saved.
    var mayMerge: Bool {
        if case .resolve(_, let how) = act { how == .merge || how == .suggested } else { false }
    }

    /// It may say of a file that it stays, by a date that no undo takes back.
    var mayKeep: Bool {
        guard case .resolve(let ids, let how) = act else { return false }
        return how == .keep(.both) || ids.contains { $0.hasSuffix("-deleted") }
    }

    /// For the tally.
    var name: String {
        switch act {
        case .resolve(_, .merge): "act: merge"
        case .resolve(_, .suggested): "act: resolve as suggested"
        case .resolve(_, .keep(let side)): "act: keep \(side)"
        case .undo: "act: undo"
        case .restore: "act: restore"
        case .restoreTrash: "act: restore from the trash"
        case .emptyTrash: "act: empty the trash"
        case .clean: "act: clean"
        case .undoCleaning: "act: undo a cleaning"
        default: "act"
        }
    }

    var takesForGood: Bool { if case .emptyTrash = act { true } else { false } }

    var resolvedIDs: [String] { if case .resolve(let ids, _) = act { ids } else { [] } }
}

/// Chooses among what a device offers now.
struct ActChoice {
    let state: any DriveState
    let folder: MemoryFolder
    let acts: any SimulatedActs
    var generator: SeededGenerator

    private enum Kind { case resolve, undo, restore, restoreTrash, emptyTrash, clean, undoCleaning }

    /// Nil where there is nothing to choose from.
    mutating func choose() throws -> ChosenAct? {
        let conflicts = try acts.conflicts(state)
        let trash = try state.trash().filter { $0.reason.isShown }
        let cleaned = trash.filter { $0.reason == .cleaned }
        let operations = try state.operations(limit: 8)
        let gone = try state.events(limit: 40).filter { $0.before != nil }
        var kinds: [Kind] = []
        func offer(_ kind: Kind, _ weight: Int, _ isThere: Bool) {
            if isThere { kinds += Array(repeating: kind, count: weight) }
        }
        offer(.resolve, 8, !conflicts.isEmpty)
        offer(.undo, 5, !operations.isEmpty)
        offer(.restore, 4, !gone.isEmpty)
        offer(.restoreTrash, 2, !trash.isEmpty)
        offer(.emptyTrash, 1, !trash.isEmpty)
        offer(.clean, 1, !folder.tree().isEmpty)
        offer(.undoCleaning, 2, !cleaned.isEmpty)
        if kinds.isEmpty { return nil }
        switch generator.choice(kinds) {
        case .resolve: return resolve(conflicts)
        case .undo: return try undo(operations)
        case .restore: return restore(gone)
        case .restoreTrash: return ChosenAct(act: .restoreTrash(names: some(trash)), mayTake: [])
        case .emptyTrash: return ChosenAct(act: .emptyTrash(names: some(trash)), mayTake: [])
        case .clean: return clean()
        case .undoCleaning: return ChosenAct(act: .undoCleaning(names: some(cleaned)), mayTake: [])
        }
    }

    private mutating func some(_ entries: [TrashEntry]) -> [String] {
        let first = generator.choice(entries)
        return entries.filter { $0.name == first.name || generator.chance(percent: 25) }.map(\.name.description)
    }

    private mutating func resolve(
        _ conflicts: [(id: String, current: ContentHash?, copy: ContentHash?)]
    ) -> ChosenAct {
        let isAll = generator.chance(percent: 40)
        let chosen = isAll ? conflicts : [generator.choice(conflicts)]
        let keepings: [ConflictKeeping] = [.current, .copy, .newest, .largest, .both]
        let how: ConflictResolution =
            switch generator.below(8) {
            case let number where number < keepings.count: .keep(keepings[number])
            case 5, 6: .merge
            default: .suggested
            }
        let (current, copy) = (chosen.compactMap(\.current), chosen.compactMap(\.copy))
        let sides = Set(current + copy)
        let mayTake: Set<ContentHash> =
            switch how {
            case .keep(.both): []
            case .keep(.current): Set(copy)
            case .keep(.copy): Set(current)
            default: sides
            }
        return ChosenAct(act: .resolve(ids: chosen.map(\.id), how: how), mayTake: mayTake, meant: sides)
    }

    private mutating func undo(_ operations: [DriveOperation]) throws -> ChosenAct {
        var ids: Set<UInt64> = [generator.choice(operations).id]
        if generator.chance(percent: 20) { ids.insert(generator.choice(operations).id) }
        let events = try ids.sorted().flatMap { try state.events(of: $0) }
        var device: String?
        let others = Set(events.compactMap(\.device)).sorted()
        if !others.isEmpty, generator.chance(percent: 15) { device = generator.choice(others) }
        return ChosenAct(
            act: .undo(operations: ids.sorted(), device: device), mayTake: Set(events.compactMap(\.after)))
    }

    private mutating func restore(_ events: [DriveEvent]) -> ChosenAct {
        let event = generator.choice(events)
        let path = event.from ?? event.path
        let target = generator.chance(percent: 30) ? DrivePath([generator.choice(SimulatedUser.names)]) : nil
        let hash = event.before.map { "\($0)" } ?? ""
        let content = RestoredContent(path: path.bytes, content: hash, target: target?.bytes)
        let there = folder.tree()[target ?? path]?.bytes
        return ChosenAct(act: .restore([content]), mayTake: Set(there.map { [ContentHasher.hash(of: $0)] } ?? []))
    }

    /// One of two equal files, or any of which it only is claimed.
    private mutating func clean() -> ChosenAct? {
        let files = folder.tree().compactMap { path, entry in entry.bytes.map { (path: path, bytes: $0) } }
            .filter { !Litter.ignores($0.path) }.sorted { $0.path < $1.path }
        guard files.count > 1 else { return nil }
        let one = generator.choice(files)
        let equal = files.filter { $0.path != one.path && $0.bytes == one.bytes }
        let other = generator.choice(equal.isEmpty ? files : equal)
        let copy = RedundantCopy(path: one.path.bytes, kept: other.path.bytes)
        return ChosenAct(act: .clean([copy]), mayTake: equal.isEmpty ? [] : [ContentHasher.hash(of: one.bytes)])
    }
}

extension TreeEntry {
    fileprivate var bytes: [UInt8]? {
        switch self {
        case .file(let bytes), .link(let bytes): bytes
        case .folder, .other: nil
        }
    }
}
