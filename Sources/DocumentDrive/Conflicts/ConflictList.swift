import DriveCore
import FileCoordination

/// Finds the conflicts of a drive.
struct ConflictList {
    private let state: any DriveState
    private let labels: DeviceLabels
    private let records: [HeadKey: ConflictRecord]

    init(_ state: any DriveState) throws {
        self.state = state
        labels = try state.labels()
        records = Dictionary(
            try state.conflictRecords().map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    }

    /// By path.
    func all() throws -> [Conflict] {
        let reader = ViewReader(state)
        var result: [Conflict] = []
        for node in try state.nodesWithDerivedNames() {
            guard let path = try reader.path(ofNode: node) else { continue }
            let folder = try state.row(at: path)?.id
            for derived in try state.derivedNames(in: node) {
                result.append(try conflict(derived, at: path, in: folder))
            }
        }
        let deletes = Dictionary(grouping: records.values.filter { $0.kind == .deleteVersusEdit }, by: \.item)
        result += try deletes.values.compactMap { try $0.min { $0.dot < $1.dot }.flatMap(deleted) }
        return result.sorted { ($0.ownPath, $0.id) < ($1.ownPath, $1.id) }
    }

    /// `folder` is nil where nothing lies at the path.
    private func conflict(_ derived: DerivedName, at path: DrivePath, in folder: RowID?) throws -> Conflict {
        var conflict = Conflict(
            id: Self.id(derived.item, derived.dot), current: path.appending(derived.ownName),
            copy: path.appending(derived.name))
        let currentRow = try folder.flatMap { try state.child(of: $0, named: derived.ownName) }
        let copyRow = try folder.flatMap { try state.child(of: $0, named: derived.name) }
        // Mostly both sides are of one item.
        let item = try state.item(derived.item)
        conflict.currentSide = try currentRow.map { try side($0, $0.members.first?.dots.first, item) }
        conflict.copySide = try copyRow.map { try side($0, derived.dot, item) }
        if let record = records[derived.key], record.current == currentRow?.hash,
            record.copy == copyRow?.hash
        {
            conflict.kind = record.kind
            conflict.ancestor = record.ancestor
        }
        return conflict
    }

    /// Nil where the item is not shown now, and where several have edited it, which is a conflict of its own.
    private func deleted(_ record: ConflictRecord) throws -> Conflict? {
        guard let item = try state.item(record.item), item.state.context == record.context,
            item.state.heads.count == 1,
            let row = try state.rows(holding: record.item).first(where: { !$0.isParked && !$0.isDerived })
        else { return nil }
        // Whose delete it was depends on what a device has heard of first.
        let id = "\(Self.id(record.item))-deleted"
        var conflict = Conflict(id: id, current: try state.path(of: row))
        conflict.currentSide = try side(row, row.members.first?.dots.first, item)
        conflict.kind = .deleteVersusEdit
        conflict.deleter = labels.text(record.dot)
        return conflict
    }

    private func side(_ row: Row, _ dot: Dot?, _ known: StoredItem?) throws -> Conflict.Side {
        let head = try row.members.first.flatMap { member in
            try dot.flatMap { dot in
                try (member.item == known?.id ? known : state.item(member.item))?.state.head(dot)
            }
        }
        return Conflict.Side(
            facts: row.facts, hash: row.hash, device: head.map { labels.text($0.dot) },
            recorded: head?.time.milliseconds, isHeld: row.isHeld)
    }

    private static func id(_ item: ItemID, _ dot: Dot) -> String {
        "\(id(item))-\(dot.device.shortText.prefix(2))\(dot.n)"
    }

    /// Of its text the first six digits.
    private static func id(_ item: ItemID) -> String {
        let digits = String(item.high >> 40, radix: 16)
        return String(repeating: "0", count: 6 - digits.utf8.count) + digits
    }
}

extension Conflict {
    fileprivate init(id: String, current: DrivePath, copy: DrivePath? = nil) {
        self.id = id
        self.current = current
        self.copy = copy
    }
}
