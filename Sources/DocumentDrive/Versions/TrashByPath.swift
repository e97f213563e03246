import DriveCore
import FileCoordination

/// What the trash has of files, by the path of each: what was replaced belongs to the file that has its place, and goes with that
/// where it, or a folder that it is in, is renamed. What was deleted stays where it was.
///
/// What a refused file held goes with it as long as it is refused (`RefusedPlaces`), and by the log from then on.
struct TrashByPath {
    private let state: any DriveState
    private let log: LogRead
    private let all: [DrivePath: [TrashEntry]]
    private let followed: FollowedVersions
    /// When something was deleted at each path.
    private let ends: [DrivePath: UInt64]

    init(_ state: any DriveState, _ log: LogRead = LogRead()) throws {
        (self.state, self.log) = (state, log)
        let trash = try state.trash()
        all = Dictionary(grouping: trash.filter { $0.reason != .ancestor }, by: \.path)
        followed = try FollowedVersions(state)
        ends = FollowedVersions.ends(in: trash)
    }

    /// Where those were that were taken out of the folder.
    var paths: [DrivePath] { all.filter { $0.value.contains(where: \.reason.isShown) }.map(\.key) }

    /// Copies of what the store refuses among them, whether or not the file holds that.
    func entries(of path: DrivePath) throws -> [TrashEntry] {
        let own = try (all[path] ?? []).filter { try file($0) == path }
        return try own + moved()[path, default: []]
    }

    private func moved() throws -> [DrivePath: [TrashEntry]] {
        if let moved = log.movedTrash { return moved }
        var moved: [DrivePath: [TrashEntry]] = [:]
        for entry in all.values.joined() {
            let path = try file(entry)
            if path != entry.path { moved[path, default: []].append(entry) }
        }
        log.movedTrash = moved
        return moved
    }

    /// Where the file is that the entry was a content of.
    private func file(_ entry: TrashEntry) throws -> DrivePath {
        guard entry.reason.isOfAFileThatStays else { return entry.path }
        // No log has the delete of a file that was never recorded.
        if entry.isOfRefused, followed.isOver(entry, ends) { return entry.path }
        let start = followed.start(of: entry)
        // An event at this path that has the content is of another file where this one came here later.
        let content = start == entry.time ? entry.hash : nil
        switch try log.history(of: state).fate(of: entry.path, replaced: content, at: start) {
        case .moved(_, let place):
            guard let row = try state.row(at: place), row.kind != .folder else { return entry.path }
            return place
        case .gone(let departure): return departure.path
        case nil: return entry.path
        }
    }
}

extension TrashEntry.Reason {
    /// Something else took the place of the content, or may have.
    fileprivate var isOfAFileThatStays: Bool {
        switch self {
        case .replaced, .restored, .resolved, .undone, .damaged: true
        case .deleted, .merged, .cleaned, .ancestor, .refused: false
        }
    }
}

/// The whole log is read when somebody first asks, and once for however many files.
final class LogRead {
    private var history: PathHistory?
    /// What the trash has of files that were renamed since, by where they are.
    fileprivate var movedTrash: [DrivePath: [TrashEntry]]?

    func history(of state: any DriveState) throws -> PathHistory {
        let read = try history ?? PathHistory(state.events(limit: .max))
        history = read
        return read
    }
}
