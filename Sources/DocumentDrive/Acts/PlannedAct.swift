import DriveCore
import FileCoordination

/// An act that knows what it will change, and has changed nothing yet. For one turn at the engine.
struct PlannedAct<Result: Sendable> {
    /// What nobody else may use meanwhile.
    var intents: [FileIntent]
    var run: () async throws -> (Result, moves: [(DrivePath, DrivePath)])

    init(_ deeds: [Deed], _ run: @escaping () async throws -> Result) {
        self.init(deeds.flatMap(\.intents)) { (try await run(), []) }
    }

    init(
        _ intents: [FileIntent], _ run: @escaping () async throws -> (Result, moves: [(DrivePath, DrivePath)])
    ) {
        self.intents = intents
        self.run = run
    }

    /// Of very many items the folder that all are in is had as a whole: each lock makes the next one slower.
    var claimed: [FileIntent] {
        guard intents.count > Self.mostClaimed else { return intents }
        return [
            .writing(
                intents.dropFirst().reduce(intents[0].path.parent) { $0.shared(with: $1.path) }, options: .forMoving)
        ]
    }

    private static var mostClaimed: Int { 4_096 }
}

extension DrivePath {
    /// The deepest folder that both are in, or are.
    fileprivate func shared(with other: DrivePath) -> DrivePath {
        DrivePath(zip(components, other.components).prefix { $0 == $1 }.map(\.0))
    }
}

extension Deed {
    /// What it does, as others see it who use the items.
    var intents: [FileIntent] {
        switch self {
        case .putBack(_, let path, _), .write(_, let path, _), .takeOut(_, let path), .makeFolder(let path):
            [.writing(path)]
        case .takeAway(let path, _), .removeFolder(let path): [.writing(path, options: .forDeleting)]
        case .move(let from, let to), .moveNested(let from, let to), .moveOver(let from, _, let to, _):
            [.writing(from, options: .forMoving), .writing(to)]
        case .rotate(let paths): paths.map { .writing($0, options: .forMoving) }
        case .setAttributes(_, let path), .touch(let path):
            [.writing(path, options: .contentIndependentMetadataOnly)]
        case .expect: []
        }
    }
}
