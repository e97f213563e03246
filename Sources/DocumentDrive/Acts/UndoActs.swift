import DriveCore
import FileCoordination

/// Reverses what was done together.
struct UndoActs {
    let parts: DriveParts

    init(_ parts: DriveParts) { self.parts = parts }

    /// Later ones first. What has changed since stays as it is, and is told.
    func undo(_ operations: [UInt64], device: String?) throws -> PlannedAct<[ActOutcome]> {
        let plan = try UndoPlan(
            UndoneEvents(operations, device: device, parts.state).events, FolderGround(parts))
        return PlannedAct(plan.steps.flatMap(\.deed.intents)) { try await run(plan) }
    }

    private func run(_ plan: UndoPlan) async throws -> ([ActOutcome], moves: [(DrivePath, DrivePath)]) {
        var runner = try DeedRunner(parts, reason: .undone, plan.steps)
        try await parts.operations.during(.undo) { try await runner.runAsFarAsItGoes() }
        var done = runner.outcomes.flatMap(\.told)
        if let failed = runner.outcomes.first(where: { $0.obstacle != nil }) {
            let again = failed.reversed.map { "\($0)" } ?? "--list"
            done.append(ActOutcome(nil, "`docdrive undo \(again)` tries again what is left.", isDone: false))
        }
        let left = plan.obstacles.map { ActOutcome.left($0.path, $0.sentence) }
        return (done + left, runner.moves)
    }
}

extension UndoPlan.Obstacle {
    /// Why it stays.
    public var sentence: String { reason.rawValue + (place.map { ", to \($0)" } ?? "") }
}

/// The folder as it is now, for whoever has the drive.
private struct FolderGround: UndoGround {
    let parts: DriveParts
    let folder: FolderNow
    let moves: LaterMoves
    let kept: KeptContents

    init(_ parts: DriveParts) throws {
        self.parts = parts
        folder = FolderNow(files: parts.files, state: parts.state)
        moves = LaterMoves(try parts.state.events(limit: .max))
        kept = KeptContents(parts.state, hasStore: parts.transport != nil)
    }

    func standing(_ path: DrivePath) throws -> UndoPlan.Standing { try folder.undoStanding(path) }

    func names(in path: DrivePath) throws -> [FileName] { try folder.readableNames(in: path) }

    func place(since event: DriveEvent) -> DrivePath? { moves.place(since: event) }

    func attributes(of path: DrivePath) throws -> Attributes? { try parts.state.row(at: path)?.attributes }

    func attributes(leftBy event: DriveEvent) -> Attributes? { moves.attributes(leftBy: event) }

    func mayHave(_ content: ContentHash) throws -> Bool { try kept.mayHave(content) }
}

extension LaterMoves {
    func place(since event: DriveEvent) -> DrivePath? {
        event.operation.flatMap { place(of: event.path, after: $0.id) }
    }
}

extension DeedRunner.Outcome {
    /// What changed places is told one by one.
    fileprivate var told: [ActOutcome] {
        if obstacle == nil, case .rotate = deed {
            return deed.moves.map { ActOutcome($0.to, Deed.move($0.from, to: $0.to).undone) }
        }
        return [
            ActOutcome(
                path, obstacle.map { "left as it is: \($0)" } ?? deed.undone, isDone: obstacle == nil,
                askedPath: deed.path)
        ]
    }
}

extension Deed {
    fileprivate var undone: String {
        switch self {
        case .putBack(_, _, .none): "is back"
        case .putBack, .write: "is as it was before; what was there is in the trash"
        case .takeAway: "in the trash"
        case .move(let from, _), .moveNested(let from, _): "is back (was \(from))"
        case .moveOver(let from, _, _, _): "is back (was \(from)); what was there is in the trash"
        case .rotate: "has changed places again"
        case .makeFolder, .takeOut: "is back"
        case .removeFolder: "removed; it was empty"
        case .setAttributes: "has the attributes of before"
        case .touch: "is a file of its own"
        case .expect: "is as it was"
        }
    }
}
