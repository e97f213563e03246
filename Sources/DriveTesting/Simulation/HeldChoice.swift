import DriveCore
import FileCoordination

/// What a person says of deletes that are held: some go through, some are taken back, of some nothing is said yet.
struct HeldChoice {
    private let parts: DriveParts
    private var state: any DriveState { parts.state }
    /// On other devices all that is decided goes through, so that what was deleted there has to stay deleted.
    private let takesBack: Bool

    init(_ parts: DriveParts, takesBack: Bool) {
        self.parts = parts
        self.takesBack = takesBack
    }

    private func inside(_ rows: Set<RowID>) throws -> Set<RowID> {
        try Set(rows.flatMap { try state.row($0).map { try state.subtree(of: $0).map(\.id) } ?? [] })
    }

    func decide(_ generator: inout SeededGenerator, all: Bool) throws -> DecidedDeletes {
        let deletes = HeldDeletes(state)
        let own = try Set(state.heldRows().map(\.id))
        let held = try own.union(deletes.incoming()).filter { try state.row($0) != nil }
        var (confirmed, restored): (Set<RowID>, Set<RowID>) = ([], [])
        for id in held.sorted() {
            guard all || generator.chance(percent: 50) else { continue }
            if takesBack, generator.chance(percent: 40) { restored.insert(id) } else { confirmed.insert(id) }
        }
        // A folder with what is in it, as people are offered it.
        try restored.formUnion(inside(restored).intersection(held))
        try confirmed.formUnion(inside(confirmed).intersection(held))
        confirmed.subtract(restored)
        try state.transaction {
            try deletes.confirm(confirmed)
            try parts.restoreHeld(restored)
        }
        var result = DecidedDeletes()
        (result.confirmed, result.restored) = (confirmed.count, restored.count)
        result.left = held.count - confirmed.count - restored.count
        return result
    }
}
