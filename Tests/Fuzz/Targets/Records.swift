@testable import DriveCore
@testable import DriveTesting

extension FuzzTarget {
    /// What a journal says, without its envelope and its compression.
    static let records = FuzzTarget(name: "records", run: Records.run, seeds: Records.seeds)
}

enum Records {
    static func run(_ bytes: [UInt8]) throws {
        guard let states = try? RecordCodec.decodeAll(bytes) else { return }
        for state in states { try check(state) }
        let again = RecordCodec.encode(states)
        try require(try RecordCodec.decodeAll(again) == states, "records come back as they were")
        for state in states.prefix(4) where state.flaw == nil { try joins(state, states) }
    }

    static func seeds() -> [[UInt8]] {
        var tables = RandomTables(seed: 1)
        return (0..<12).map { number in
            RecordCodec.encode((0...number).map { _ in tables.state(tables.random.choice(tables.ids)) })
        }
    }

    /// What the rest of the program takes for granted of a decoded record.
    static func check(_ state: ItemState) throws {
        try require(state.name.value.isValid, "a name is one component")
        try require(state.heads.map(\.dot) == Set(state.heads.map(\.dot)).sorted(), "heads ascend by dot")
        try require(state.life.map(\.dot) == Set(state.life.map(\.dot)).sorted(), "life ascends by dot")
        try require(state.context.entries.allSatisfy { $0.n > 0 }, "no device without records")
        for head in state.heads { try check(head.content) }
    }

    static func check(_ content: Content) throws {
        try require(content.modified.nanoseconds < 1_000_000_000, "a time has less than a second beyond its seconds")
        for chunk in content.namedChunks { try check(chunk) }
        _ = content.namedSize
    }

    static func check(_ chunk: ChunkReference) throws {
        try require(StoredKey.isSafe(chunk.object), "an object's name leads nowhere else")
        let end = chunk.offset.addingReportingOverflow(UInt64(chunk.storedLength))
        try require(!end.overflow, "a chunk ends where a number can tell")
    }

    /// Records of one journal that a reader accepts are joined without a check in between.
    private static func joins(_ state: ItemState, _ others: [ItemState]) throws {
        try require(state.joined(state) == state, "a record joined with itself is the same")
        for other in others where other.id == state.id && other.flaw == nil {
            guard other.kind == state.kind else { continue }
            let joined = state.joined(other)
            try require(joined.joined(state) == joined, "joining what is known changes nothing")
        }
    }
}
