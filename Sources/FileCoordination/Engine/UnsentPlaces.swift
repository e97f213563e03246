import DriveCore

/// Where others have what waits to be published, and what has come there here.
///
/// To publish that first would show both to the others: what was there would keep its name, and the other get that of a conflict copy.
struct UnsentPlaces {
    private let state: any DriveState
    private let before: [ItemID: WithheldItems.Reason]
    private let device: DeviceID
    private let published: UInt64
    /// Of each item the first record.
    private var first: [ItemID: ItemState] = [:]
    /// Of each that waits for its own content the first record that does.
    private var waiting: [ItemID: ItemState] = [:]
    /// The last one before that, which goes.
    private var going: [ItemID: ItemState] = [:]

    /// `groups` are to be published, and of these records some wait.
    init(_ groups: [RecordGroup], _ state: any DriveState, waits: (ItemState) -> Bool) throws {
        self.state = state
        before = try WithheldItems(state).all()
        device = try state.numbers().device
        published = try state.journal().published
        for record in groups.flatMap(\.records) where waiting[record.id] == nil {
            if first[record.id] == nil { first[record.id] = record }
            if waits(record) { waiting[record.id] = record } else { going[record.id] = record }
        }
    }

    /// What waits for something that the store refuses, because others have that where this is now.
    struct Follower {
        /// What is refused.
        var leader: ItemID
        fileprivate var places: UnsentPlaces

        /// A record from before it came there can go.
        func holds(_ record: ItemState) -> Bool { places.mayHaveMoved(record) }
    }

    /// `waiting` are records that others know by an earlier one, `pending` the newest of what else waits to be published. A folder
    /// waits for nothing: all that is in it would have to.
    func followers(of waiting: [ItemState], among pending: [ItemState]) throws -> [ItemID: Follower] {
        var left = Dictionary(pending.filter { $0.kind.hasContent }.map { ($0.id, $0) }) { $1 }
        var open = waiting.map { (record: $0, leader: $0.id) }
        var result: [ItemID: Follower] = [:]
        while let (record, leader) = open.popLast() {
            for item in try itemsInPlace(of: record) {
                guard let next = left.removeValue(forKey: item), mayHaveMoved(next) else { continue }
                result[item] = Follower(leader: leader, places: self)
                open.append((next, leader))
            }
        }
        return result
    }

    /// What is here where others have this.
    func itemsInPlace(of record: ItemState) throws -> [ItemID] {
        guard let place = try place(of: record), let folder = try path(ofFolder: place.parent),
            let row = try state.row(at: folder.appending(place.name))
        else { return [] }
        return row.members.map(\.item).filter { $0 != record.id }
    }

    /// Where others have it, as far as that is known. What another device moved it to is known to them, whatever was known before.
    func place(of record: ItemState) throws -> OthersPlace? {
        let known = before[record.id]?.others
        let first = waiting[record.id] ?? first[record.id] ?? record
        // Records that wait say nothing of what was learned since.
        let item = try state.item(record.id)?.state ?? record
        guard let name = try name(of: item, first) ?? known?.name, let parent = parent(of: item, first, known) else {
            return nil
        }
        return OthersPlace(parent: parent, name: name)
    }

    /// The last that they get before what waits.
    private func sent(_ id: ItemID) -> ItemState? { before[id] == nil && waiting[id] != nil ? going[id] : nil }

    private func name(of record: ItemState, _ first: ItemState) throws -> FileName? {
        if record.name.tag.dot.device != device { return record.name.value }
        if let sent = sent(record.id) { return sent.name.value }
        // It is recorded again and again, so that its numbers do not tell.
        if before[record.id] != nil { return nil }
        if !isNew(first.name.tag) { return first.name.value }
        guard let path = try path(of: first) else { return nil }
        var old: FileName?
        try state.events(at: path) { event in
            if event.kind == .moved { old = event.from?.name }
            return old == nil && [.edited, .attributes].contains(event.kind)
        }
        return old
    }

    private func parent(of record: ItemState, _ first: ItemState, _ known: OthersPlace?) -> ItemID? {
        if record.placement.tag.dot.device != device { return record.parent }
        if let sent = sent(record.id) { return sent.parent }
        if before[record.id] != nil { return known?.parent }
        return isNew(first.placement.tag) ? first.placement.value.from : first.parent
    }

    private func mayHaveMoved(_ record: ItemState) -> Bool {
        before[record.id] != nil || isNew(record.name.tag) || isNew(record.placement.tag)
    }

    /// Since the last record that was published.
    private func isNew(_ tag: Tag) -> Bool { tag.dot.device == device && tag.dot.n > published }

    /// By the name that it has here.
    func path(of record: ItemState) throws -> DrivePath? {
        try path(ofFolder: record.parent)?.appending(record.name.value)
    }

    /// Where it is, or was when it was deleted: one that was made there since is one with it to the others.
    private func path(ofFolder folder: ItemID) throws -> DrivePath? {
        var names: [FileName] = []
        var place = folder
        while names.count < DrivePath.deepest {
            if let above = try ViewReader(state).path(ofNode: place) {
                return DrivePath(above.components + names.reversed())
            }
            guard let gone = try state.item(place), !gone.shape.isAlive else { return nil }
            names.append(gone.state.name.value)
            place = gone.state.parent
        }
        return nil
    }
}

/// A folder and a name in it.
struct OthersPlace: Hashable, Codable {
    private var high: UInt64
    private var low: UInt64
    private var bytes: [UInt8]

    init(parent: ItemID, name: FileName) { (high, low, bytes) = (parent.high, parent.low, name.bytes) }

    var parent: ItemID { ItemID(high: high, low: low) }
    var name: FileName { FileName(bytes: bytes) }
}
