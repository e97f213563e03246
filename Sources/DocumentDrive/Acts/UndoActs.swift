import DriveCore
import FileCoordination

/// Reverses what was done together.
struct UndoActs {
    let parts: DriveParts

    init(_ parts: DriveParts) { self.parts = parts }

    /// Later ones first. What has changed since stays as it is, and is told.
    func undo(_ operations: [UInt64], device: String?) async throws -> [String] {
        let events = try Self.events(operations, device: device, parts.state)
        let plan = try UndoPlan(events, look: standing)
        var runner = try DeedRunner(parts, reason: .undone, plan.deeds)
        if let newest = operations.max() { parts.operations.undoes(newest) }
        try await parts.operations.during(.undo) { try await runner.run() }
        let numbers = operations.map(String.init).joined(separator: ", ")
        if let failure = runner.failure("`docdrive undo` with the number \(numbers) tries again what is left") {
            throw failure
        }
        return runner.outcomes.map { "\($0.path): \($0.obstacle ?? $0.deed.undone)" }
            + plan.obstacles.map { "\($0.path): left as it is: \($0.reason.rawValue)" }
    }

    /// What the operations changed in the folder, the last first.
    static func events(
        _ operations: [UInt64], device: String?, _ state: any DriveState
    ) throws -> [DriveEvent] {
        var result: [DriveEvent] = []
        for operation in Set(operations).sorted(by: >) {
            let events = try state.events(of: operation)
            guard !events.isEmpty else {
                throw DriveError(
                    .usage, "the log has no operation of this number; `docdrive undo --list` lists them",
                    path: "\(operation)")
            }
            result += events.filter { $0.isReversible && (device == nil || $0.device == device) }
        }
        return result
    }

    private func standing(_ path: DrivePath) throws -> UndoPlan.Standing {
        guard let name = path.name else { return .folder }
        guard let folder = try parts.files.open(path: path.parent),
            let facts = try parts.files.look(at: name, in: folder)
        else { return .nothing }
        switch facts.kind {
        case .folder: return .folder
        case .other: return .other
        case .file, .link:
            if let row = try parts.state.row(at: path), let hash = row.hash, facts.looksUnchanged(since: row.facts) {
                return .content(hash)
            }
            return try parts.files.contentHash(of: name, in: folder).map { .content($0) } ?? .other
        }
    }
}

extension DriveEvent {
    /// Whether it tells of a change that can be taken back.
    var isReversible: Bool {
        switch kind {
        case .added, .edited, .moved, .deleted, .attributes, .trashed: true
        // A copy that was brought; without a content it only tells.
        case .conflict: after != nil
        case .resolved, .held, .recovered, .forked, .error: false
        }
    }
}

extension Deed {
    fileprivate var undone: String {
        switch self {
        case .putBack(_, _, .none): "is back"
        case .putBack, .write: "is as it was before; what was there is in the trash"
        case .takeAway: "in the trash"
        case .move(let from, _): "is back (was \(from))"
        case .moveOver(let from, _, _, _): "is back (was \(from)); what was there is in the trash"
        case .makeFolder, .takeOut: "is back"
        case .removeFolder: "removed; it was empty"
        case .setAttributes: "has the attributes of before"
        case .touch: "is a file of its own"
        }
    }
}
