import DriveCore

/// The column `row.rest`: what of a row has no column of its own. About 75 bytes for a plain file.
enum RowCoding {
    private static let isExecutableFile: UInt8 = 4
    private static let isForeignMount: UInt8 = 8
    private static let hasBirth: UInt8 = 16
    private static let hasHash: UInt8 = 32
    private static let isExecutable: UInt8 = 64
    // The second byte.
    private static let hasModified: UInt8 = 1
    /// The attribute's time is that of the facts.
    private static let modifiedIsFact: UInt8 = 2
    private static let hasExtended: UInt8 = 4
    /// What was seen of the members' life are their dots.
    private static let lifeIsMembers: UInt8 = 8
    private static let hasRescued: UInt8 = 16
    private static let hasBoot: UInt8 = 32
    /// Its only member is the item that is named by it, which has no records.
    private static let isOwnItem: UInt8 = 64

    static func encode(_ row: Row, _ keys: Interner) throws -> [UInt8] {
        var writer = ByteWriter(reserving: 96)
        let facts = row.facts
        let modified = row.attributes.modified
        let lifeIsMembers = row.lifeSeen == lifeOfMembers(row.members)
        var first = facts.kind.rawValue
        if facts.isExecutable { first |= isExecutableFile }
        if facts.isForeignMount { first |= isForeignMount }
        if facts.identity.birth != nil { first |= hasBirth }
        if row.hash != nil { first |= hasHash }
        if row.attributes.isExecutable { first |= isExecutable }
        var second: UInt8 = 0
        if modified != nil { second |= hasModified }
        if modified == facts.modified { second |= modifiedIsFact }
        if !row.attributes.extended.isEmpty { second |= hasExtended }
        if lifeIsMembers { second |= self.lifeIsMembers }
        if !row.rescued.isEmpty { second |= hasRescued }
        if row.placedInBoot != nil { second |= hasBoot }
        let isOwnItem = row.members == [Member(item: row.ownItem)] && row.lifeSeen.isEmpty
        if isOwnItem { second |= Self.isOwnItem }
        writer.byte(first)
        writer.byte(second)
        writer.fixed(facts.modified.nanoseconds)
        writer.time(facts.changed, near: facts.modified.seconds)
        if let birth = facts.identity.birth { writer.time(birth, near: facts.modified.seconds) }
        if let hash = row.hash {
            writer.fixed(hash.words.1)
            writer.fixed(hash.words.2)
            writer.fixed(hash.words.3)
        }
        if let modified, modified != facts.modified { writer.time(modified, near: facts.modified.seconds) }
        if !row.attributes.extended.isEmpty { writer.extended(row.attributes.extended) }
        if !isOwnItem {
            try writer.members(row.members, keys)
            if !lifeIsMembers { try writer.lifeSeen(row.lifeSeen, keys) }
        }
        if !row.rescued.isEmpty {
            writer.count(row.rescued.count)
            for item in row.rescued.sorted() { try writer.key(item, keys) }
        }
        if let boot = row.placedInBoot { writer.fixed(boot) }
        return writer.bytes
    }

    /// Completes a row of which the columns are given.
    static func decode(_ bytes: [UInt8], into columns: RowColumns, _ keys: Interner) throws -> Row {
        var reader = ByteReader(bytes)
        let (facts, first, second) = try facts(
            &reader, inode: columns.inode, size: columns.size, modified: columns.modified)
        let modified = facts.modified
        var row = Row(id: columns.id, parent: columns.parent, name: columns.name, kind: columns.kind, facts: facts)
        row.isParked = columns.isParked
        row.isHeld = columns.isHeld
        row.isDerived = columns.isDerived
        if first & hasHash != 0 {
            row.hash = ContentHash(
                words: (
                    columns.hash, try reader.fixed(UInt64.self), try reader.fixed(UInt64.self),
                    try reader.fixed(UInt64.self)
                ))
        }
        row.attributes.isExecutable = first & isExecutable != 0
        if second & hasModified != 0 {
            row.attributes.modified = second & modifiedIsFact != 0 ? modified : try reader.time(near: modified.seconds)
        }
        if second & hasExtended != 0 { row.attributes.extended = try reader.extended() }
        if second & isOwnItem != 0 {
            row.members = [Member(item: row.ownItem)]
        } else {
            row.members = try reader.members(keys)
            row.lifeSeen = second & lifeIsMembers != 0 ? lifeOfMembers(row.members) : try reader.lifeSeen(keys)
        }
        if second & hasRescued != 0 { row.rescued = Set(try reader.list { try $0.item(keys) }) }
        if second & hasBoot != 0 { row.placedInBoot = try reader.fixed(UInt64.self) }
        try reader.expectEnd()
        return row
    }

    /// Of the beginning of the column, where the facts are.
    static func facts(_ bytes: [UInt8], inode: UInt64, size: UInt64, modified: Int64) throws -> FileFacts {
        var reader = ByteReader(bytes)
        return try facts(&reader, inode: inode, size: size, modified: modified).facts
    }

    private static func facts(
        _ reader: inout ByteReader, inode: UInt64, size: UInt64, modified: Int64
    ) throws -> (facts: FileFacts, first: UInt8, second: UInt8) {
        let first = try reader.byte()
        let second = try reader.byte()
        guard let kind = FileFacts.Kind(rawValue: first & 3) else { throw DriveError.damagedBlob }
        let modified = FileTime(seconds: modified, nanoseconds: try reader.fixed(UInt32.self))
        let changed = try reader.time(near: modified.seconds)
        let birth = first & hasBirth != 0 ? try reader.time(near: modified.seconds) : nil
        let facts = FileFacts(
            kind: kind, identity: FileIdentity(inode: inode, birth: birth), size: size, modified: modified,
            changed: changed, isExecutable: first & isExecutableFile != 0, isForeignMount: first & isForeignMount != 0)
        return (facts, first, second)
    }

    private static func lifeOfMembers(_ members: [Member]) -> [ItemID: [Dot]] {
        var result: [ItemID: [Dot]] = [:]
        for member in members { result[member.item] = member.dots }
        return result
    }
}

/// What of a row has columns.
struct RowColumns {
    var id: RowID
    var parent: RowID
    var kind: ItemKind
    var isParked: Bool
    var isHeld: Bool
    var isDerived: Bool
    var inode: UInt64
    var size: UInt64
    var modified: Int64
    /// The first word.
    var hash: UInt64
    var name: FileName
}

extension ByteWriter {
    fileprivate mutating func extended(_ extended: [AttributeKey: [UInt8]]) {
        count(extended.count)
        for (key, value) in extended.sorted(by: { $0.key < $1.key }) {
            varint(UInt64(key.rawValue))
            blob(value)
        }
    }

    fileprivate mutating func members(_ members: [Member], _ keys: Interner) throws {
        count(members.count)
        for member in members {
            varint(UInt64(try keys.key(of: member.item)) << 1 | (member.isMain ? 1 : 0))
            try dots(member.dots, keys)
        }
    }

    fileprivate mutating func lifeSeen(_ life: [ItemID: [Dot]], _ keys: Interner) throws {
        count(life.count)
        for (item, dots) in life.sorted(by: { $0.key < $1.key }) {
            try key(item, keys)
            try self.dots(dots, keys)
        }
    }
}

extension ByteReader {
    fileprivate mutating func extended() throws -> [AttributeKey: [UInt8]] {
        var result: [AttributeKey: [UInt8]] = [:]
        for _ in 0..<(try count(limit: Self.listLimit, each: 2)) {
            let key = AttributeKey(rawValue: try number(UInt16.self))
            result[key] = try blob(limit: Self.listLimit)
        }
        return result
    }

    fileprivate mutating func members(_ keys: Interner) throws -> [Member] {
        try list(each: 2) { reader in
            let code = try reader.varint()
            let item = try keys.item(Int64(code >> 1))
            return Member(item: item, dots: try reader.dots(keys), isMain: code & 1 != 0)
        }
    }

    fileprivate mutating func lifeSeen(_ keys: Interner) throws -> [ItemID: [Dot]] {
        var result: [ItemID: [Dot]] = [:]
        for _ in 0..<(try count(limit: Self.listLimit, each: 2)) {
            let item = try item(keys)
            result[item] = try dots(keys)
        }
        return result
    }
}
