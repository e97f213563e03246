import DriveCore

/// The column `item.state`: what of an item's state has no column of its own.
///
/// A file with one content that nothing happened to since it was made takes about 70 bytes, the most of them its hash.
enum StateCoding {
    private static let placementTagIsNameTag: UInt8 = 1
    private static let fromIsParent: UInt8 = 2
    /// The life dots are those of the heads, with the same marks.
    private static let lifeIsHeads: UInt8 = 4
    /// The context is the greatest of all dots in the state.
    private static let contextIsDots: UInt8 = 8
    private static let hasAttributes: UInt8 = 16

    static func encode(_ state: ItemState, _ keys: Interner) throws -> [UInt8] {
        var writer = ByteWriter(reserving: 96)
        let tag = state.name.tag
        let lifeIsHeads = state.life == state.lifeOfHeads
        let contextIsDots = state.context == state.dots
        var flags: UInt8 = 0
        if state.placement.tag == tag { flags |= placementTagIsNameTag }
        if state.placement.value.from == state.parent { flags |= fromIsParent }
        if lifeIsHeads { flags |= self.lifeIsHeads }
        if contextIsDots { flags |= self.contextIsDots }
        if !state.attributes.isEmpty { flags |= hasAttributes }
        writer.byte(flags)
        writer.fixed(tag.time.rawValue)
        try writer.dot(tag.dot, keys)
        if state.placement.tag != tag { try writer.tag(state.placement.tag, near: tag, keys) }
        if state.placement.value.from != state.parent { try writer.key(state.placement.value.from, keys) }
        if !state.attributes.isEmpty { try writer.attributes(state.attributes, near: tag, keys) }
        writer.count(state.heads.count)
        for head in state.heads { try writer.head(head, near: tag, keys) }
        if !lifeIsHeads { try writer.life(state.life, keys) }
        if !contextIsDots { try writer.vector(state.context, keys) }
        return writer.bytes
    }

    static func decode(
        _ bytes: [UInt8], id: ItemID, kind: ItemKind, name: FileName, parent: ItemID, _ keys: Interner
    ) throws -> ItemState {
        var reader = ByteReader(bytes)
        let flags = try reader.byte()
        let time = HybridTime(rawValue: try reader.fixed(UInt64.self))
        let tag = Tag(time: time, dot: try reader.dot(keys))
        let placementTag = flags & placementTagIsNameTag != 0 ? tag : try reader.tag(near: tag, keys)
        let from = flags & fromIsParent != 0 ? parent : try reader.item(keys)
        var state = ItemState(
            id: id, kind: kind, context: DeviceVector(), name: Register(tag: tag, value: name),
            placement: Register(tag: placementTag, value: Placement(parent: parent, from: from)), life: [])
        if flags & hasAttributes != 0 { state.attributes = try reader.attributes(near: tag, keys) }
        state.heads = try reader.list(each: 40) { try $0.head(near: tag, keys) }
        state.life = flags & lifeIsHeads != 0 ? state.lifeOfHeads : try reader.life(keys)
        state.context = flags & contextIsDots != 0 ? state.dots : try reader.vector(keys)
        try reader.expectEnd()
        return state
    }

    /// The column `version.head`.
    static func encode(_ head: Head, _ keys: Interner) throws -> [UInt8] {
        var writer = ByteWriter(reserving: 96)
        try writer.head(head, near: nowhere, keys)
        return writer.bytes
    }

    static func decodeHead(_ bytes: [UInt8], _ keys: Interner) throws -> Head {
        var reader = ByteReader(bytes)
        let head = try reader.head(near: nowhere, keys)
        try reader.expectEnd()
        return head
    }

    /// No head has this tag: it is written out.
    private static let nowhere = Tag(time: .zero, dot: Dot(device: DeviceID(high: 0, low: 0), n: 0))
}

extension ByteWriter {
    fileprivate mutating func tag(_ tag: Tag, near other: Tag, _ keys: Interner) throws {
        distance(tag.time.rawValue, from: other.time.rawValue)
        try dot(tag.dot, keys)
    }

    fileprivate mutating func attributes(
        _ attributes: [AttributeKey: Register<[UInt8]>], near other: Tag, _ keys: Interner
    ) throws {
        count(attributes.count)
        for (key, register) in attributes.sorted(by: { $0.key < $1.key }) {
            varint(UInt64(key.rawValue))
            try tag(register.tag, near: other, keys)
            blob(register.value)
        }
    }

    fileprivate mutating func mark(_ mark: Mark, _ keys: Interner) throws {
        varint(UInt64(mark.folders.count) << 1 | (mark.bySelf ? 1 : 0))
        for folder in mark.folders { try key(folder, keys) }
    }

    fileprivate mutating func life(_ life: [LifeDot], _ keys: Interner) throws {
        count(life.count)
        for entry in life {
            try dot(entry.dot, keys)
            try mark(entry.mark, keys)
        }
    }

    fileprivate mutating func head(_ head: Head, near other: Tag, _ keys: Interner) throws {
        let tag = Tag(time: head.time, dot: head.dot)
        let content = head.content
        let form = BodyForm(content)
        byte(
            form.rawValue | (tag == other ? HeadFlags.tagIsNameTag : 0) | (head.mark.isEmpty ? 0 : HeadFlags.hasMark)
                | (content.was == nil ? 0 : HeadFlags.hasPredecessor)
                | (content.storedAgain == nil ? 0 : HeadFlags.isStoredAgain))
        if tag != other { try self.tag(tag, near: other, keys) }
        if !head.mark.isEmpty { try mark(head.mark, keys) }
        hash(content.hash)
        varint(content.size)
        time(content.modified, near: other.seconds)
        if let was = content.was {
            fixed(was.high)
            fixed(was.low)
        }
        switch content.body {
        case .inline(let bytes): blob(bytes)
        case .list(let chunk): try self.chunk(chunk, isWhole: false, keys)
        case .chunks(let chunks):
            if form == .chunks { count(chunks.count) }
            for chunk in chunks { try self.chunk(chunk, isWhole: form == .single, keys) }
        }
        if let again = content.storedAgain { try self.tag(again, near: other, keys) }
    }
}

extension ByteReader {
    fileprivate mutating func tag(near other: Tag, _ keys: Interner) throws -> Tag {
        Tag(time: HybridTime(rawValue: try distance(from: other.time.rawValue)), dot: try dot(keys))
    }

    fileprivate mutating func attributes(
        near other: Tag, _ keys: Interner
    ) throws -> [AttributeKey: Register<[UInt8]>] {
        var result: [AttributeKey: Register<[UInt8]>] = [:]
        for _ in 0..<(try count(limit: Self.listLimit, each: 4)) {
            let key = AttributeKey(rawValue: try number(UInt16.self))
            let tag = try tag(near: other, keys)
            result[key] = Register(tag: tag, value: try blob(limit: Self.listLimit))
        }
        return result
    }

    fileprivate mutating func mark(_ keys: Interner) throws -> Mark {
        let code = try varint()
        guard code >> 1 <= UInt64(remaining) else { throw DriveError.damagedBlob }
        if code < 2 { return code == 0 ? .none : .bySelf }
        var folders: [ItemID] = []
        for _ in 0..<(code >> 1) { folders.append(try item(keys)) }
        return Mark(bySelf: code & 1 != 0, folders: folders)
    }

    fileprivate mutating func life(_ keys: Interner) throws -> [LifeDot] {
        try list(each: 3) { LifeDot(dot: try $0.dot(keys), mark: try $0.mark(keys)) }
    }

    fileprivate mutating func head(near other: Tag, _ keys: Interner) throws -> Head {
        let flags = try byte()
        guard let form = BodyForm(rawValue: flags & 3) else { throw DriveError.damagedBlob }
        let tag = flags & HeadFlags.tagIsNameTag != 0 ? other : try tag(near: other, keys)
        let mark = flags & HeadFlags.hasMark != 0 ? try mark(keys) : .none
        let hash = try hash()
        let size = try varint()
        let modified = try time(near: other.seconds)
        var was: Content.Predecessor?
        if flags & HeadFlags.hasPredecessor != 0 {
            was = Content.Predecessor(high: try fixed(UInt64.self), low: try fixed(UInt64.self))
        }
        let body: Content.Body
        switch form {
        case .inline: body = .inline(try blob(limit: Self.listLimit))
        case .list: body = .list(try chunk(nil, keys))
        case .chunks: body = .chunks(try list(each: 36) { try $0.chunk(nil, keys) })
        case .single:
            guard let length = UInt32(exactly: size) else { throw DriveError.damagedBlob }
            body = .chunks([try chunk((hash, length), keys)])
        }
        let again = flags & HeadFlags.isStoredAgain != 0 ? try self.tag(near: other, keys) : nil
        let content = Content(
            hash: hash, size: size, modified: modified, was: was, body: body, storedAgain: again)
        return Head(dot: tag.dot, time: tag.time, content: content, mark: mark)
    }
}

extension Tag {
    fileprivate var seconds: Int64 { Int64(time.milliseconds / 1_000) }
}

private enum HeadFlags {
    static let tagIsNameTag: UInt8 = 4
    static let hasMark: UInt8 = 8
    static let hasPredecessor: UInt8 = 16
    static let isStoredAgain: UInt8 = 32
}
