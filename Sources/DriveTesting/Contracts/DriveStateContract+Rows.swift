import DriveCore
import DriveTransport

// What is on the disk.
extension DriveStateContract {
    static func keepsRows(_ state: any DriveState) throws {
        var tables = RandomTables(seed: 11)
        var rows: [RowID: Row] = [.root: try requireValue(state.row(.root), "the root's row")]
        for _ in 0..<400 {
            if tables.random.chance(percent: 25), let id = rows.keys.sorted().last, id != .root {
                rows[id] = nil
                try state.remove(id)
                try requireEqual(state.row(id), nil, "a removed row")
            } else {
                let isNew = rows.count < 8 || tables.random.chance(percent: 30)
                let id = isNew ? try state.newRowID() : tables.random.choice(rows.keys.sorted().dropFirst())
                let row = tables.row(id)
                rows[id] = row
                try state.save(row)
                try requireEqual(state.row(id), row, "the row")
            }
            if tables.random.chance(percent: 8) { try compare(state, rows, tables) }
        }
        try compare(state, rows, tables)
    }

    static func forgetsFolders(_ state: any DriveState) throws {
        var tables = RandomTables(seed: 23)
        let (from, to, child) = (try state.newRowID(), try state.newRowID(), try state.newRowID())
        var row = tables.row(child)
        (row.parent, row.isParked, row.isHeld) = (from, false, false)
        let known = tables.knownFolder()
        func change(_ what: String, forgets: Set<RowID>, _ body: (inout Row) -> Void) throws {
            for folder in [from, to] { try state.setKnownFolder(known, folder) }
            body(&row)
            try state.save(row)
            for folder in [from, to] {
                try requireEqual(try state.knownFolder(folder), forgets.contains(folder) ? nil : known, what)
            }
        }
        try change("a row is new", forgets: [from]) { _ in }
        try change("a row stays", forgets: []) { _ in }
        try change("what a walk does not see", forgets: []) { $0.placedInBoot = 7 }
        try change("it is a conflict copy", forgets: [from]) { $0.isDerived.toggle() }
        try change("other facts", forgets: [from]) { $0.facts.changed.seconds += 1 }
        try change("another name", forgets: [from]) { $0.name = "another" }
        try change("held", forgets: [from]) { $0.isHeld = true }
        try change("parked", forgets: [from]) { $0.isParked = true }
        try change("placed", forgets: [from]) { $0.isParked = false }
        try change("another folder", forgets: [from, to]) { $0.parent = to }
        try state.setKnownFolder(known, to)
        try state.setKnownFolder(known, child)
        try state.remove(child)
        try requireEqual(try state.knownFolder(to), nil, "a row is gone")
        try requireEqual(try state.knownFolder(child), nil, "the folder itself is gone")
    }

    /// Every query against a look at all rows.
    private static func compare(_ state: any DriveState, _ rows: [RowID: Row], _ tables: RandomTables) throws {
        let all = rows.values.sorted { $0.id < $1.id }
        let others = all.filter { $0.id != .root }
        try requireEqual(state.allRows().sorted { $0.id < $1.id }, all, "all rows")
        try requireEqual(state.rowCount(), others.count, "the number of rows")
        for place in [0, all.count / 2, all.count - 1] {
            let next = Array(all[(place + 1)...].prefix(3))
            try requireEqual(state.rows(after: all[place].id, limit: 3), next, "the next rows")
        }
        try requireEqual(Set(state.parkedRows()), Set(others.filter(\.isParked)), "parked rows")
        try requireEqual(Set(state.heldRows()), Set(others.filter(\.isHeld)), "held rows")
        try requireEqual(state.heldRowCount(), others.count(where: \.isHeld), "the number of held rows")
        for folder in (1...9).map({ RowID(rawValue: $0) }) {
            let children = others.filter { $0.parent == folder && !$0.isParked }
            try requireEqual(Set(state.children(of: folder)), Set(children), "rows in a folder")
            for name in tables.names {
                let named = children.filter { $0.name == name }
                try requireEqual(
                    state.glances(in: folder, named: name), named.sorted { $0.id < $1.id }.map(RowGlance.init),
                    "glances of one name")
                let found = try state.child(of: folder, named: name)
                try require(found.map(named.contains) ?? named.isEmpty, "the row of a name")
            }
        }
        for id in tables.ids {
            try requireEqual(
                Set(state.rows(holding: id)), Set(others.filter { $0.member(id) != nil }), "rows of an item")
        }
        for row in others {
            let found = try state.row(identity: row.facts.identity)
            try requireEqual(found?.facts.identity, row.facts.identity, "the row of an inode")
            if let hash = row.hash {
                let equal = others.filter { $0.hash == hash }
                try requireEqual(state.rows(hash: hash), equal, "rows of a hash")
                try require(state.first(hash: hash) { $0 }.map(equal.contains) ?? equal.isEmpty, "a row of a hash")
            }
        }
        try requireEqual(state.row(identity: FileIdentity(inode: 999, birth: nil)), nil, "an unknown inode")
    }

    static func swapsRows(_ state: any DriveState) throws {
        var tables = RandomTables(seed: 12)
        var first = tables.row(try state.newRowID())
        var second = tables.row(try state.newRowID())
        (first.parent, second.parent) = (.root, .root)
        (first.isParked, second.isParked) = (false, false)
        (first.name, second.name) = ("one", "two")
        try state.save(first)
        try state.save(second)
        try state.transaction {
            (first.name, second.name) = ("two", "one")
            try state.save(first)
            try state.save(second)
        }
        try requireEqual(state.child(of: .root, named: "two"), first, "the first row at the second's place")
        try requireEqual(state.child(of: .root, named: "one"), second, "the second row at the first's place")
    }

    static func givesRowIDs(_ state: any DriveState) throws {
        var tables = RandomTables(seed: 13)
        var given: Set<RowID> = [.root]
        for _ in 0..<20 {
            let id = try state.newRowID()
            try require(given.insert(id).inserted, "a new id")
            try state.save(tables.row(id))
            if tables.random.chance(percent: 50) { try state.remove(id) }
        }
    }
}
