/// Folders that other devices have deleted and that stay here for what is in them and is not synced: ignored files, pipes,
/// mounts. Apply looks at them in each pass, and takes them away once they are empty.
public struct KeptFolders {
    private let state: any DriveState
    private static let key = "kept-folders"

    public init(_ state: any DriveState) { self.state = state }

    public func rows() throws -> Set<RowID> { try RowList.decode(state.setting(Self.key) ?? []) }

    package func set(_ rows: Set<RowID>) throws {
        if try rows != self.rows() { try state.transaction { try state.setSetting(RowList.encode(rows), Self.key) } }
    }
}
