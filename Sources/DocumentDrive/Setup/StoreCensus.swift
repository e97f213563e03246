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
    static func take(
        _ store: StoreInfo, in objects: any ObjectStore, entropy: any Entropy, portion: Int = 256 << 20
    ) async throws -> StoreCensus {
        var census = StoreCensus()
        census.devices = try await Store.devices(of: store, in: objects)
        let nobody = entropy.deviceID()
        let transport = JournalTransport(objects, store: store, device: nobody, entropy: entropy, portion: portion)
        var outline = Outline()
        // One that cannot be read does not hide the others; the sync names it.
        var unreadable: Set<DeviceID> = []
        let first = try await transport.fetch(since: DeviceVector(), own: nobody, only: nil)
        try await each(of: transport, nobody, after: first) { journal in
            do {
                outline.announce(try journal.segments.flatMap { try $0.readableRecords().map(\.id) })
            } catch is JournalDamage { unreadable.insert(journal.device) }
        }
        // What does not fit into memory at once is fetched a second time.
        let again = try await first.isPartial ? transport.fetch(since: DeviceVector(), own: nobody, only: nil) : first
        try await each(of: transport, nobody, after: again) { journal in
            if unreadable.contains(journal.device) { return }
            do {
                for segment in journal.segments {
                    for record in try segment.readableRecords() { outline.add(record) }
                }
            } catch is JournalDamage {}
        }
        census.items = outline.paths()
        return census
    }

    /// All journals, portion by portion.
    private static func each(
        of transport: JournalTransport, _ nobody: DeviceID, after first: FetchOutcome,
        _ body: (FetchedJournal) throws -> Void
    ) async throws {
        var (outcome, token) = (first, DeviceVector())
        while true {
            for journal in outcome.journals {
                try body(journal)
                token[journal.device] = journal.through
            }
            guard outcome.isPartial, !outcome.journals.isEmpty else { return }
            outcome = try await transport.fetch(since: token, own: nobody, only: nil)
        }
    }
}
