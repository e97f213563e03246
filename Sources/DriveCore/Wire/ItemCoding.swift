/// The first byte of a record: its kind and which parts go without saying.
private struct ItemFlags {
    static let placementTagIsNameTag: UInt8 = 0x04
    /// Two bits: `from` is the parent, the root, or written out.
    static let fromIsRoot: UInt8 = 0x08
    static let fromIsWritten: UInt8 = 0x10
    /// The life dots are those of the heads, with the same marks.
    static let lifeIsHeads: UInt8 = 0x20
    /// The context is the greatest of all dots in the record.
    static let contextIsDots: UInt8 = 0x40
}

extension ItemState {
    /// What a record knows at least: every dot that stands in it.
    package var dots: DeviceVector {
        var result = DeviceVector()
        func add(_ dot: Dot) { if result[dot.device] < dot.n { result[dot.device] = dot.n } }
        add(name.tag.dot)
        add(placement.tag.dot)
        for register in attributes.values { add(register.tag.dot) }
        for head in heads { add(head.dot) }
        for entry in life { add(entry.dot) }
        return result
    }

    package var lifeOfHeads: [LifeDot] { heads.map { LifeDot(dot: $0.dot, mark: $0.mark) } }
}

extension ByteWriter {
    mutating func state(_ state: ItemState, _ context: inout WireContext) {
        let placement = state.placement
        let isOneTag = placement.tag == state.name.tag
        let lifeIsHeads = state.life == state.lifeOfHeads
        let contextIsDots = state.context == state.dots
        var flags = state.kind.rawValue
        if isOneTag { flags |= ItemFlags.placementTagIsNameTag }
        if lifeIsHeads { flags |= ItemFlags.lifeIsHeads }
        if contextIsDots { flags |= ItemFlags.contextIsDots }
        if placement.value.from != placement.value.parent {
            flags |= placement.value.from == .root ? ItemFlags.fromIsRoot : ItemFlags.fromIsWritten
        }
        byte(flags)
        item(state.id)
        if state.kind == .folder { context.items.add(state.id) }
        tag(state.name.tag, &context)
        blob(state.name.value.bytes)
        if !isOneTag { tag(placement.tag, &context) }
        item(placement.value.parent, &context)
        if flags & ItemFlags.fromIsWritten != 0 { item(placement.value.from, &context) }
        let near = isOneTag ? [state.name.tag] : [state.name.tag, placement.tag]
        attributes(state.attributes, near: near, &context)
        heads(state.heads, near: near, parent: state.parent, &context)
        if !lifeIsHeads { life(state.life, parent: state.parent, &context) }
        if !contextIsDots { vector(state.context, &context) }
    }
}

extension ByteReader {
    mutating func state(_ context: inout WireContext) throws(DriveError) -> ItemState {
        let flags = try byte()
        guard flags < 0x80, let kind = ItemKind(rawValue: flags & 3) else {
            throw .malformed("a record has unknown bits")
        }
        let id = try item()
        if kind == .folder { context.items.add(id) }
        let nameTag = try tag(&context)
        let name = FileName(bytes: try blob(limit: FileName.maximumLength))
        guard name.isValid else { throw .malformed("no file can have the name of an item") }
        let isOneTag = flags & ItemFlags.placementTagIsNameTag != 0
        let placementTag = isOneTag ? nameTag : try tag(&context)
        let parent = try item(&context)
        let near = isOneTag ? [nameTag] : [nameTag, placementTag]
        let placement = Placement(parent: parent, from: try origin(flags, parent: parent, &context))
        let attributes = try attributes(near: near, &context)
        let heads = try heads(near: near, parent: parent, &context)
        var state = ItemState(
            id: id, kind: kind, context: DeviceVector(), name: Register(tag: nameTag, value: name),
            placement: Register(tag: placementTag, value: placement), attributes: attributes, heads: heads, life: [])
        state.life =
            flags & ItemFlags.lifeIsHeads != 0 ? state.lifeOfHeads : try life(parent: parent, &context)
        state.context = flags & ItemFlags.contextIsDots != 0 ? state.dots : try vector(&context)
        return state
    }

    private mutating func origin(
        _ flags: UInt8, parent: ItemID, _ context: inout WireContext
    ) throws(DriveError) -> ItemID {
        switch flags & (ItemFlags.fromIsRoot | ItemFlags.fromIsWritten) {
        case 0: parent
        case ItemFlags.fromIsRoot: .root
        case ItemFlags.fromIsWritten: try item(&context)
        default: throw .malformed("a record has unknown bits")
        }
    }
}
