public import DriveCore
import DriveFiles
import FileCoordination

/// A delete that waits for a decision.
public struct HeldDelete: Hashable, Sendable {
    public var id: String
    public var path: DrivePath
    public var kind: ItemKind
    public var size: UInt64
    /// Deleted on this device, and not on another one.
    public var isOwn: Bool
    /// Who deleted it, and when that was heard of here; nil where it was this device.
    public var deleter: Deleter?
    /// When it was noticed here, or heard of, in milliseconds since 1970; nil where an earlier version noted it.
    public var since: UInt64?
    let row: RowID

    /// All of them, by path.
    static func all(_ state: any DriveState) throws -> [HeldDelete] {
        let rows = try state.heldRows()
        let times = try rows.isEmpty ? [:] : HeldSince(state).times()
        let own = try rows.map { try HeldDelete($0, state, isOwn: true, since: times[$0.id]) }
        let others = try HeldDeletes(state).incoming().compactMap { try state.row($0) }
            .map { try HeldDelete($0, state, isOwn: false) }
        return (own + others).sorted { ($0.path, $0.id) < ($1.path, $1.id) }
    }

    private init(_ row: Row, _ state: any DriveState, isOwn: Bool, since: UInt64? = nil) throws {
        id = "d\(row.id.rawValue)"
        path = try state.path(of: row)
        kind = row.kind
        size = row.kind == .folder ? 0 : row.facts.size
        self.isOwn = isOwn
        deleter = isOwn ? nil : try Deleter(of: row, in: state)
        self.since = isOwn ? since : deleter?.time
        self.row = row.id
    }
}

extension DriveReader {
    public func heldDeletes() throws -> [HeldDelete] { try HeldDelete.all(index) }

    /// Deletes that went through within the last hour: those of a large removal that were seen first are not held.
    public func passedDeletes() throws -> Int { try index.passedDeletes(clock: SystemClock().milliseconds()) }
}
