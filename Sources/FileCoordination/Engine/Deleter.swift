public import DriveCore

/// Who deleted an item that still lies here, or one of several contents of it. No record says so: it is noted when the delete is joined.
public struct Deleter: Hashable, Sendable {
    /// What people call the device.
    public var label: String
    /// When it was heard of here, in milliseconds since 1970; nil where an earlier version noted it.
    public var time: UInt64?

    init(label: String, time: UInt64) {
        self.label = label
        self.time = time
    }

    /// Nil where nobody else deleted what the row stands for.
    public init?(of row: Row, in state: any DriveState) throws {
        guard let (deleter, _) = try Self.noted(on: row, state) else { return nil }
        self = deleter
    }

    /// `head`: that content of it alone. Within the caller's transaction.
    func note(of item: ItemID, _ head: Dot? = nil, in state: any DriveState) throws {
        var bytes = label.utf8.filter { $0 != 0 }
        if let time { bytes += [0] + Array("\(time)".utf8) }
        try state.setSetting(bytes, Self.key(item, head))
    }

    /// The label; forgotten with the answer.
    static func take(of row: Row, _ state: any DriveState) throws -> String? {
        guard let (deleter, key) = try noted(on: row, state) else { return nil }
        try state.setSetting(nil, key)
        return deleter.label
    }

    /// Of an item that has no row.
    static func take(of item: ItemID, _ state: any DriveState) throws -> String? {
        guard let bytes = try state.setting(key(item)) else { return nil }
        try state.setSetting(nil, key(item))
        return Deleter(encoded: bytes).label
    }

    private static func noted(on row: Row, _ state: any DriveState) throws -> (Deleter, key: String)? {
        for member in row.members {
            for key in member.dots.map({ key(member.item, $0) }) + [key(member.item)] {
                if let bytes = try state.setting(key) { return (Deleter(encoded: bytes), key) }
            }
        }
        return nil
    }

    private init(encoded: [UInt8]) {
        let parts = encoded.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        label = String(decoding: parts[0], as: UTF8.self)
        time = parts.count < 2 ? nil : UInt64(String(decoding: parts[1], as: UTF8.self))
    }

    private static func key(_ item: ItemID, _ head: Dot? = nil) -> String {
        "deleted-by/\(item)" + (head.map { "/\($0.device)/\($0.n)" } ?? "")
    }
}
