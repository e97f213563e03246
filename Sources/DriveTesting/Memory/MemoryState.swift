import DriveCore

/// A `DriveState` in dictionaries: what the simulation runs its hundreds of thousands of seeds on.
public final class MemoryState: DriveState {
    var tables = Tables() {
        didSet { noteChange() }
    }
    private var depth = 0
    /// What is to be done once the transaction under way has ended well.
    private var committed: [() -> Void] = []
    /// What a power cut leaves, where that is less than `tables`.
    private var stored: Tables?
    private var hasChanged = false
    /// So many transactions have changed something.
    public private(set) var changingTransactions = 0
    /// Given by this process, and not recorded yet.
    private var nextRow: Int64?

    public init(device: DeviceID, label: String) {
        tables.numbers = RecordNumbers(device: device)
        tables.journal = JournalMemory(device: device, labels: [DeviceLabel(from: 0, text: label)])
        let root = Row(
            id: .root, parent: .root, name: FileName(bytes: []), kind: .folder,
            facts: FileFacts(
                kind: .folder, identity: FileIdentity(inode: 0, birth: nil), size: 0, modified: FileTime(seconds: 0),
                changed: FileTime(seconds: 0)),
            members: [Member(item: .root)])
        tables.rows[.root] = root
    }

    private init(_ tables: Tables) { self.tables = tables }

    /// What a copy of the state's file would hold: for clones and restored backups.
    public func copy() -> MemoryState { MemoryState(tables) }

    public func transaction<Result>(isDurable: Bool, _ body: () throws -> Result) rethrows -> Result {
        if depth > 0 { return try body() }
        let result = try outerTransaction(isDurable: isDurable, body)
        let due = committed
        committed = []
        for body in due { body() }
        return result
    }

    public func whenCommitted(_ body: @escaping () -> Void) {
        if depth > 0 { committed.append(body) } else { body() }
    }

    private func outerTransaction<Result>(isDurable: Bool, _ body: () throws -> Result) rethrows -> Result {
        let (before, stored) = (tables, stored ?? tables)
        hasChanged = false
        depth += 1
        defer { depth -= 1 }
        do {
            let result = try body()
            guard hasChanged else { return result }
            changingTransactions += 1
            if let nextRow { tables.nextRow = nextRow }
            self.stored = isDurable ? nil : stored
            return result
        } catch {
            tables = before
            committed = []
            throw error
        }
    }

    private func noteChange() {
        guard depth == 0 else { return hasChanged = true }
        stored = nil
        if let nextRow, tables.nextRow < nextRow { tables.nextRow = nextRow }
    }

    /// The machine loses power.
    package func cutPower() {
        if let stored { tables = stored }
        stored = nil
        endProcess()
    }

    /// Another process goes on.
    package func endProcess() { nextRow = nil }

    public func endReading() {}
    public func releaseMemory() {}

    struct Tables {
        var items: [ItemID: StoredItem] = [:]
        var byParent: [ItemID: Set<ItemID>] = [:]
        var pendingByParent: [ItemID: Set<ItemID>] = [:]
        var byMark: [ItemID: Set<ItemID>] = [:]
        var byNode: [ItemID: Set<ItemID>] = [:]
        var undone: Set<ItemID> = []
        var derived: [ItemID: [DerivedName]] = [:]
        var labels = DeviceLabels()
        var dirt = ViewDirt()

        var rows: [RowID: Row] = [:]
        var rowsByParent: [RowID: Set<RowID>] = [:]
        var rowsByItem: [ItemID: Set<RowID>] = [:]
        var rowsByInode: [UInt64: Set<RowID>] = [:]
        var knownFolders: [RowID: KnownFolder] = [:]
        var nextRow: Int64 = 2

        var numbers = RecordNumbers(device: DeviceID(high: 0, low: 0))
        var journal = JournalMemory(device: DeviceID(high: 0, low: 0))
        var token = DeviceVector()
        var pending: [RecordGroup] = []
        var own: [ItemID: OwnRecord] = [:]
        /// Items that refer or have referred to a chunk.
        var itemsByChunk: [ContentHash: Set<ItemID>] = [:]
        var uploaded: [ContentHash: Uploaded] = [:]

        var intents: [Intent] = []
        var trash: [TrashEntry] = []
        var events: [DriveEvent] = []
        var problems: [Problem] = []
        var settings: [String: [UInt8]] = [:]
        var seenTime: SeenTime?

        var versions: [ItemID: [PastVersion]] = [:]
        /// When they came, by the time that was seen pass.
        var versionsSince: [Dot: UInt64] = [:]
        var conflicts: [ConflictRecord] = []
    }

    struct Uploaded {
        var chunk: ChunkReference
        var source: DrivePath?
    }
}

extension MemoryState {
    public func item(_ id: ItemID) -> StoredItem? { tables.items[id] }

    public func save(_ item: StoredItem) {
        let id = item.id
        let old = tables.items.updateValue(item, forKey: id)
        if let old {
            if let parent = old.shape.parent {
                tables.byParent[parent]?.remove(id)
            } else {
                tables.pendingByParent[old.state.parent]?.remove(id)
            }
            if let node = old.shape.node, node != item.shape.node { tables.byNode[node]?.remove(id) }
        }
        if let parent = item.shape.parent {
            tables.byParent[parent, default: []].insert(id)
        } else {
            tables.pendingByParent[item.state.parent, default: []].insert(id)
        }
        if let node = item.shape.node { tables.byNode[node, default: []].insert(id) }
        guard old?.state != item.state else { return }
        if let old { for folder in old.state.markingFolders { tables.byMark[folder]?.remove(id) } }
        for folder in item.state.markingFolders { tables.byMark[folder, default: []].insert(id) }
        for head in item.state.heads {
            for chunk in head.content.namedChunks {
                tables.itemsByChunk[chunk.id, default: []].insert(id)
                tables.uploaded[chunk.id] = nil
            }
        }
    }

    public func children(of parent: ItemID, named name: FileName?) -> [StoredItem] {
        (tables.byParent[parent] ?? []).compactMap { tables.items[$0] }
            .filter { name == nil || $0.state.name.value == name }
    }

    public func pendingChildren(of parent: ItemID) -> [ItemID] { Array(tables.pendingByParent[parent] ?? []) }
    public func items(markedBy folder: ItemID) -> [ItemID] { Array(tables.byMark[folder] ?? []) }
    public func members(ofNode node: ItemID) -> [ItemID] {
        node == .root ? [.root] : (tables.byNode[node] ?? []).sorted()
    }
    public func undone() -> Set<ItemID> { tables.undone }
    public func setUndone(_ items: Set<ItemID>) { tables.undone = items }
    public func derivedNames(in node: ItemID) -> [DerivedName] { tables.derived[node] ?? [] }
    public func derivedNames(of group: GroupKey) -> [DerivedName] {
        derivedNames(in: group.node).filter { $0.ownName == group.name }
    }
    public func derivedName(_ name: FileName, in node: ItemID) -> DerivedName? {
        derivedNames(in: node).first { $0.name == name }
    }
    public func hasNumberedNames(in node: ItemID) -> Bool? {
        tables.derived[node]?.contains(where: \.isNumbered)
    }
    public func changeDerivedNames(in node: ItemID, removing old: [DerivedName], adding new: [DerivedName]) {
        let gone = Set(old)
        let names = derivedNames(in: node).filter { !gone.contains($0) } + new
        tables.derived[node] = names.isEmpty ? nil : names.sorted()
    }
    public func nodesWithDerivedNames() -> [ItemID] { tables.derived.keys.sorted() }
    public func labels() -> DeviceLabels { tables.labels }
    public func setLabels(_ labels: DeviceLabels) { tables.labels = labels }
    public func dirt() -> ViewDirt { tables.dirt }
    public func changeDirt(removing old: ViewDirt, adding new: ViewDirt) {
        tables.dirt.change(removing: old, adding: new)
    }
    public func allItems() -> [StoredItem] { Array(tables.items.values) }
    public func eachItem(_ body: (StoredItem) throws -> Void) rethrows {
        for item in tables.items.values { try body(item) }
    }
}

extension ItemState {
    /// The folders that a life dot or a head is marked with.
    var markingFolders: Set<ItemID> {
        Set(life.flatMap(\.mark.folders)).union(heads.flatMap(\.mark.folders))
    }
}

extension MemoryState {
    public func row(_ id: RowID) -> Row? { tables.rows[id] }

    public func save(_ row: Row) {
        let old = tables.rows.updateValue(row, forKey: row.id)
        tables.nextRow = max(tables.nextRow, row.id.rawValue + 1)
        for folder in Row.foldersChanged(from: old, to: row) { tables.knownFolders[folder] = nil }
        if let old { unindex(old) }
        guard row.id != .root else {
            for member in row.members { tables.rowsByItem[member.item, default: []].insert(row.id) }
            return
        }
        tables.rowsByParent[row.parent, default: []].insert(row.id)
        for member in row.members { tables.rowsByItem[member.item, default: []].insert(row.id) }
        tables.rowsByInode[row.facts.identity.inode, default: []].insert(row.id)
    }

    public func remove(_ id: RowID) {
        guard let old = tables.rows.removeValue(forKey: id) else { return }
        for folder in Row.foldersChanged(from: old, to: nil) { tables.knownFolders[folder] = nil }
        unindex(old)
    }

    private func unindex(_ row: Row) {
        tables.rowsByParent[row.parent]?.remove(row.id)
        for member in row.members { tables.rowsByItem[member.item]?.remove(row.id) }
        tables.rowsByInode[row.facts.identity.inode]?.remove(row.id)
    }

    public func newRowID() -> RowID {
        let next = nextRow ?? tables.nextRow
        nextRow = next + 1
        return RowID(rawValue: next)
    }

    private func rows(_ ids: Set<RowID>?) -> [Row] { (ids ?? []).sorted().compactMap { tables.rows[$0] } }

    public func children(of folder: RowID) -> [Row] { rows(tables.rowsByParent[folder]).filter { !$0.isParked } }
    public func glances(in folder: RowID) -> [RowGlance] { children(of: folder).map(RowGlance.init) }
    public func glances(in folder: RowID, named name: FileName) -> [RowGlance] {
        glances(in: folder).filter { $0.name == name }
    }
    public func child(of folder: RowID, named name: FileName) -> Row? {
        children(of: folder).first { $0.name == name }
    }
    public func rows(holding item: ItemID) -> [Row] {
        item == .root ? [tables.rows[.root]!] : rows(tables.rowsByItem[item])
    }
    public func row(identity: FileIdentity) -> Row? { rows(identity: identity).first }
    public func rows(identity: FileIdentity) -> [Row] {
        rows(tables.rowsByInode[identity.inode]).filter { $0.facts.identity == identity }
    }
    public func first<Result>(hash: ContentHash, _ body: (Row) throws -> Result?) rethrows -> Result? {
        for row in allRows() where row.hash == hash { if let result = try body(row) { return result } }
        return nil
    }
    public func parkedRows() -> [Row] { allRows().filter(\.isParked) }
    public func heldRows() -> [Row] { allRows().filter(\.isHeld) }
    public func heldRowCount() -> Int { heldRows().count }
    public func allRows() -> [Row] { tables.rows.values.sorted { $0.id < $1.id } }
    public func rows(after id: RowID, limit: Int) -> [Row] { Array(allRows().filter { $0.id > id }.prefix(limit)) }
    public func rowCount() -> Int { tables.rows.count - 1 }
    public func knownFolder(_ folder: RowID) -> KnownFolder? { tables.knownFolders[folder] }
    public func setKnownFolder(_ known: KnownFolder, _ folder: RowID) { tables.knownFolders[folder] = known }
}

extension MemoryState {
    public func numbers() -> RecordNumbers { tables.numbers }
    public func setNumbers(_ numbers: RecordNumbers) { tables.numbers = numbers }
    public func journal() -> JournalMemory { tables.journal }
    public func setJournal(_ memory: JournalMemory) { tables.journal = memory }
    public func token() -> DeviceVector { tables.token }
    public func setToken(_ token: DeviceVector) { tables.token = token }
    public func pendingGroups() -> [RecordGroup] { tables.pending }
    public func addPending(_ group: RecordGroup) {
        tables.pending.append(group)
        for chunk in group.records.flatMap(\.heads).flatMap(\.content.namedChunks) { tables.uploaded[chunk.id] = nil }
    }
    public func removePending(through n: UInt64) {
        let device = tables.numbers.device
        tables.pending.removeAll { group in group.records.allSatisfy { $0.context[device] <= n } }
    }
    public func setPending(_ groups: [RecordGroup]) { tables.pending = groups }
    public func ownRecord(of item: ItemID) -> OwnRecord? { tables.own[item] }
    public func setOwnRecord(_ record: OwnRecord?, of item: ItemID) { tables.own[item] = record }
    public func removeOwnRecords() { tables.own = [:] }
    public func knownChunk(_ id: ContentHash) -> ChunkReference? {
        for item in (tables.itemsByChunk[id] ?? []).sorted() {
            guard let item = tables.items[item], item.shape.isAlive else { continue }
            let chunks = item.state.heads.lazy.flatMap(\.content.namedChunks)
            if let chunk = chunks.first(where: { $0.id == id }) { return chunk }
        }
        return uploadedChunk(id)?.chunk
    }
    public func uploadedChunk(_ id: ContentHash) -> (chunk: ChunkReference, source: DrivePath?)? {
        guard let one = tables.uploaded[id], one.source != .root else { return nil }
        return (one.chunk, one.source)
    }
    public func addUploaded(_ chunks: [ChunkReference], of source: DrivePath?) {
        transaction(isDurable: false) {
            for chunk in chunks { tables.uploaded[chunk.id] = Uploaded(chunk: chunk, source: source) }
        }
    }
    public func listUploaded(_ chunks: [ChunkReference]) {
        transaction(isDurable: false) {
            for chunk in chunks where tables.uploaded[chunk.id]?.chunk == chunk {
                tables.uploaded[chunk.id]?.source = nil
            }
        }
    }
    public func abandonUploads(of source: DrivePath, but used: Set<ContentHash>) {
        transaction(isDurable: false) {
            for (id, one) in tables.uploaded where one.source == source && !used.contains(id) {
                tables.uploaded[id]?.source = .root
            }
        }
    }
    public func unfinishedUploads() -> [UnfinishedUpload] {
        tables.uploaded.values.compactMap { one in one.source.map { UnfinishedUpload(one.chunk, of: $0) } }
            .sorted { $0.chunk.id < $1.chunk.id }
    }
    public func forgetUploaded(in objects: Set<ObjectKey>) {
        tables.uploaded = tables.uploaded.filter { !objects.contains($0.value.chunk.object) }
    }
}

extension MemoryState {
    public func intents() -> [Intent] { tables.intents }
    public func setIntents(_ intents: [Intent]) { tables.intents = intents }
    public func trash() -> [TrashEntry] { tables.trash }
    public func addTrash(_ entry: TrashEntry) {
        var entry = entry
        entry.since = tables.seenTime?.now
        removeTrash(entry.name)
        tables.trash.append(entry)
    }
    public func seenTime() -> SeenTime? { tables.seenTime }
    public func setSeenTime(_ time: SeenTime) { tables.seenTime = time }
    public func removeTrash(_ name: FileName) { tables.trash.removeAll { $0.name == name } }
    public func log(_ event: DriveEvent) { tables.events.append(event) }
    public func events(limit: Int) -> [DriveEvent] { tables.events.suffix(limit).reversed() }
    public func problems() -> [Problem] { tables.problems }
    public func setProblems(_ problems: [Problem], from source: Problem.Source) {
        tables.problems.removeAll { $0.source == source }
        tables.problems += problems
    }
    public func setting(_ name: String) -> [UInt8]? { tables.settings[name] }
    public func setSetting(_ value: [UInt8]?, _ name: String) { tables.settings[name] = value }
}

extension ViewDirt {
    mutating func change(removing old: ViewDirt, adding new: ViewDirt) {
        groups = groups.subtracting(old.groups).union(new.groups)
        items = items.subtracting(old.items).union(new.items)
    }
}
