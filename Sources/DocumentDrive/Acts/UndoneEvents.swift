import DriveCore

/// What operations changed in the folder, the last first.
struct UndoneEvents {
    private(set) var events: [DriveEvent] = []

    /// With a device, only what it had changed. Of several operations without what is undone already; of a single one
    /// somebody has asked for just that, and it is only looked whether it can be done. Throws `usage` for a number that the log
    /// does not have, and for a device that nobody has heard of.
    init(_ operations: [UInt64], device: String?, _ state: any DriveState) throws {
        let isOwn = try device == state.ownLabel
        if let device, isOwn, try state.hasNamesake {
            throw DriveError(
                .usage,
                "this device and another one have this name, so what one of them did cannot be told apart; give this one "
                    + "another with `docdrive config set device-name NAME`", path: device)
        }
        let isOne = device == nil && operations.count < 2
        let undone = try Self.undone(besides: Set(operations), state)
        for operation in Set(operations).sorted(by: >) {
            let events = try state.events(of: operation)
            let folders = FolderMoves(events)
            guard !events.isEmpty else {
                throw DriveError(
                    .usage, "the log has no operation of this number; `docdrive undo --list` lists them",
                    path: "\(operation)")
            }
            self.events += events.enumerated().filter { place, event in
                guard event.isChange else { return false }
                // Of files their contents tell, of folders nothing does: they would change places once more.
                if !isOne || event.isOfFolder, Self.isUndone(event, at: place, folders, undone[operation]) {
                    return false
                }
                return device == nil || event.device == device || isOwn && event.isOwn
            }
            .map(\.element)
        }
        if let device, events.isEmpty, try !state.deviceNames().contains(device) {
            throw DriveError(.usage, "no device of this name is known here; `docdrive log` names them", path: device)
        }
    }

    /// Of what an operation changed that which was not reversed.
    init(restOf operation: UInt64, _ undone: [UInt64: Set<Change>], _ state: any DriveState) throws {
        let all = try state.events(of: operation)
        let folders = FolderMoves(all)
        events = all.enumerated().filter { place, event in
            event.isChange && !Self.isUndone(event, at: place, folders, undone[operation])
        }
        .map(\.element)
    }

    /// Told at the path of then, or at that of before the operation: between the two folders may have been moved.
    private static func isUndone(
        _ event: DriveEvent, at place: Int, _ folders: FolderMoves, _ undone: Set<Change>?
    ) -> Bool {
        guard let undone else { return false }
        var change = Change(reversedBy: event)
        if undone.contains(change) { return true }
        change.path = folders.earlier(change.path, before: place, event.operation?.id)
        return undone.contains(change)
    }

    /// A file may have become a folder: then two things happened at one path.
    struct Change: Hashable {
        var path: DrivePath
        private var isFolder: Bool

        /// What its reverse is told as.
        init(reversedBy event: DriveEvent) { (path, isFolder) = (event.from ?? event.path, event.isOfFolder) }

        init(_ reverse: DriveEvent) { (path, isFolder) = (reverse.path, reverse.isOfFolder) }
    }

    /// What operations have reversed of others.
    static func undone(
        besides chosen: Set<UInt64> = [], _ state: any DriveState
    ) throws -> [UInt64: Set<Change>] {
        var result: [UInt64: Set<Change>] = [:]
        for operation in Set(try state.operations(limit: .max).undone.values).subtracting(chosen) {
            let events = try state.events(of: operation)
            let folders = FolderMoves(events)
            for (place, event) in events.enumerated() {
                guard let reversed = event.operation?.undoes else { continue }
                var change = Change(event)
                result[reversed, default: []].insert(change)
                change.path = folders.later(change.path, since: place, event.operation?.id)
                result[reversed, default: []].insert(change)
            }
        }
        return result
    }
}

extension DriveState {
    /// Whatever a device was called, this one too.
    func deviceNames() throws -> Set<String> {
        let labels = try labels()
        return try Set(labels.devices.flatMap { labels[$0].map(\.text) }).union([ownLabel])
    }

    var hasNamesake: Bool { get throws { try !namesakes.isEmpty } }

    /// The other devices that are called as this one is; one that was forgotten does not count.
    var namesakes: [DeviceID] {
        get throws {
            let (labels, own, name) = (try labels(), try numbers().device, try ownLabel)
            let namesakes = labels.devices.filter { $0 != own && labels.text(Dot(device: $0, n: .max)) == name }
            if namesakes.isEmpty { return [] }
            let forgotten = Set(try journal().collection.forgotten.map(\.device))
            return namesakes.filter { !forgotten.contains($0) }
        }
    }

    /// What this device is called.
    var ownLabel: String { get throws { try labels().text(Dot(device: numbers().device, n: .max)) } }
}

extension DriveEvent {
    /// This device did it itself.
    var isOwn: Bool { device == nil && operation.map { $0.kind != .sync } ?? false }

    fileprivate var isOfFolder: Bool { before == nil && after == nil }

    /// Whether it tells of something that was done. That a conflict was ended by keeping both is such, though nothing of it can
    /// be taken back.
    fileprivate var isChange: Bool {
        switch kind {
        case .added, .edited, .moved, .deleted, .attributes, .trashed, .resolved: true
        // A copy that was brought; without a content it only tells.
        case .conflict: after != nil
        case .recovered, .forked, .error: false
        }
    }
}
