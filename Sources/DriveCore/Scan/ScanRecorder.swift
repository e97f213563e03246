/// Turns what a scan found into records and rows, within the caller's transaction (`merge.md` 3.2, 3.3).
public struct ScanRecorder {
    let tables: any DriveTables
    let reader: ViewReader
    let sightings: [Sighting]
    let identification: Identification
    /// Rows whose disappearance is recorded; those that the brake holds are not among them.
    let vanished: Set<RowID>
    let entropy: any Entropy
    /// Whether the files' own file system has extended attributes.
    let keepsExtendedAttributes: Bool
    private let places: Range<Int>

    /// The row of each sighting that has one by now.
    public private(set) var rows: [Int: RowID]
    var changes: [ItemID: ItemChange] = [:]
    /// Rows that stand for the new record of an item, once it has its number.
    var successors: [Successor] = []
    public internal(set) var touchedRows: Set<RowID> = []
    private var lifted: [ItemID] = []
    private var movesFolder = false
    private var dirt = ViewDirt()

    struct Successor {
        var row: RowID
        var item: ItemID
        /// The row shows the content that the record brings.
        var isContent: Bool
    }

    /// Only the sightings at `places` are looked at; `resolved` has the rows of earlier ones.
    public init(
        _ tables: any DriveTables, sightings: Sightings, identification: Identification, vanished: Set<RowID>,
        entropy: any Entropy, keepsExtendedAttributes: Bool = true, places: Range<Int>, resolved: [Int: RowID] = [:]
    ) {
        self.places = places
        rows = resolved
        self.tables = tables
        reader = ViewReader(tables)
        self.sightings = sightings.list
        self.identification = identification
        self.vanished = vanished
        self.entropy = entropy
        self.keepsExtendedAttributes = keepsExtendedAttributes
    }

    /// Collects the changes and brings the rows up to date, all but the dots of the records to come.
    mutating func collect() throws {
        for place in places {
            let sighting = sightings[place]
            guard !sighting.isUnsettled, let folder = try rowOfFolder(sighting) else { continue }
            if let id = identification.rows[place], let row = try tables.row(id) {
                rows[place] = id
                try sighting.facts.kind == .folder
                    ? found(folder: row, sighting, in: folder) : found(file: row, sighting, in: folder)
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
        for id in vanished { try tables.remove(id) }
    }

    /// What the view has to do with the changes; without records there is no view.
    mutating func collectForView() throws {
        for id in touchedRows { try tables.row(id).map { dirt.items.formUnion($0.members.map(\.item)) } }
        if !dirt.isEmpty {
            dirt.formUnion(try tables.dirt())
            try tables.setDirt(dirt)
        }
        if movesFolder { try pin() }
        for item in lifted { try lift(item) }
    }

    private func rowOfFolder(_ sighting: Sighting) throws -> Row? {
        switch sighting.folder {
        case .row(let id): try tables.row(id)
        case .sighting(let place): try rows[place].flatMap { try tables.row($0) }
        }
    }

    private mutating func save(_ row: Row) throws {
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
        if let entry = try adoptable(sighting, kind, in: folder) {
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

// Found again.
extension ScanRecorder {
    private mutating func found(folder row: Row, _ sighting: Sighting, in folder: Row) throws {
        var row = row
        let changed = row.facts.changed
        row.facts = sighting.facts
        // Not read this time: the change time of before makes the next scan look again.
        if sighting.attributes == nil { row.facts.changed = changed }
        row.isHeld = false
        if !row.isParked, row.parent != folder.id || row.name != sighting.name {
            for member in row.members {
                var change = changes[member.item] ?? ItemChange()
                change.seen.formUnion(row.lifeSeen[member.item] ?? [])
                // It was shown only because of what is in it: that is kept, the folder stays dead.
                if row.rescued.contains(member.item) { lifted.append(member.item) } else { change.keeps = true }
                if row.name != sighting.name { change.name = sighting.name }
                if row.parent != folder.id {
                    change.parent = folder.primary.item
                    movesFolder = true
                }
                changes[member.item] = change
                successors.append(Successor(row: row.id, item: member.item, isContent: false))
            }
            row.parent = folder.id
            row.name = sighting.name
        }
        let attributes = attributes(of: sighting, row)
        if attributes.extended != row.attributes.extended {
            changes[row.primary.item, default: ItemChange()].attributes.merge(
                attributes.differences(from: row.attributes, kind: .folder)
            ) { $1 }
            row.attributes = attributes
        }
        try save(row)
    }

    private mutating func found(file old: Row, _ sighting: Sighting, in folder: Row) throws {
        var row = old
        row.facts = sighting.facts
        row.isHeld = false
        row.placedInBoot = row.facts.identity == old.facts.identity ? old.placedInBoot : nil
        let isMoved = !row.isParked && (row.parent != folder.id || row.name != sighting.name)
        var isEdited = sighting.content.map { $0.hash != row.hash } ?? false
        let attributes = attributes(of: sighting, row)
        if !isEdited, sighting.isOfferedAgain, let content = sighting.content { storeAgain(content, of: row) }
        if isEdited, !isMoved, let content = sighting.content,
            let entry = try reader.agreeing(with: row, in: folder, content)
        {
            row.hash = content.hash
            row.attributes.modified = attributes.modified
            try row.stand(for: entry, try tables.free(entry.members, for: row), tables)
            isEdited = false
        }
        let differences = attributes.differences(from: row.attributes, kind: row.kind, isEdited: isEdited)
        if isEdited || isMoved || !differences.isEmpty {
            try change(&row, sighting, in: folder, isMoved: isMoved, isEdited: isEdited, differences)
        }
        row.attributes = attributes
        if let hash = sighting.content?.hash { row.hash = hash }
        try save(row)
    }

    /// Where the file system keeps no extended attributes, nobody can have changed them.
    private func attributes(of sighting: Sighting, _ row: Row) -> Attributes {
        guard var attributes = sighting.attributes else { return row.attributes }
        if !keepsExtendedAttributes { attributes.extended = row.attributes.extended }
        return attributes
    }

    /// No edit: the heads that the file shows stay what they are, and only their bytes lie elsewhere.
    private mutating func storeAgain(_ content: Content, of row: Row) {
        for member in row.members {
            for dot in member.dots { changes[member.item, default: ItemChange()].storedAgain[dot] = content.body }
        }
    }

    private mutating func change(
        _ row: inout Row, _ sighting: Sighting, in folder: Row, isMoved: Bool, isEdited: Bool,
        _ differences: [AttributeKey: [UInt8]]
    ) throws {
        let primary = row.primary
        if primary.isMain, !isMoved, !isEdited {
            changes[primary.item, default: ItemChange()].attributes.merge(differences) { $1 }
            return
        }
        let item =
            primary.isMain
            ? primary.item : ItemID.promotedCopy(of: primary.item, dot: primary.dots.min() ?? primary.dots[0])
        var change = changes[item] ?? ItemChange()
        if !primary.isMain { try promote(row, sighting, in: folder, into: &change) }
        change.keeps = true
        change.seen.formUnion(row.lifeSeen[item] ?? [])
        if isMoved {
            if row.name != sighting.name || row.isDerived { change.name = sighting.name }
            if row.parent != folder.id || row.isDerived { change.parent = folder.primary.item }
            row.parent = folder.id
            row.name = sighting.name
            row.isDerived = false
        }
        if isEdited {
            guard change.content == nil || !primary.isMain else {
                throw DriveError(.internalFault, "two files stand for one item", path: "\(sighting.name)")
            }
            change.content = sighting.content
            change.content?.was = row.hash.map(Content.Predecessor.init)
            if primary.isMain { change.dropped.formUnion(primary.dots) }
        }
        if primary.isMain { change.attributes.merge(differences) { $1 } }
        changes[item] = change
        if !primary.isMain { changes[primary.item, default: ItemChange()].promoted.formUnion(primary.dots) }
        // Other items with equal bytes were this file too: they end with it.
        for member in primary.isMain ? Array(row.members.dropFirst()) : row.members {
            drop(member, of: row, cause: nil, isFolder: false)
        }
        row.members = [Member(item: item, dots: primary.isMain ? primary.dots : [])]
        successors.append(Successor(row: row.id, item: item, isContent: isEdited || !primary.isMain))
    }

    /// A derived copy that is touched becomes an item of its own, under the name that it was shown by or has now.
    private func promote(_ row: Row, _ sighting: Sighting, in folder: Row, into change: inout ItemChange) throws {
        change.created = row.kind
        change.name = sighting.name
        change.parent = folder.primary.item
        let attributes = attributes(of: sighting, row)
        change.attributes = attributes.registers(of: row.kind)
        let shown = try tables.item(row.primary.item)?.state.heads.first { row.primary.dots.contains($0.dot) }
        change.content = shown?.content
        if let modified = attributes.modified { change.content?.modified = modified }
        if sighting.isOfferedAgain, let content = sighting.content { change.content?.body = content.body }
        guard change.content != nil || sighting.content != nil else {
            throw DriveError(.internalFault, "a conflict copy has no content", path: "\(sighting.name)")
        }
        if change.content == nil { change.content = sighting.content }
    }
}

// Gone.
extension ScanRecorder {
    private mutating func disappeared(_ row: Row) throws {
        let folder = row.isParked || !vanished.contains(row.parent) ? nil : try tables.row(row.parent)
        for member in row.members {
            let cause = try folder.map { try self.cause(of: member.item, in: $0) }
            drop(member, of: row, cause: cause, isFolder: row.kind == .folder)
        }
    }

    private mutating func drop(_ member: Member, of row: Row, cause: ItemID?, isFolder: Bool) {
        guard member.item != .root else { return }
        var change = changes[member.item] ?? ItemChange()
        if let cause { change.causes.insert(cause) } else { change.isDeletedBySelf = true }
        change.dropped.formUnion(member.dots)
        change.seen.formUnion(row.lifeSeen[member.item] ?? [])
        if isFolder { change.isFolderDeleted = true }
        changes[member.item] = change
    }

    /// S7: the nearest vanished folder above that was not itself dead when it was shown; if all were, the parent.
    private func cause(of item: ItemID, in folder: Row) throws -> ItemID {
        var place = item
        var nearest: ItemID?
        var row: Row? = folder
        while let above = row {
            let parent = try tables.item(place)?.state.parent
            place = parent.flatMap { above.member($0)?.item } ?? above.primary.item
            if nearest == nil { nearest = place }
            if !above.rescued.contains(place) { return place }
            row = above.isParked || !vanished.contains(above.parent) ? nil : try tables.row(above.parent)
        }
        return nearest ?? folder.primary.item
    }
}

// S8 and lift.
extension ScanRecorder {
    /// A cycle is shown broken: a group with a move makes what is shown real, or moving one partner would silently
    /// redo the undone move of the other.
    private mutating func pin() throws {
        for item in try tables.undone() where changes[item] == nil {
            if let parent = try tables.item(item)?.shape.parent { changes[item] = ItemChange(parent: parent) }
        }
    }

    /// What lives in a folder that is shown only for its sake is kept against deletes that did not see the rename.
    private mutating func lift(_ folder: ItemID) throws {
        var waiting = try tables.rows(holding: folder).filter { $0.kind == .folder }
        while let above = waiting.popLast() {
            let isLifted = above.member(folder) != nil
            for row in try tables.children(of: above.id) {
                for member in row.members { try keep(member, of: row, in: above, lifting: isLifted ? folder : nil) }
                if row.kind == .folder, row.members.allSatisfy({ row.rescued.contains($0.item) }) {
                    waiting.append(row)
                }
            }
        }
    }

    private mutating func keep(_ member: Member, of row: Row, in above: Row, lifting folder: ItemID?) throws {
        guard member.item != .root, !row.rescued.contains(member.item), member.isMain || row.kind == .folder,
            let item = try tables.item(member.item), changes[member.item]?.keeps != true
        else { return }
        // In a merged folder only what hangs in the lifted member, or in none of those shown.
        if let folder, item.state.parent != folder, above.member(item.state.parent) != nil { return }
        changes[member.item, default: ItemChange()].keeps = true
        changes[member.item]!.seen.formUnion(row.lifeSeen[member.item] ?? [])
        successors.append(Successor(row: row.id, item: member.item, isContent: false))
    }
}
