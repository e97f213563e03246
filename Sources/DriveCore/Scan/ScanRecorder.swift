/// Turns what a scan found into records and rows, within the caller's transaction (`merge.md` 3.2, 3.3).
public struct ScanRecorder {
    let tables: any DriveTables
    let reader: ViewReader
    let sightings: [Sighting]
    let identification: Identification
    /// Rows whose disappearance is recorded; those that the brake holds are not among them.
    let vanished: Set<RowID>
    /// What a rule hid in folders that vanished: nobody is told that it is gone, and nothing here stands for it any more.
    let forgotten: Set<RowID>
    let entropy: any Entropy
    /// Whether the files' own file system has extended attributes.
    let keepsExtendedAttributes: Bool
    private let places: Range<Int>
    /// There is a store to make them for.
    public let makesRecords: Bool

    /// The row of each sighting that has one by now.
    public private(set) var rows: [Int: RowID]
    var changes: [ItemID: ItemChange] = [:]
    /// Rows that stand for the new record of an item, once it has its number.
    var successors: [Successor] = []
    /// What the rows of changed items were, and where.
    public private(set) var earlier: [ItemID: [EarlierRow]] = [:]
    public internal(set) var touchedRows: Set<RowID> = []
    /// Rows of what is new here.
    public private(set) var made: Set<RowID> = []
    var lifted: [ItemID] = []
    var movesFolder = false
    var dirt = ViewDirt()

    public struct EarlierRow: Sendable {
        public var row: Row
        public var path: DrivePath
    }

    struct Successor {
        var row: RowID
        var item: ItemID
        /// The row shows the content that the record brings.
        var isContent: Bool
    }

    /// Only the sightings at `places` are looked at; `resolved` has the rows of earlier ones.
    public init(
        _ tables: any DriveTables, sightings: Sightings, identification: Identification, vanished: Set<RowID>,
        forgotten: Set<RowID> = [], entropy: any Entropy, keepsExtendedAttributes: Bool = true,
        makesRecords: Bool = true, places: Range<Int>, resolved: [Int: RowID] = [:]
    ) {
        self.makesRecords = makesRecords
        self.places = places
        rows = resolved
        self.tables = tables
        reader = ViewReader(tables)
        self.sightings = sightings.list
        self.identification = identification
        self.vanished = vanished
        self.forgotten = forgotten
        self.entropy = entropy
        self.keepsExtendedAttributes = keepsExtendedAttributes
    }

    /// Collects the changes and brings the rows up to date, all but the dots of the records to come.
    mutating func collect() throws {
        for place in places {
            let sighting = sightings[place]
            guard !sighting.isWithheld, let folder = try rowOfFolder(sighting) else { continue }
            if let id = identification.rows[place], let row = try tables.row(id) {
                rows[place] = id
                switch sighting.kind {
                case .folder: try found(folder: row, sighting, in: folder)
                case _ where sighting.isUnsettled: try found(unread: row, sighting, in: folder)
                default: try found(file: row, sighting, in: folder)
                }
            } else if sighting.isUnsettled {
                continue
            } else if let kind = sighting.kind, kind == .folder || sighting.content != nil {
                rows[place] = try appeared(sighting, kind, in: folder)
            }
        }
        for id in vanished.sorted() {
            guard let row = try tables.row(id) else { continue }
            try disappeared(row)
            // The view may still want it, even where there is nothing to record.
            dirt.items.formUnion(row.members.map(\.item))
        }
        for id in forgotten { dirt.items.formUnion(try tables.row(id)?.members.map(\.item) ?? []) }
        for id in vanished.union(forgotten) { try tables.remove(id) }
    }

    /// What the view has to do with the changes; without records there is no view.
    mutating func collectForView() throws {
        for id in touchedRows { try tables.row(id).map { dirt.items.formUnion($0.members.map(\.item)) } }
        if !dirt.isEmpty { try tables.addDirt(dirt) }
        if movesFolder { try pin() }
        for item in lifted { try lift(item) }
    }

    private func rowOfFolder(_ sighting: Sighting) throws -> Row? {
        switch sighting.folder {
        case .row(let id): try tables.row(id)
        case .sighting(let place): try rows[place].flatMap { try tables.row($0) }
        }
    }

    /// Before it is saved as something else.
    mutating func remember(_ row: Row) throws {
        let path = try tables.path(of: row)
        for member in row.members where earlier[member.item]?.contains(where: { $0.row.id == row.id }) != true {
            earlier[member.item, default: []].append(EarlierRow(row: row, path: path))
        }
    }

    mutating func save(_ row: Row) throws {
        touchedRows.insert(row.id)
        try tables.save(row)
    }
}

// New here.
extension ScanRecorder {
    private mutating func appeared(_ sighting: Sighting, _ kind: ItemKind, in folder: Row) throws -> RowID {
        var facts = sighting.facts
        // Its attributes could not be read: with this time the next scan looks again.
        if kind == .folder, sighting.attributes == nil { facts.changed = FileTime(seconds: 0, nanoseconds: 0) }
        var row = Row(
            id: try tables.newRowID(), parent: folder.id, name: sighting.name, kind: kind, facts: facts,
            hash: sighting.content?.hash, attributes: sighting.attributes ?? Attributes())
        if !makesRecords {
            row.members = [Member(item: row.ownItem)]
        } else if let entry = try adoptable(sighting, kind, in: folder) {
            try row.stand(for: entry, entry.members, tables)
        } else {
            let item = entropy.itemID()
            var change = ItemChange()
            change.created = kind
            change.name = sighting.name
            change.parent = folder.primary.item
            change.content = sighting.content
            change.keeps = true
            change.attributes = row.attributes.registers(of: kind)
            changes[item] = change
            row.members = [Member(item: item)]
            successors.append(Successor(row: row.id, item: item, isContent: true))
        }
        made.insert(row.id)
        try save(row)
        return row.id
    }

    /// S6: what the view already wants here, and no row holds.
    private func adoptable(_ sighting: Sighting, _ kind: ItemKind, in folder: Row) throws -> ViewEntry? {
        guard let node = try reader.node(of: folder.primary.item),
            let entry = try reader.entry(named: sighting.name, in: node), entry.kind == kind,
            kind == .folder || entry.content?.hash == sighting.content?.hash
        else { return nil }
        let isHeld = try entry.members.contains { member in
            try tables.rows(holding: member.item).contains { row in
                guard let held = row.member(member.item), held.isMain == member.isMain else { return false }
                return member.isMain || held.dots.first == member.dots.first
            }
        }
        return isHeld ? nil : entry
    }
}
