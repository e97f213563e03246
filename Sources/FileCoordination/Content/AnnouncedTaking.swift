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

/// What an act is about to give another place without taking it out.
public struct AnnouncedMove: Hashable, Sendable {
    public var from: DrivePath
    public var to: DrivePath
    /// Of what is at `from` before the act.
    public var identity: FileIdentity
    /// Nil of a folder.
    public var content: ContentHash?
    /// The operation that this reverses, or a part of it.
    public var reversed: UInt64?

    public init(
        _ from: DrivePath, to: DrivePath, _ identity: FileIdentity, _ content: ContentHash?, reversed: UInt64? = nil
    ) {
        (self.from, self.to, self.identity, self.content, self.reversed) = (from, to, identity, content, reversed)
    }
}

/// What one act is about to do, as it is kept until it has come to its end.
struct Announcement {
    /// Nil where nothing said why they are taken: then nothing is written down of them.
    var cause: DriveOperation.Kind?
    var takings: [FileName: Taking] = [:]
    var moves: [AnnouncedMove] = []
    /// In the order in which they come.
    var returns: [AnnouncedReturn] = []
    /// What is to be removed from the trash for good.
    var removed: [FileName] = []

    /// The entry is in the trash's list.
    struct Taking: Hashable {
        var successor: ContentHash?
        var copy: DrivePath?
        var reversed: UInt64?
    }

    init(
        _ takings: [AnnouncedTaking], moves: [AnnouncedMove] = [], returns: [AnnouncedReturn] = [],
        _ cause: DriveOperation.Kind?
    ) {
        (self.cause, self.moves, self.returns) = (cause, moves, returns)
        for taking in takings {
            self.takings[taking.entry.name] = Taking(
                successor: taking.successor, copy: taking.copy, reversed: taking.reversed)
        }
    }

    var isEmpty: Bool { takings.isEmpty && moves.isEmpty && returns.isEmpty && removed.isEmpty }

    /// Entries without files, once what they told of has left the trash.
    var leaving: Set<FileName> { Set(returns.map(\.name) + removed) }

    /// Before version 2 it was said only that there is one, before version 3 no moves, and before version 4 nothing that leaves
    /// the trash.
    init(decoding bytes: [UInt8]) throws(DriveError) {
        var reader = ByteReader(bytes)
        let version = try reader.byte()
        guard version >= 2 else { return }
        cause = DriveOperation.Kind(rawValue: String(decoding: try reader.blob(limit: 64), as: UTF8.self))
        if version >= 3 { for _ in 0..<(try reader.varint()) { moves.append(try AnnouncedMove(from: &reader)) } }
        if version >= 4 {
            for _ in 0..<(try reader.varint()) { returns.append(try AnnouncedReturn(from: &reader)) }
            for _ in 0..<(try reader.varint()) { removed.append(FileName(bytes: try reader.blob(limit: 255))) }
        }
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
        writer.count(moves.count)
        for move in moves { move.write(to: &writer) }
        writer.count(returns.count)
        for file in returns { file.write(to: &writer) }
        writer.count(removed.count)
        for name in removed { writer.blob(name.bytes) }
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

    private static let version: UInt8 = 4
}

extension AnnouncedMove {
    fileprivate init(from reader: inout ByteReader) throws(DriveError) {
        from = DrivePath(bytes: try reader.blob(limit: .max))
        to = DrivePath(bytes: try reader.blob(limit: .max))
        let flags = try reader.byte()
        identity = try FileIdentity(from: &reader, hasBirth: flags & 1 != 0)
        if flags & 2 != 0 { content = try reader.hash() }
        if flags & 4 != 0 { reversed = try reader.varint() }
    }

    fileprivate func write(to writer: inout ByteWriter) {
        writer.blob(from.bytes)
        writer.blob(to.bytes)
        writer.byte((identity.birth == nil ? 0 : 1) | (content == nil ? 0 : 2) | (reversed == nil ? 0 : 4))
        identity.write(to: &writer)
        if let content { writer.hash(content) }
        if let reversed { writer.varint(reversed) }
    }
}
