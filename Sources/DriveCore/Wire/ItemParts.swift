/// Attributes, heads and life of an item, in the forms that whole records and the index's columns share.
///
/// `near` are tags that were written before: a tag that equals one of them costs its place among them only.
extension ByteWriter {
    mutating func attributes(
        _ attributes: [AttributeKey: Register<[UInt8]>], near: [Tag], _ context: inout WireContext
    ) {
        count(attributes.count)
        for (key, register) in attributes.sorted(by: { $0.key < $1.key }) {
            varint(UInt64(key.rawValue))
            let form = near.firstIndex(of: register.tag) ?? near.count
            byte(UInt8(form))
            if form == near.count { tag(register.tag, &context) }
            blob(register.value)
        }
    }

    mutating func heads(_ heads: [Head], near: [Tag], parent: ItemID?, _ context: inout WireContext) {
        count(heads.count)
        for head in heads {
            let tag = Tag(time: head.time, dot: head.dot)
            let place = near.firstIndex(of: tag) ?? near.count
            let mark = MarkForm(head.mark, parent: parent)
            let body = BodyForm(head.content)
            byte(
                UInt8(place) | mark.rawValue << 2 | body.rawValue << 4 | (head.content.was == nil ? 0 : 0x40)
                    | (head.content.storedAgain == nil ? 0 : 0x80))
            if place == near.count { self.tag(tag, &context) }
            self.mark(head.mark, mark, &context)
            content(head.content, body, &context)
            if let tag = head.content.storedAgain { self.tag(tag, &context) }
        }
    }

    mutating func life(_ life: [LifeDot], parent: ItemID?, _ context: inout WireContext) {
        count(life.count)
        for entry in life {
            let mark = MarkForm(entry.mark, parent: parent)
            byte(mark.rawValue)
            dot(entry.dot, &context)
            self.mark(entry.mark, mark, &context)
        }
    }
}

extension ByteReader {
    /// Ascending by key. Keys that this version does not know are kept like all others.
    mutating func attributes(
        near: [Tag], _ context: inout WireContext
    ) throws(DriveError) -> [AttributeKey: Register<[UInt8]>] {
        var result: [AttributeKey: Register<[UInt8]>] = [:]
        var last: AttributeKey?
        for _ in 0..<(try count(limit: WireLimits.attributes, each: 3)) {
            let key = AttributeKey(rawValue: try number(UInt16.self))
            if let last, last >= key { throw .malformed("attributes out of order") }
            last = key
            let tag = try tag(form: Int(try byte()), near: near, &context)
            result[key] = Register(tag: tag, value: try blob(limit: WireLimits.attributeBytes))
        }
        return result
    }

    mutating func heads(near: [Tag], parent: ItemID?, _ context: inout WireContext) throws(DriveError) -> [Head] {
        var result: [Head] = []
        for _ in 0..<(try count(limit: WireLimits.heads, each: 36)) {
            let flags = try byte()
            guard let markForm = MarkForm(rawValue: flags >> 2 & 3),
                let bodyForm = BodyForm(rawValue: flags >> 4 & 3)
            else { throw .malformed("a content has unknown bits") }
            let tag = try tag(form: Int(flags & 3), near: near, &context)
            if let last = result.last, last.dot >= tag.dot { throw .malformed("contents out of order") }
            let mark = try mark(markForm, parent: parent, &context)
            var content = try content(bodyForm, hasPredecessor: flags & 0x40 != 0, &context)
            if flags & 0x80 != 0 { content.storedAgain = try self.tag(&context) }
            result.append(Head(dot: tag.dot, time: tag.time, content: content, mark: mark))
        }
        return result
    }

    mutating func life(parent: ItemID?, _ context: inout WireContext) throws(DriveError) -> [LifeDot] {
        var result: [LifeDot] = []
        for _ in 0..<(try count(limit: WireLimits.heads, each: 3)) {
            guard let form = MarkForm(rawValue: try byte()) else { throw .malformed("a mark has unknown bits") }
            let dot = try dot(&context)
            if let last = result.last, last.dot >= dot { throw .malformed("life out of order") }
            result.append(LifeDot(dot: dot, mark: try mark(form, parent: parent, &context)))
        }
        return result
    }

    mutating func tag(form: Int, near: [Tag], _ context: inout WireContext) throws(DriveError) -> Tag {
        if form < near.count { return near[form] }
        guard form == near.count else { throw .malformed("a tag has unknown bits") }
        return try tag(&context)
    }
}
