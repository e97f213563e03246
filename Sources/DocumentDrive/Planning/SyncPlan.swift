public import DriveCore
import DriveIndex
import FileCoordination
import Foundation

/// What a sync would do now, item by item: the engine itself works it out on a copy of the index, over a folder and a
/// store in which nothing changes.
public struct SyncPlan: Sendable {
    public struct Step: Hashable, Sendable {
        public var direction: Direction
        /// `added`, `edited`, `moved`, `deleted`, `attributes`; `held` for a delete that waits until somebody decides,
        /// `waits` for what comes into a folder whose delete does.
        public var action: String
        public var path: DrivePath
        public var from: DrivePath?
        public var bytes: UInt64
        /// A sync leaves it as it is.
        public var isHeld: Bool { action == Self.held || action == Self.waits }
        /// It waits for a delete of another item.
        public var waitsForDelete: Bool { action == Self.waits }

        static let held = "held"
        static let waits = "waits"
    }

    public enum Direction: String, Hashable, Sendable { case send, bring }

    public internal(set) var steps: [Step] = []
    /// Whether a sync would leave all as it is; what is held does not count.
    public var isEmpty: Bool { steps.allSatisfy(\.isHeld) }

    /// Needs no lock, and works beside a running sync. Throws `CancellationError` where the task is cancelled meanwhile.
    public static func make(for folder: FolderPath) async throws -> SyncPlan {
        try await tellingCancellation {
            let plan = try await makeOnce(for: folder)
            try Task.checkCancellation()
            return plan
        }
    }

    private static func makeOnce(for folder: FolderPath) async throws -> SyncPlan {
        let reader = try DriveReader(folder)
        let copy = NSTemporaryDirectory() + "/docdrive-plan-\(UUID().uuidString).sqlite"
        defer { for ending in ["", "-wal", "-shm"] { unlink(copy + ending) } }
        try reader.index.copy(to: copy)
        guard let replica = try Drive.replica(of: folder) else {
            throw DriveError(.usage, "this folder is no drive", path: folder.description)
        }
        let wiring = try Wiring(
            folder: folder, replica: replica, settings: reader.settings, waitsForWriters: false, report: { _ in })
        // Where the store is gone, all is not as it was, though nothing of it can be read.
        try await wiring.findStore()
        let planner = Planner(try wiring.planningEngine(DriveIndex(path: Array(copy.utf8))))
        return try await planner.plan(wiring.ignoring)
    }
}
