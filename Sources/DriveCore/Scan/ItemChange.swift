/// What a scan does to one item: collected over all rows that show it, then made into one record.
struct ItemChange {
    /// Set for a new item.
    var created: ItemKind?
    /// A content that replaces `dropped`.
    var content: Content?
    var name: FileName?
    var parent: ItemID?
    var attributes: [AttributeKey: [UInt8]] = [:]
    /// Where the store has the bytes of these heads from now on.
    var storedAgain: [Dot: Content.Body] = [:]
    /// Heads whose row was edited, moved away from them, or deleted.
    var dropped: Set<Dot> = []
    /// Heads that became an item of their own.
    var promoted: Set<Dot> = []
    /// Life dots that were shown here.
    var seen: Set<Dot> = []
    /// Keeps the item alive against deletes that did not see this.
    var keeps = false
    /// A folder row vanished.
    var isFolderDeleted = false
    /// Deleted by itself, or absorbed by another file.
    var isDeletedBySelf = false
    /// Deleted together with these folders.
    var causes: Set<ItemID> = []

    init(parent: ItemID? = nil) { self.parent = parent }

    var deletionMark: Mark { isDeletedBySelf || causes.isEmpty ? .bySelf : Mark(folders: causes) }
}

extension ItemState {
    /// Whether this value is in force already. A time is not where a content came after it, since that brought its own:
    /// then the same time once more is a change.
    fileprivate func says(_ value: [UInt8], of key: AttributeKey) -> Bool {
        guard let own = attributes[key], own.value == value else { return false }
        return key != .modified || heads.allSatisfy { own.tag > Tag(time: $0.time, dot: $0.dot) }
    }
}

/// Makes the record of one changed item (`merge.md` 3.3).
struct RecordMaker {
    let dot: Dot
    let time: HybridTime
    let isAlive: (ItemID) throws -> Bool
    /// Whether a row of this disk still shows one of these heads of the item.
    let isShownHere: (ItemID, Set<Dot>) throws -> Bool

    private var tag: Tag { Tag(time: time, dot: dot) }

    func create(_ id: ItemID, _ change: ItemChange, kind: ItemKind) -> ItemState {
        let parent = change.parent ?? .root
        return ItemState(
            id: id, kind: kind, context: DeviceVector(dot.device, dot.n),
            name: Register(tag: tag, value: change.name ?? FileName(bytes: [])),
            placement: Register(tag: tag, value: Placement(parent: parent, from: parent)),
            attributes: change.attributes.mapValues { Register(tag: tag, value: $0) },
            heads: change.content.map { [Head(dot: dot, time: time, content: $0)] } ?? [],
            life: [LifeDot(dot: dot)])
    }

    /// Nil where nothing changes.
    func update(_ old: ItemState, _ change: ItemChange) throws -> ItemState? {
        var new = old
        if let name = change.name { new.name = Register(tag: tag, value: name) }
        if let parent = change.parent {
            let from = parent != old.parent ? old.parent : old.placement.value.from
            new.placement = Register(tag: tag, value: Placement(parent: parent, from: from))
        }
        for (key, value) in change.attributes where !old.says(value, of: key) || change.created != nil {
            new.attributes[key] = Register(tag: tag, value: value)
        }
        for place in new.heads.indices {
            guard let body = change.storedAgain[new.heads[place].dot] else { continue }
            new.heads[place].content.body = body
            new.heads[place].content.storedAgain = tag
        }
        let rest = try new.heads.filter { try !change.dropped.contains($0.dot) && !$0.mark.holds(isAlive: isAlive) }
        try changeHeads(&new, change, rest: rest)
        try changeLife(&new, change, rest: rest)
        guard new != old else { return nil }
        new.context[dot.device] = dot.n
        return new
    }

    private func changeHeads(_ new: inout ItemState, _ change: ItemChange, rest: [Head]) throws {
        let dropped = change.dropped.intersection(new.heads.map(\.dot))
        if let content = change.content {
            // An edit replaces what was shown here, and what is deleted anyway.
            new.heads = (rest + [Head(dot: dot, time: time, content: content)]).sorted { $0.dot < $1.dot }
            return
        }
        guard !dropped.isEmpty, new.kind.hasContent, !rest.isEmpty || !change.keeps else { return }
        if !change.promoted.isEmpty, !rest.isEmpty { new.heads.removeAll { change.promoted.contains($0.dot) } }
        // A mark, not a removal: so two devices that each delete another version keep both.
        for place in new.heads.indices
        where dropped.contains(new.heads[place].dot) && !change.promoted.contains(new.heads[place].dot) {
            let mark = new.heads[place].mark
            if !mark.bySelf { new.heads[place].mark = mark.union(change.deletionMark) }
        }
    }

    private func changeLife(_ new: inout ItemState, _ change: ItemChange, rest: [Head]) throws {
        if change.keeps {
            new.life.removeAll { change.seen.contains($0.dot) }
            new.life = (new.life + [LifeDot(dot: dot)]).sorted { $0.dot < $1.dot }
            return
        }
        if change.content != nil { return }
        let deleted = change.dropped.intersection(new.heads.map(\.dot)).subtracting(change.promoted)
        if new.kind.hasContent, !rest.isEmpty {
            guard !deleted.isEmpty else { return }
            cut(&new.life, deleted, change.deletionMark)
            let isDead = try new.life.allSatisfy { try $0.mark.holds(isAlive: isAlive) }
            // The others are shown here: whoever deletes one of several versions chooses them.
            let isChoice = try isShownHere(new.id, Set(rest.map(\.dot)))
            if isDead || isChoice { new.life = (new.life + [LifeDot(dot: dot)]).sorted { $0.dot < $1.dot } }
        } else if !change.dropped.isEmpty || change.isFolderDeleted {
            cut(&new.life, change.seen, change.deletionMark)
        }
    }

    /// A delete by itself removes life dots, a delete with its folder marks them.
    private func cut(_ life: inout [LifeDot], _ dots: Set<Dot>, _ mark: Mark) {
        if mark.bySelf {
            life.removeAll { dots.contains($0.dot) }
        } else {
            for place in life.indices where dots.contains(life[place].dot) {
                life[place].mark = life[place].mark.union(mark)
            }
        }
    }
}
