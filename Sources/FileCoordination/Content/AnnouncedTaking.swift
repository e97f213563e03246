public import DriveCore

/// What an act is about to take to the trash, and what it does with that: enough to write down what was done where the act itself
/// does not come to it.
public struct AnnouncedTaking: Hashable, Sendable {
    public var entry: TrashEntry
    /// The content that takes its place; nil where none does.
    public var successor: ContentHash?
    /// The conflict copy that has that content and goes from its own place.
    public var copy: DrivePath?
    /// The operation that this reverses, or a part of it.
    public var reversed: UInt64?

    public init(
        _ entry: TrashEntry, successor: ContentHash? = nil, copy: DrivePath? = nil, reversed: UInt64? = nil
    ) {
        self.entry = entry
        self.successor = successor
        self.copy = copy
        self.reversed = reversed
    }
}

/// The takings of one act, as they are kept until it has come to its end.
struct Announcement {
    /// Nil where nothing said why they are taken: then nothing is written down of them.
    var cause: DriveOperation.Kind?
    var takings: [FileName: Taking] = [:]

    /// The entry is in the trash's list.
    struct Taking: Hashable {
        var successor: ContentHash?
        var copy: DrivePath?
        var reversed: UInt64?
    }

    init(_ takings: [AnnouncedTaking], _ cause: DriveOperation.Kind?) {
        self.cause = cause
        for taking in takings {
            self.takings[taking.entry.name] = Taking(
                successor: taking.successor, copy: taking.copy, reversed: taking.reversed)
        }
    }

    /// Before version 2 it was said only that there is one.
    init(decoding bytes: [UInt8]) throws(DriveError) {
        var reader = ByteReader(bytes)
        guard try reader.byte() == Self.version else { return }
        cause = DriveOperation.Kind(rawValue: String(decoding: try reader.blob(limit: 64), as: UTF8.self))
        while !reader.isAtEnd {
            let name = FileName(bytes: try reader.blob(limit: 255))
            let flags = try reader.byte()
            var taking = Taking()
            if flags & 1 != 0 { taking.successor = try reader.hash() }
            if flags & 2 != 0 { taking.copy = DrivePath(bytes: try reader.blob(limit: .max)) }
            if flags & 4 != 0 { taking.reversed = try reader.varint() }
            takings[name] = taking
        }
    }

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.byte(Self.version)
        writer.blob(Array((cause?.rawValue ?? "").utf8))
        for (name, taking) in takings.sorted(by: { $0.key < $1.key }) {
            writer.blob(name.bytes)
            writer.byte(
                (taking.successor == nil ? 0 : 1) | (taking.copy == nil ? 0 : 2) | (taking.reversed == nil ? 0 : 4))
            if let successor = taking.successor { writer.hash(successor) }
            if let copy = taking.copy { writer.blob(copy.bytes) }
            if let reversed = taking.reversed { writer.varint(reversed) }
        }
        return writer.bytes
    }

    private static let version: UInt8 = 2
}
