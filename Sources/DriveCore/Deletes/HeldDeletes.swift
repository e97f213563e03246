/// Deletes that the brake holds, and those of them that a person let through.
///
/// Deletes made here are rows that are held; deletes by others are rows that the view does not want any more, listed in
/// a setting because apply leaves them as they are.
public struct HeldDeletes {
    private let state: any DriveState
    private static let incomingKey = "held-incoming"
    private static let confirmedKey = "confirmed-deletes"

    public init(_ state: any DriveState) { self.state = state }

    /// Deletes by others that apply held back last time.
    public func incoming() throws -> Set<RowID> { try load(Self.incomingKey) }

    /// Whether somebody has to decide about something else before a name can be had: about what was deleted there here, or about what
    /// lies there still and was deleted by others.
    public func hold(_ name: FileName, in folder: RowID, besides row: RowID? = nil) throws -> Bool {
        let rows = try state.glances(in: folder, named: name).filter { $0.id != row }
        if rows.isEmpty { return false }
        if rows.contains(where: \.isHeld) { return true }
        let waiting = try incoming()
        if waiting.isEmpty { return false }
        let undecided = try waiting.subtracting(confirmed())
        if rows.contains(where: { undecided.contains($0.id) }) { return true }
        // A folder goes when nothing is in it any more.
        let folders = Set(rows.filter { $0.kind == .folder }.map(\.id))
        guard !folders.isEmpty else { return false }
        return try undecided.contains { id in
            try state.row(id).map { try state.chain(of: $0).contains { folders.contains($0.id) } } ?? false
        }
    }

    package func setIncoming(_ rows: Set<RowID>) throws {
        if try rows != incoming() { try save(rows, Self.incomingKey) }
    }

    /// These, and only these, go through at the next pass.
    public func confirmed() throws -> Set<RowID> { try load(Self.confirmedKey) }

    public func confirm(_ rows: Set<RowID>) throws {
        try save(try confirmed().union(rows), Self.confirmedKey)
        if try state.heldRowCount() == 0 { return }
        for id in rows {
            guard var row = try state.row(id), row.isHeld else { continue }
            row.isHeld = false
            try state.save(row)
        }
    }

    /// Takes them back on this device. Without its row, a file that was deleted here is one that the view wants and nobody has; and
    /// one that was deleted elsewhere is new, so that it is sent again.
    package func restore(_ rows: Set<RowID>) throws {
        var dirt = ViewDirt()
        var own: Set<ItemID> = []
        for row in try rows.sorted().compactMap({ try state.row($0) }) {
            // Depth first, so that no row loses its folder.
            for member in row.members { dirt.items.insert(member.item) }
            for part in try state.subtree(of: row).reversed() {
                for member in part.members {
                    dirt.items.insert(member.item)
                    if part.isHeld { own.insert(member.item) }
                }
                try state.remove(part.id)
            }
        }
        try RestoredDeletes(state).add(own)
        try state.addDirt(dirt)
    }

    /// They have gone through.
    package func settle(_ rows: Set<RowID>) throws {
        let left = try confirmed().subtracting(rows)
        if try left != confirmed() { try save(left, Self.confirmedKey) }
    }

    private func load(_ key: String) throws -> Set<RowID> { try RowList.decode(state.setting(key) ?? []) }

    private func save(_ rows: Set<RowID>, _ key: String) throws {
        try state.transaction { try state.setSetting(RowList.encode(rows), key) }
    }
}
