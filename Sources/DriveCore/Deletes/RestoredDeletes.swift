/// Items whose held deletes by this device were taken back, and that are not in the folder again yet: who brings them is who
/// decided, and not the device that made them.
package struct RestoredDeletes {
    private let state: any DriveState
    private static let key = "restored-deletes"

    package init(_ state: any DriveState) { self.state = state }

    package func items() throws -> Set<ItemID> {
        guard let bytes = try state.setting(Self.key) else { return [] }
        var reader = ByteReader(bytes)
        var result: Set<ItemID> = []
        while !reader.isAtEnd { result.insert(try reader.item()) }
        return result
    }

    /// Within the caller's transaction.
    func add(_ items: Set<ItemID>) throws {
        if items.isEmpty { return }
        var writer = ByteWriter()
        for item in try items.union(self.items()).sorted() { writer.item(item) }
        try state.setSetting(writer.bytes, Self.key)
    }

    /// Once all is as the view has it, none is on its way any more.
    package func settle() throws {
        guard try state.setting(Self.key) != nil, try state.dirt().isEmpty else { return }
        try state.transaction { try state.setSetting(nil, Self.key) }
    }
}
