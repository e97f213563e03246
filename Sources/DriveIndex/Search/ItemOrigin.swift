import DriveCore

/// What the records of an item say of how it came to be as it is.
struct ItemOrigin: Hashable, Sendable {
    /// When it came to its folder, in milliseconds since 1970 by the clock of the device that put it there.
    var added: UInt64
    /// The label of the device that changed it last.
    var device: String
    /// Another one after each change, whoever makes it.
    var changeTag: String
    /// Of a conflict copy: the name of what it is a copy of.
    var original: FileName?

    init(_ row: Row, _ item: ItemState, _ labels: DeviceLabels) {
        let last = row.isDerived ? row.primary.dots.compactMap { item.head($0)?.tag }.max() : nil
        added = (last ?? item.placement.tag).time.milliseconds
        device = labels.text((last ?? item.lastChange).dot)
        changeTag = Self.tag(of: item.context)
        original = row.isDerived ? item.name.value : nil
    }

    private static func tag(of context: DeviceVector) -> String {
        String(ContentHasher.hash(of: MemoryCoding.encode(context)).description.prefix(16))
    }
}

extension Head {
    fileprivate var tag: Tag { Tag(time: time, dot: dot) }
}

extension ItemState {
    /// Of its name, place, attributes or content; that a content is stored anew changes nothing.
    fileprivate var lastChange: Tag {
        var last = claim
        for register in attributes.values { last = max(last, register.tag) }
        for head in heads { last = max(last, head.tag) }
        return last
    }
}
