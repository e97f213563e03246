import DriveCore
import DriveTransport
import FileCoordination

/// What a store holds, read without leaving a trace: its journals are joined in memory. Conflict copies are not counted.
struct StoreCensus: Sendable {
    typealias Item = Outline.Found

    var devices: [StoreDevice] = []
    var items: [DrivePath: Item] = [:]

    var bytes: UInt64 { items.values.map { $0.kind == .file ? $0.size : 0 }.clampedSum() }

    /// Blocks while it reads: call it on a thread for that.
    static func take(_ store: StoreInfo, in objects: any ObjectStore, entropy: any Entropy) async throws -> StoreCensus
    {
        var census = StoreCensus()
        census.devices = try await Store.devices(of: store, in: objects)
        let nobody = entropy.deviceID()
        let transport = JournalTransport(objects, store: store, device: nobody, entropy: entropy)
        let outcome = try await transport.fetch(since: DeviceVector(), own: nobody, only: nil)
        var outline = Outline()
        var readable: [FetchedJournal] = []
        for journal in outcome.journals {
            // One that cannot be read does not hide the others; the sync names it.
            do {
                outline.announce(try journal.segments.flatMap { try $0.readableRecords().map(\.id) })
                readable.append(journal)
            } catch is JournalDamage {}
        }
        for segment in readable.flatMap(\.segments) {
            for record in try segment.readableRecords() { outline.add(record) }
        }
        census.items = outline.paths()
        return census
    }
}
