/// When the deletes that this device made, and that are held, were noticed: nothing else tells, since they are not recorded.
public struct HeldSince {
    private let state: any DriveState
    private static let key = "held-since"

    public init(_ state: any DriveState) { self.state = state }

    /// In milliseconds since 1970; of those that are held no more as well, which nobody asks for.
    public func times() throws -> [RowID: UInt64] {
        var result: [RowID: UInt64] = [:]
        // What came back and went again was noticed anew.
        for batch in try load() { for row in batch.rows { result[row] = batch.time } }
        return result
    }

    /// They are held from now on. Within the caller's transaction, before their rows say so.
    package func note(_ rows: Set<RowID>, now: UInt64) throws {
        if rows.isEmpty { return }
        let held = Set(try state.heldRows().map(\.id)).subtracting(rows)
        let before = try load().map { Batch(time: $0.time, rows: $0.rows.intersection(held)) }
        try save(before.filter { !$0.rows.isEmpty } + [Batch(time: now, rows: rows)])
    }

    /// What was noticed at once.
    private struct Batch {
        var time: UInt64
        var rows: Set<RowID>
    }

    private func load() throws -> [Batch] {
        guard let bytes = try state.setting(Self.key) else { return [] }
        var reader = ByteReader(bytes)
        var result: [Batch] = []
        while !reader.isAtEnd {
            let time = try reader.fixed(UInt64.self)
            result.append(Batch(time: time, rows: RowList.decode(try reader.blob(limit: bytes.count))))
        }
        return result
    }

    private func save(_ batches: [Batch]) throws {
        var writer = ByteWriter()
        for batch in batches {
            writer.fixed(batch.time)
            writer.blob(RowList.encode(batch.rows) ?? [])
        }
        try state.setSetting(writer.bytes, Self.key)
    }
}
