/// Which row each sighting continues (`merge.md` 3.2). Without entry: new.
///
/// Same place first, so that an editor's save by rename is an edit; else same inode, a move; else the same bytes, if
/// there is one such file on either side.
public struct Identification: Sendable {
    public private(set) var rows: [Int: RowID] = [:]
    private var free: Set<RowID>

    public init(_ sightings: Sightings, _ tables: any RowStorage) throws {
        free = sightings.loose
        for (place, sighting) in sightings.list.enumerated() {
            if let row = sighting.folderInPlace { rows[place] = row }
        }
        // Only rows that are loose are continued elsewhere: a first scan has none, and looks nothing up.
        if free.isEmpty { return }
        let identify = Identifier(sightings: sightings.list, tables: tables)
        try identify.foldersByIdentity(&self)
        try identify.foldersByPlace(&self)
        try identify.filesByPlace(&self)
        try identify.filesByIdentity(&self)
    }

    /// S4, once contents are known; `unread` sightings take no part.
    public mutating func matchByContent(_ sightings: Sightings, _ tables: any RowStorage) throws {
        try Identifier(sightings: sightings.list, tables: tables).filesByContent(&self)
    }

    /// Loose rows that no sighting continues: they vanished.
    public var vanished: Set<RowID> { free }

    /// Whether each sighting is new or where its row has it, and nothing vanished: then each can be recorded without the
    /// others.
    public func isInPlace(_ sightings: Sightings, _ tables: any RowStorage) throws -> Bool {
        guard free.isEmpty else { return false }
        for (place, id) in rows where sightings.list[place].folderInPlace == nil {
            let sighting = sightings.list[place]
            guard let known = try tables.row(id), !known.isParked, known.name == sighting.name,
                row(sighting.folder) == known.parent
            else { return false }
        }
        return true
    }

    fileprivate func isFree(_ row: Row) -> Bool { free.contains(row.id) }

    fileprivate mutating func match(_ sighting: Int, _ row: Row) {
        rows[sighting] = row.id
        free.remove(row.id)
    }

    public func row(_ folder: Sighting.Folder) -> RowID? {
        switch folder {
        case .row(let row): row
        case .sighting(let place): rows[place]
        }
    }
}

private struct Identifier {
    let sightings: [Sighting]
    let tables: any RowStorage

    private func known(_ sighting: Sighting) throws -> Row? { try tables.row(identity: sighting.facts.identity) }

    private func rowAtPlace(_ sighting: Sighting, _ result: Identification) throws -> Row? {
        guard let folder = result.row(sighting.folder) else { return nil }
        guard let row = try tables.child(of: folder, named: sighting.name), !result.isFree(row) else {
            return try tables.child(of: folder, named: sighting.name)
        }
        return try tables.children(of: folder).first { $0.name == sighting.name && result.isFree($0) } ?? row
    }

    private func each(_ kinds: Set<ItemKind>, _ body: (Int, Sighting, ItemKind) throws -> Void) rethrows {
        for (place, sighting) in sightings.enumerated() {
            if let kind = sighting.kind, kinds.contains(kind) { try body(place, sighting, kind) }
        }
    }

    /// S1.
    func foldersByIdentity(_ result: inout Identification) throws {
        try each([.folder]) { place, sighting, _ in
            guard result.rows[place] == nil, let row = try known(sighting), row.kind == .folder else { return }
            if result.isFree(row) { result.match(place, row) }
        }
    }

    func foldersByPlace(_ result: inout Identification) throws {
        try each([.folder]) { place, sighting, _ in
            guard result.rows[place] == nil, let row = try rowAtPlace(sighting, result) else { return }
            if row.kind == .folder, result.isFree(row) { result.match(place, row) }
        }
    }

    /// S2 and S2b.
    func filesByPlace(_ result: inout Identification) throws {
        var placeOf: [FileIdentity: Int] = [:]
        for (place, sighting) in sightings.enumerated() { placeOf[sighting.facts.identity] = place }
        try each([.file, .link]) { place, sighting, kind in
            guard let row = try rowAtPlace(sighting, result), row.kind == kind, result.isFree(row) else { return }
            if row.facts.identity != sighting.facts.identity, let elsewhere = placeOf[row.facts.identity] {
                let known = try known(sighting)
                if known == nil, try movedToFreePlace(elsewhere, from: sighting, row, result) { return }
                if let known, known.kind == kind, known.id != row.id { return }
            }
            result.match(place, row)
        }
    }

    /// Whether the file that was here is now in another folder, at a name that no row of that folder had: then it
    /// moved, and what is here is new.
    private func movedToFreePlace(
        _ elsewhere: Int, from here: Sighting, _ row: Row, _ result: Identification
    ) throws -> Bool {
        let other = sightings[elsewhere]
        guard other.folder != here.folder, !isLeftLink(other, of: row, since: here) else { return false }
        if let a = result.row(other.folder), let b = result.row(here.folder), a == b { return false }
        return try rowAtPlace(other, result) == nil
    }

    /// Whether it is a further name that the file had when it was saved (`cp -al`, then a save by rename): the inode
    /// lost one when the new file came, and nothing else of it changed. Who moves a file and makes another one does
    /// that before.
    private func isLeftLink(_ other: Sighting, of row: Row, since here: Sighting) -> Bool {
        guard let born = here.facts.identity.birth else { return false }
        return other.facts.changed > born && other.facts.isDated(as: row.facts)
    }

    /// S3. Without birth times an inode alone proves nothing: `filesByContent` decides.
    func filesByIdentity(_ result: inout Identification) throws {
        try each([.file, .link]) { place, sighting, kind in
            guard result.rows[place] == nil, sighting.facts.identity.birth != nil else { return }
            // Of a file with several names each has a row.
            let rows = try tables.rows(identity: sighting.facts.identity)
                .filter { $0.kind == kind && result.isFree($0) }
            if let row = rows.first(where: { $0.name == sighting.name }) ?? rows.first { result.match(place, row) }
        }
    }

    /// S4: exactly one new and one vanished file with these bytes. That both are empty says nothing.
    func filesByContent(_ result: inout Identification) throws {
        if result.vanished.isEmpty { return }
        var new: [ContentHash: [Int]] = [:]
        each([.file, .link]) { place, sighting, _ in
            guard result.rows[place] == nil, let content = sighting.content, content.size > 0 else { return }
            new[content.hash, default: []].append(place)
        }
        if new.isEmpty { return }
        var vanished: [ContentHash: [Row]] = [:]
        for id in result.vanished {
            if let row = try tables.row(id), let hash = row.hash { vanished[hash, default: []].append(row) }
        }
        for (hash, places) in new where places.count == 1 && vanished[hash]?.count == 1 {
            let row = vanished[hash]![0]
            if row.kind == sightings[places[0]].kind { result.match(places[0], row) }
        }
    }
}
