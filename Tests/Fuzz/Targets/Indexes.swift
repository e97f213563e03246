@testable import DriveCore
@testable import DriveIndex
import DrivePredicates
@testable import DriveTesting

extension FuzzTarget {
    /// The columns of the index, over an index that knows a few items, devices and objects by their keys.
    static let indexStates = FuzzTarget(name: "index-states", run: IndexStates.run, seeds: IndexStates.seeds)
    /// Rows, and intents with their rows; the first byte chooses.
    static let indexRows = FuzzTarget(name: "index-rows", run: IndexRows.run, seeds: IndexRows.seeds)
    /// Values of the table `memory`; the first byte chooses.
    static let indexMemory = FuzzTarget(name: "index-memory", run: IndexMemory.run, seeds: IndexMemory.seeds)
    /// What documents say of themselves, as the search index keeps it.
    static let searchAttributes = FuzzTarget(
        name: "search-attributes", run: SearchAttributes.run, seeds: SearchAttributes.seeds)
}

/// One index in memory, with keys that are always the same.
private struct KnownKeys {
    let index: DriveIndex
    var tables = RandomTables(seed: 5)
    var keys: Interner { index.keys }

    init() throws {
        index = try DriveIndex(path: nil)
        for id in tables.ids { _ = try keys.key(of: id) }
        for device in tables.devices { _ = try keys.key(of: device) }
        for number in 0..<3 { _ = try keys.key(of: "other/\(number).x" as ObjectKey) }
    }

    /// Making an index takes a hundred times as long as a run.
    static func with<Result>(_ body: (inout KnownKeys) throws -> Result) throws -> Result {
        if kept == nil { kept = try KnownKeys() }
        guard var known = kept else { throw Broken("no index") }
        return try body(&known)
    }

    /// An index is for one thread at a time: a search has one, and the tests of the corpora run one after the other.
    nonisolated(unsafe) private static var kept: KnownKeys?
}

private enum IndexStates {
    static func run(_ bytes: [UInt8]) throws {
        try KnownKeys.with { known in
            let keys = known.keys
            let id = known.tables.ids[9]
            func decoded(_ bytes: [UInt8]) throws -> ItemState {
                try StateCoding.decode(bytes, id: id, kind: .file, name: "a", parent: known.tables.ids[0], keys)
            }
            guard let state = try? decoded(bytes) else { return }
            try require(try decoded(StateCoding.encode(state, keys)) == state, "a state comes back as it was")
        }
    }

    static func seeds() throws -> [[UInt8]] {
        try KnownKeys.with { known in
            var tables = known.tables
            return try (0..<12).map { _ in
                var state = tables.state(tables.ids[9])
                state.placement.value.parent = tables.ids[0]
                return try StateCoding.encode(state, known.keys)
            }
        }
    }
}

private enum IndexRows {
    static func run(_ bytes: [UInt8]) throws {
        let rest = Array(bytes.dropFirst())
        try KnownKeys.with { known in
            let keys = known.keys
            guard (bytes.first ?? 0) % 2 == 0 else {
                guard let intent = try? IntentCoding.decode(rest, keys) else { return }
                let again = try IntentCoding.decode(try IntentCoding.encode(intent, keys), keys)
                return try require(again == intent, "an intent comes back as it was")
            }
            guard let row = try? RowCoding.decode(rest, into: columns, keys) else { return }
            let again = try RowCoding.decode(try RowCoding.encode(row, keys), into: columns, keys)
            try require(again == row, "a row comes back as it was")
        }
    }

    static func seeds() throws -> [[UInt8]] {
        try KnownKeys.with { known in
            var tables = known.tables
            let keys = known.keys
            let trash = TrashEntry(
                name: "t", path: "a/t", hash: tables.hash(), size: 9, reason: .replaced, time: 1_700_000_000_000)
            let steps: [Intent.Step] = [
                .place(staged: "s"), .replace(staged: "s", trash: trash),
                .move(fromFolder: .root, fromName: "f", wasParked: true), .park, .remove(staged: "s", trash: trash),
                .removeFolder(staged: "s"), .setAttributes,
            ]
            return try steps.flatMap { step in
                let row = tables.row(RowID(rawValue: 9))
                let intent = Intent(step: step, identity: row.facts.identity, row: row)
                return [[0] + (try RowCoding.encode(row, keys)), [1] + (try IntentCoding.encode(intent, keys))]
            }
        }
    }

    private static let columns = RowColumns(
        id: RowID(rawValue: 9), parent: .root, kind: .file, isParked: false, isHeld: false, isDerived: false, inode: 7,
        size: 9, modified: 1_700_000_000, hash: 1, name: "a")
}

private enum IndexMemory {
    static func run(_ bytes: [UInt8]) throws {
        let rest = Array(bytes.dropFirst())
        switch (bytes.first ?? 0) % 4 {
        case 0: try comesBack(rest, MemoryCoding.numbers, MemoryCoding.encode)
        case 1: try comesBack(rest, MemoryCoding.vector, MemoryCoding.encode)
        case 2: try comesBack(rest, MemoryCoding.labels, MemoryCoding.encode)
        default: try comesBack(rest, MemoryCoding.journal, MemoryCoding.encode)
        }
    }

    static func seeds() -> [[UInt8]] {
        var tables = RandomTables(seed: 6)
        var memory = JournalMemory(device: tables.devices[0], labels: [DeviceLabel(from: 1, text: "pc")])
        memory.published = 300
        memory.segments = [
            SegmentReference(low: 1, high: 300, key: "log/x", size: 900, hash: tables.hash(), records: 300)
        ]
        memory.heads = ["head/x", "head/y"]
        var intending = memory
        intending.intended = IntendedHead(key: "head/z", published: 301, generation: 2, segments: memory.segments)
        var labels = DeviceLabels()
        labels[tables.devices[0]] = memory.labels
        var vector = DeviceVector(tables.devices[0], 7)
        vector[tables.devices[1]] = 1 << 40
        let numbers = RecordNumbers(device: tables.devices[0], last: 7, clock: HybridTime(milliseconds: 1 << 40))
        return [
            [0] + MemoryCoding.encode(numbers), [1] + MemoryCoding.encode(vector), [2] + MemoryCoding.encode(labels),
            [3] + MemoryCoding.encode(memory), [3] + MemoryCoding.encode(intending),
        ]
    }

    private static func comesBack<Value: Equatable>(
        _ bytes: [UInt8], _ decode: ([UInt8]) throws -> Value, _ encode: (Value) -> [UInt8]
    ) throws {
        guard let value = try? decode(bytes) else { return }
        try require(try decode(encode(value)) == value, "a value comes back as it was")
    }
}

private enum SearchAttributes {
    static func run(_ bytes: [UInt8]) throws {
        guard let attributes = try? AttributeCoding.decode(bytes) else { return }
        // Bytes, since a number that is none is not equal to itself.
        let encoded = AttributeCoding.encode(attributes)
        try require(
            try AttributeCoding.encode(AttributeCoding.decode(encoded)) == encoded, "attributes come back as they were")
    }

    static func seeds() -> [[UInt8]] {
        let date = PredicateDate(seconds: -1, nanoseconds: 999_999_999)
        let values: [PredicateValue] = [
            .bool(true), .bool(false), .integer(.min), .real(.nan), .string("Übung"), .date(date),
            .list([.string("Ada"), .list([.integer(7)]), .date(date)]), .list([]), .null,
        ]
        let named = values.enumerated().map { ("kMDItem\($0.offset)", $0.element) }
        return [[:], Dictionary(uniqueKeysWithValues: named)].map(AttributeCoding.encode)
            + named.map { AttributeCoding.encode([$0.0: $0.1]) }
    }
}
