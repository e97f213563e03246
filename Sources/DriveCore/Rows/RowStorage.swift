/// Where rows are kept. The root's row is always there.
public protocol RowStorage: AnyObject {
    func row(_ id: RowID) throws -> Row?
    /// Inserts or replaces, and keeps every index below.
    func save(_ row: Row) throws
    func remove(_ id: RowID) throws
    /// Never one that this process was given before, nor one that was ever recorded. It is recorded with the next
    /// transaction that changes something.
    func newRowID() throws -> RowID
    /// Rows in a folder, parked ones left out.
    func children(of folder: RowID) throws -> [Row]
    /// The same rows, as a walk compares them with the disk: of a million, and most are as they were.
    func glances(in folder: RowID) throws -> [RowGlance]
    /// Those of one name, in the order of ids: a place may be claimed by two.
    func glances(in folder: RowID, named name: FileName) throws -> [RowGlance]
    func child(of folder: RowID, named name: FileName) throws -> Row?
    /// Rows that have the item among their members.
    func rows(holding item: ItemID) throws -> [Row]
    func row(identity: FileIdentity) throws -> Row?
    /// All of a file that has several names (hard links).
    func rows(identity: FileIdentity) throws -> [Row]
    /// What the body first makes something of, of the file rows with this hash. Of a hundred thousand files that are equal no more
    /// are read than that takes; the body may read and change others, and may be shown one that it has seen before.
    func first<Result>(hash: ContentHash, _ body: (Row) throws -> Result?) throws -> Result?
    func parkedRows() throws -> [Row]
    func heldRows() throws -> [Row]
    /// How many these are, without reading them.
    func heldRowCount() throws -> Int
    func allRows() throws -> [Row]
    /// The first of those with greater ids, in the order of ids.
    func rows(after id: RowID, limit: Int) throws -> [Row]
    func rowCount() throws -> Int
    /// Nil where a walk has not found the folder so, or a row in it has changed since.
    func knownFolder(_ folder: RowID) throws -> KnownFolder?
    func setKnownFolder(_ known: KnownFolder, _ folder: RowID) throws
}

extension RowStorage {
    /// The names from the root down. What waits aside for its place has the one that it had before, as people know it; once that
    /// folder is gone, or lies in it, the path begins there.
    public func path(of row: Row) throws -> DrivePath {
        var names: [FileName] = []
        var parked: Set<RowID> = []
        var place = row
        while place.id != .root {
            if place.isParked, !parked.insert(place.id).inserted { break }
            names.append(place.name)
            guard let parent = try self.row(place.parent) else { break }
            place = parent
        }
        return DrivePath(names.reversed())
    }

    /// Whether any file row has this hash.
    public func hasRow(hash: ContentHash) throws -> Bool { try first(hash: hash) { $0 } != nil }

    /// What lies at a path, as far as this device knows.
    package func row(at path: DrivePath) throws -> Row? {
        var place = try row(.root)
        for name in path.components {
            guard let folder = place else { return nil }
            place = try child(of: folder.id, named: name)
        }
        return place
    }

    /// What waits aside for its place, or lies in a folder that does, by the path that it had: parked, as a person sees it.
    package func rowAside(at path: DrivePath) throws -> Row? {
        for aside in try parkedRows() {
            let place = try self.path(of: aside)
            guard path.isInside(place) else { continue }
            var found: Row? = aside
            for name in path.components.dropFirst(place.components.count) {
                guard let folder = found else { break }
                found = try child(of: folder.id, named: name)
            }
            guard var found else { continue }
            found.isParked = true
            return found
        }
        return nil
    }

    /// The rows from the root's child down to this row, itself included.
    package func chain(of row: Row) throws -> [Row] {
        var chain = [row]
        while let first = chain.last, first.id != .root, !first.isParked, first.parent != .root,
            let parent = try self.row(first.parent)
        {
            chain.append(parent)
        }
        return chain.reversed()
    }

    /// Whether the folder, or one above it, was deleted here, and that delete is held.
    package func isHeld(_ folder: RowID) throws -> Bool {
        try row(folder).map { try chain(of: $0).contains { $0.isHeld } } ?? false
    }

    /// The row, with what is in it beneath it, folders before their contents.
    package func subtree(of row: Row) throws -> [Row] {
        var result = [row]
        var place = 0
        while place < result.count {
            if result[place].kind == .folder { result += try children(of: result[place].id) }
            place += 1
        }
        return result
    }

    /// Whether another file on this disk stands for this part of an item, so that `row` may not.
    func isHeld(_ member: Member, byAnotherThan row: Row) throws -> Bool {
        try rows(holding: member.item).contains { other in
            guard other.id != row.id, other.kind == row.kind, let theirs = other.member(member.item) else {
                return false
            }
            return (theirs.isMain && member.isMain) || theirs.dots.contains(where: member.dots.contains)
        }
    }
}

extension RowStorage {
    /// Every row in the order of ids, some of them in memory at a time; `body` may read and change others.
    public func eachRow(_ body: (Row) throws -> Void) throws {
        var rows = try rows(after: RowID(rawValue: 0), limit: 1_024)
        while let last = rows.last {
            for row in rows { try body(row) }
            rows = try self.rows(after: last.id, limit: 1_024)
        }
    }
}
