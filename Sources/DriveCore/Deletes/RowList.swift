/// Rows as settings hold them: 8 bytes each, the highest first.
enum RowList {
    static func decode(_ bytes: [UInt8]) -> Set<RowID> {
        Set(
            stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { start in
                RowID(
                    rawValue: Int64(bitPattern: bytes[start..<(start + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
            })
    }

    /// Nil where there are none.
    static func encode(_ rows: Set<RowID>) -> [UInt8]? {
        let bytes = rows.sorted().flatMap { row in
            (0..<8).map { UInt8(truncatingIfNeeded: row.rawValue >> (56 - 8 * $0)) }
        }
        return bytes.isEmpty ? nil : bytes
    }
}
