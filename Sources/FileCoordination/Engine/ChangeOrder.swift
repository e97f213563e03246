import DriveCore

/// Puts what a scan found at once into an order in which it can have been done, each with the paths of that moment, so that
/// going through them backwards undoes them: files are gone first, then emptied folders go, folders come and things move, then files
/// come and change. A name is free before another takes it, but where items have changed places.
struct ChangeOrder {
    private let rows: any RowStorage
    private var changes: [LocalChange]
    /// The change of a row that was made, moved or removed.
    private var places: [RowID: Int] = [:]
    private var isDone: [Bool]

    init(_ changes: [LocalChange], _ rows: any RowStorage) {
        self.rows = rows
        self.changes = changes
        isDone = Array(repeating: false, count: changes.count)
    }

    mutating func inOrder() throws -> [LocalChange] {
        // Where nothing moves, all paths are what they were.
        guard changes.contains(where: \.isMove) else { return Self.sorted(changes) }
        for (place, change) in changes.enumerated() where change.before != change.now {
            if let row = change.row { places[row] = place }
        }
        for place in changes.indices where changes[place].event.isGone && !changes[place].isStructural {
            if let before = changes[place].before {
                changes[place].event.path = try path(before) ?? changes[place].event.path
            }
        }
        let structural = try ordered()
        let (gone, rest) = (
            changes.filter { !$0.isStructural && $0.event.isGone },
            changes.filter { !$0.isStructural && !$0.event.isGone }
        )
        return Self.sorted(gone) + structural + Self.sorted(rest)
    }

    /// Folders before what is in them, and what is gone before all else; what is alike by its path, as people look for it.
    private static func sorted(_ changes: [LocalChange]) -> [LocalChange] {
        let keys = changes.map { ($0.rank, $0.depth) }
        return changes.indices.sorted { one, other in
            keys[one] == keys[other]
                ? changes[one].event.path < changes[other].event.path : keys[one] < keys[other]
        }.map { changes[$0] }
    }

    /// Those that make, move or remove places for others, each after what has to be before it. Folders move before what is put
    /// into them, as people would tell it, unless something had to come out before.
    private mutating func ordered() throws -> [LocalChange] {
        var other = self
        let told = try ordered(foldersFirst: true)
        if told.broken == 0 { return told.changes }
        let otherwise = try other.ordered(foldersFirst: false)
        return otherwise.broken < told.broken ? otherwise.changes : told.changes
    }

    /// With how many came before something that they needed: of what has changed places one has to.
    private mutating func ordered(foldersFirst: Bool) throws -> (changes: [LocalChange], broken: Int) {
        let all = changes.indices.filter { changes[$0].isStructural }
            .sorted { (changes[$0].order, changes[$0].depth) < (changes[$1].order, changes[$1].depth) }
        var freed: [LocalChange.Place: Int] = [:]
        var leavers: [RowID: [Int]] = [:]
        for place in all {
            guard let before = changes[place].before else { continue }
            freed[before] = place
            leavers[before.folder, default: []].append(place)
        }
        func needs(_ place: Int) -> [Int] {
            let change = changes[place]
            guard let now = change.now else { return change.row.flatMap { leavers[$0] } ?? [] }
            let made = places[now.folder].flatMap { changes[$0].before == nil ? $0 : nil }
            return [made, freed[now]].compactMap(\.self).filter { $0 != place && changes[$0].isStructural }
        }
        func folder(of place: Int) -> Int? {
            guard foldersFirst, let now = changes[place].now else { return nil }
            return places[now.folder].flatMap { $0 != place && changes[$0].isStructural ? $0 : nil }
        }
        var result: [LocalChange] = []
        var broken = 0
        var isBegun = isDone
        for first in all {
            var open = [first]
            while let place = open.last {
                if isDone[place] {
                    open.removeLast()
                } else if isBegun[place] {
                    // All that can come before it has; who changes places with others waits for none of them.
                    open.removeLast()
                    // Nor does a folder come to lie in itself.
                    let isWhole = try needs(place).allSatisfy({ isDone[$0] }) && !entersItself(place)
                    if !isWhole { broken += 1 }
                    result.append(try told(place))
                } else {
                    isBegun[place] = true
                    open += ([folder(of: place)].compactMap(\.self) + needs(place)).filter { !isBegun[$0] }
                }
            }
        }
        return (result, broken)
    }

    private func entersItself(_ place: Int) throws -> Bool {
        guard let row = changes[place].row, let now = changes[place].now, changes[place].isFolder else { return false }
        return try above(now.folder)?.contains { $0.row == row } ?? true
    }

    /// The change with its paths of the moment, after which it is done.
    private mutating func told(_ place: Int) throws -> LocalChange {
        var event = changes[place].event
        let from = try changes[place].before.flatMap(path)
        isDone[place] = true
        if let now = changes[place].now {
            event.path = try path(now) ?? event.path
            if changes[place].isMove { event.from = from ?? event.from }
        } else {
            event.path = from ?? event.path
        }
        changes[place].event = event
        return changes[place]
    }

    /// As things are now; nil where a folder and what it was in have changed places.
    private func path(_ place: LocalChange.Place) throws -> DrivePath? {
        try above(place.folder).map { DrivePath($0.map(\.name).reversed() + [place.name]) }
    }

    /// The folder and those that it is in now, up to the drive's own; nil where it is in itself.
    private func above(_ folder: RowID) throws -> [(row: RowID, name: FileName)]? {
        var result: [(row: RowID, name: FileName)] = []
        var folder = folder
        var seen: Set<RowID> = []
        while folder != .root {
            guard seen.insert(folder).inserted, let place = try place(of: folder) else { return nil }
            result.append((folder, place.name))
            folder = place.folder
        }
        return result
    }

    private func place(of row: RowID) throws -> LocalChange.Place? {
        guard let place = places[row] else { return try rows.row(row).map(LocalChange.Place.init) }
        return isDone[place] ? changes[place].now ?? changes[place].before : changes[place].before ?? changes[place].now
    }
}

extension LocalChange {
    fileprivate var rank: Int {
        switch event.kind {
        case .deleted: 0
        case .added: isFolder ? 1 : 4
        case .moved: isFolder ? 2 : 3
        case .edited: 5
        default: 6
        }
    }

    /// Of those that make, move and remove: what comes first where nothing else decides.
    fileprivate var order: Int { now == nil ? -1 : rank }
}
