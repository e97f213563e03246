import DriveCore
import DriveIndex
import DriveTransport
import FileCoordination

/// What a store holds, read without leaving a trace: its journals are joined in memory.
struct StoreCensus: Sendable {
    struct Item: Hashable, Sendable {
        var kind: ItemKind
        var size: UInt64
    }

    var devices: [StoreDevice] = []
    var items: [DrivePath: Item] = [:]

    var bytes: UInt64 { items.values.map { $0.kind == .file ? $0.size : 0 }.clampedSum() }

    /// Blocks while it joins: call it on a thread for that.
    static func take(_ store: StoreInfo, in objects: any ObjectStore, entropy: any Entropy) async throws -> StoreCensus
    {
        var census = StoreCensus()
        census.devices = try await Store.devices(of: store, in: objects)
        let nobody = entropy.deviceID()
        let transport = JournalTransport(objects, store: store, device: nobody, entropy: entropy)
        let index = try DriveIndex(path: nil)
        let outcome = try await transport.fetch(since: DeviceVector(), own: nobody, only: nil)
        for journal in outcome.journals {
            // One that cannot be read does not hide the others; the sync names it.
            do { try index.transaction { try join(journal, index) } } catch is JournalDamage {}
        }
        var folders: [ItemID: DrivePath] = [.root: .root]
        for entry in try ViewReader(index).allEntries() {
            guard let path = folders[entry.node]?.appending(entry.name) else { continue }
            if entry.kind == .folder, path.components.count < DrivePath.deepest { folders[entry.primary.item] = path }
            census.items[path] = Item(kind: entry.kind, size: entry.kind == .file ? entry.content?.size ?? 0 : 0)
        }
        return census
    }

    private static func join(_ journal: FetchedJournal, _ index: DriveIndex) throws {
        var maintenance = ViewMaintenance(index)
        var labels = try index.labels()
        labels[journal.device] = journal.labels
        try maintenance.setLabels(labels)
        for segment in journal.segments {
            var joined: [ItemID: ItemState] = [:]
            for record in try segment.readableRecords() {
                let known = try joined[record.id] ?? index.item(record.id)?.state
                joined[record.id] = known?.joined(record) ?? record
            }
            try maintenance.put(joined.values.sorted { $0.id < $1.id })
        }
    }
}
