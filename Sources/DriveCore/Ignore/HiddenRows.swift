/// Items that are known and that a rule hides now: the topmost of each hidden tree.
///
/// Such an item is neither sent nor brought and lives on for other devices, so what is known of it says nothing of the disk.
/// The walk notes them as it comes to them; a folder in which nothing changed, rules neither, needs no other look.
public struct HiddenRows {
    private let state: any DriveState
    private static let key = "hidden-rows"

    public init(_ state: any DriveState) { self.state = state }

    public func topmost() throws -> Set<RowID> { try RowList.decode(state.setting(Self.key) ?? []) }

    /// Those that are gone go with the next change. Within the caller's transaction.
    package func change(adding hidden: Set<RowID>, removing shown: Set<RowID>) throws {
        if hidden.isEmpty, shown.isEmpty { return }
        let old = try topmost()
        let new = old.union(hidden).subtracting(shown)
        if new != old { try state.setSetting(RowList.encode(new.filter { try state.row($0) != nil }), Self.key) }
    }
}
