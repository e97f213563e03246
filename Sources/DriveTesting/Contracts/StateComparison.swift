import DriveCore
import DriveTransport

/// Does the same to two states, in transactions some of which are thrown away, and compares what both answer on the way:
/// what one of them keeps at hand within a transaction must not be seen.
public struct StateComparison {
    private let states: [any DriveState]
    private var tables: RandomTables
    private var rows: [RowID] = []

    public init(_ first: any DriveState, _ second: any DriveState, seed: UInt64) {
        states = [first, second]
        tables = RandomTables(seed: seed)
    }

    private struct Regret: Error {}

    public mutating func run(transactions: Int) throws {
        // The folders that rows name are there.
        for state in states {
            rows = []
            try state.transaction { for _ in 0..<6 { try state.save(folder(try newRow(state))) } }
        }
        for _ in 0..<transactions {
            let plan = tables
            let known = rows
            let fails = tables.random.chance(percent: 20)
            var ends: [(RandomTables, [RowID])] = []
            // Each state sees the same dice.
            let acts = tables.random.below(60)
            var answers: [[Answer]] = []
            for state in states {
                (tables, rows) = (plan, known)
                var told: [Answer] = []
                do {
                    try state.transaction {
                        for _ in 0..<acts { try act(state, &told) }
                        if fails { throw Regret() }
                    }
                } catch is Regret { rows = known }
                answers.append(told)
                ends.append((tables, rows))
            }
            (tables, rows) = ends[0]
            for (place, answer) in answers[0].enumerated() {
                try requireEqual(answers[1][place], answer, "answer \(place)")
            }
            try requireEqual(try everything(states[1]), try everything(states[0]), "all that is there")
        }
    }

    private func folder(_ id: RowID) -> Row {
        let start = FileTime(seconds: 0)
        let facts = FileFacts(
            kind: .folder, identity: FileIdentity(inode: UInt64(id.rawValue) + 100, birth: nil), size: 0,
            modified: start, changed: start)
        return Row(id: id, parent: .root, name: FileName("folder \(id.rawValue)"), kind: .folder, facts: facts)
    }

    private func everything(_ state: any DriveState) throws -> [Answer] {
        let items = try state.allItems()
        let own = try items.map(\.id).sorted().map { Answer.own(try state.ownRecord(of: $0)) }
        return [.items(Set(items)), .rows(try state.allRows().sorted { $0.id < $1.id }), .count(try state.rowCount())]
            + own
    }

    private enum Answer: Hashable {
        case item(StoredItem?)
        case items(Set<StoredItem>)
        case ids([ItemID])
        case own(OwnRecord?)
        case row(Row?)
        case rows([Row])
        case count(Int)
        case known(KnownFolder?)
        case nothing
    }

    private mutating func act(_ state: any DriveState, _ told: inout [Answer]) throws {
        let id = tables.random.choice(tables.ids)
        switch tables.random.below(11) {
        case 0, 1: try state.save(tables.storedItem(id))
        case 2:
            var item = try state.item(id)
            item?.shape.shownChildren = tables.random.below(9)
            if let item { try state.save(item) }
        case 3: try state.setOwnRecord(OwnRecord(n: UInt64(tables.random.below(9)), covered: 1), of: id)
        case 4: try state.save(tables.row(try newRow(state)))
        case 5: if !rows.isEmpty { try state.save(tables.row(tables.random.choice(rows))) }
        case 6: if tables.random.chance(percent: 40) { try state.remove(tables.random.choice(rows)) }
        case 7: try state.setKnownFolder(tables.knownFolder(), folder())
        default: told.append(try ask(state, id))
        }
    }

    private mutating func folder() -> RowID { RowID(rawValue: Int64(tables.random.number(in: 1...7))) }

    private mutating func newRow(_ state: any DriveState) throws -> RowID {
        let id = try state.newRowID()
        rows.append(id)
        return id
    }

    private mutating func ask(_ state: any DriveState, _ id: ItemID) throws -> Answer {
        let name = tables.random.choice(tables.names)
        let folder = folder()
        switch tables.random.below(17) {
        case 0: return .item(try state.item(id))
        case 1: return .items(Set(try state.children(of: id, named: nil)))
        case 2: return .items(Set(try state.children(of: id, named: name)))
        case 3: return .ids(try state.pendingChildren(of: id).sorted())
        case 4: return .ids(try state.items(markedBy: id).sorted())
        case 5: return .ids(try state.members(ofNode: id).sorted())
        case 6: return .own(try state.ownRecord(of: id))
        case 7: return .rows(try state.children(of: folder).sorted { $0.id < $1.id })
        case 8: return .row(try state.child(of: folder, named: name))
        case 9: return .rows(try state.rows(holding: id).sorted { $0.id < $1.id })
        case 10: return .rows(try state.heldRows().sorted { $0.id < $1.id })
        case 11: return .count(try state.rowCount())
        case 12: return .row(rows.isEmpty ? nil : try state.row(tables.random.choice(rows)))
        case 13:
            guard !rows.isEmpty, let row = try state.row(tables.random.choice(rows)) else { return .nothing }
            let hash = try row.hash.map { try state.rows(hash: $0) } ?? []
            return .rows(hash)
        case 14:
            guard !rows.isEmpty, let row = try state.row(tables.random.choice(rows)) else { return .nothing }
            let others = try state.allRows().filter { $0.facts.identity == row.facts.identity && $0.id != .root }
            // Which of several is not promised.
            return others.count == 1 ? .row(try state.row(identity: row.facts.identity)) : .nothing
        case 15: return .known(try state.knownFolder(folder))
        default: return .rows(try state.parkedRows().sorted { $0.id < $1.id })
        }
    }
}

extension RowStorage {
    /// All with this hash, each once, in the order of ids.
    func rows(hash: ContentHash) throws -> [Row] {
        var found: Set<Row> = []
        _ = try first(hash: hash) { row -> Row? in
            found.insert(row)
            return nil
        }
        return found.sorted { $0.id < $1.id }
    }
}
