import DriveCore
import DriveFiles
import DriveTransport
import FileCoordination
import Foundation
import Glibc

/// Contents that were recorded during a pause, or while the store took nothing; they lie in the drive's own folder until they may be sent.
struct UnsentContents: Sendable {
    let folder: FolderPath
    /// The store that it waits for.
    let store: StoreInfo?
    let hold = HoldSwitch()
    let notes: UnsentNotes
    let unknown = UnknownUnsent()
    private let pool = DiskPool(label: "docdrive.unsent")

    /// What was kept for one store is never sent to another.
    init(drive: FolderPath, store: String?) {
        folder = drive.appending(DriveLayout.state).appending(FileName(Self.start + (store ?? "")))
        notes = UnsentNotes(in: folder)
        self.store = store.flatMap { StoreID($0) }.map { StoreInfo(id: $0) }
    }

    private static let start = "unsent-"
    private static let spentKey = "unsent-spent"

    /// Within the transaction by which another index knows what these held: whoever opens that index removes them.
    static func setSpent(_ folders: [FolderPath], _ state: any DriveState) throws {
        if folders.isEmpty { return }
        let names = folders.compactMap { $0.name?.description }
        try state.setSetting(Array(names.joined(separator: "\n").utf8), spentKey)
    }

    static func removeSpent(in drive: FolderPath, _ state: any DriveState) throws {
        guard let names = try state.setting(spentKey) else { return }
        let folder = drive.appending(DriveLayout.state)
        for name in String(decoding: names, as: UTF8.self).split(separator: "\n") where name.hasPrefix(start) {
            let place = folder.appending(FileName(String(name)))
            // Whoever was killed before the last line here has removed some.
            if place.exists { try place.removeTree() }
        }
        try state.transaction { try state.setSetting(nil, spentKey) }
    }

    /// What a drive has of them, for each store that something waits for.
    static func all(in drive: FolderPath) throws -> [UnsentContents] {
        let state = drive.appending(DriveLayout.state)
        let names = try (state.names() ?? []).map(\.description).filter { $0.hasPrefix(start) }
        return names.sorted().map { UnsentContents(drive: drive, store: String($0.dropFirst(start.count))) }
    }

    /// Before anything is kept.
    func makeFolder() throws(DriveError) {
        let result = folder.withPointer { mkdir($0, 0o700) }
        guard result == 0 || errno == EEXIST else { throw SmallFile.failure("make the folder", folder) }
        if result == 0 { Ownership.give(folder: folder.bytes) }
    }

    /// The store behind it. Each pause has a folder of its own, and so each use a value that knows no other.
    func store(over base: any ObjectStore) -> HoldingObjectStore {
        HoldingObjectStore(base, hold: hold, kept: kept, lessened: removeSpentNotes, emptied: removeEmptyFolder)
    }

    /// What waits here, as a store has it; nil where nothing does.
    @Sendable func kept() -> FolderObjectStore? {
        let role = "the drive's own folder for what is not sent yet"
        return folder.exists ? FolderObjectStore(at: folder.bytes, pool: pool, role: role) : nil
    }

    /// Whether something of it waits here.
    func has(_ content: Content) -> Bool {
        content.namedChunks.contains { has($0.object) }
    }

    private func has(_ object: ObjectKey) -> Bool { place(of: object).exists }

    private func place(of object: ObjectKey) -> FolderPath {
        let prefix = store?.id.objectPrefix ?? ""
        return folder.appending(path: DrivePath(bytes: Array((prefix + object).utf8)))
    }

    /// All of it that waits here; nil where that cannot be told. The list of a large file's parts may be sent long before they are: it
    /// is read while it is here.
    private func objects(of content: Content) -> Set<ObjectKey>? {
        var chunks = content.namedChunks
        if case .list(let list) = content.body {
            guard let bytes = try? SmallFile.read(place(of: list.object)), let parts = try? list.listed(in: bytes)
            else { return nil }
            chunks += parts
        }
        return Set(chunks.map(\.object)).filter { has($0) }
    }

    /// What it holds is read before what the store does; nothing is sent.
    func reading(over base: any ObjectStore) -> HoldingObjectStore {
        hold.isOn = true
        return store(over: base)
    }

    /// Within the transaction that records these: what an index that is lost knew of what waits here is to be had without it.
    func note(_ group: RecordGroup, _ state: any DriveState) throws {
        let device = try state.numbers().device
        var records: [ItemState] = []
        var objects: Set<ObjectKey> = []
        var isWhole = true
        for record in group.records {
            let dot = Dot(device: device, n: record.context[device])
            var new = record
            new.heads = record.heads.filter { head in
                head.dot == dot && (head.content.hasNoBytesOnAStore || has(head.content))
            }
            if new.heads.isEmpty { continue }
            records.append(new)
            for head in new.heads {
                if let own = self.objects(of: head.content) { objects.formUnion(own) } else { isWhole = false }
            }
        }
        if !records.isEmpty { try notes.add(records, isWhole ? objects : nil, state) }
    }

    /// Before the index that is opened records anything, which may be a new one, or one of an earlier time.
    func putAsideUnknown(_ state: any DriveState) throws {
        if try notes.putAside(unknownTo: state.numbers()) { unknown.found() }
    }

    /// Whoever is killed before removes them with the next that is sent.
    @Sendable private func removeSpentNotes(_ gone: Set<ObjectKey>) { notes.removeSpent(since: gone) { has($0) } }

    /// Folders that hold nothing, the inner ones first; one that holds something stays.
    @Sendable private func removeEmptyFolder() {
        notes.removeNoted()
        for place in ((try? folder.beneath()) ?? []) + [folder] { _ = place.withPointer { rmdir($0) } }
    }
}

extension DriveReader {
    /// Where the settings name no store any more, what waits for the one that they named.
    var unsent: UnsentContents {
        let known = UnsentContents(drive: folder, store: settings.storeID)
        return settings.storeID == nil ? (try? UnsentContents.all(in: folder))?.first ?? known : known
    }
}

/// What is put in place of the settings and, by tests, of the world.
struct WiringChanges: Sendable {
    /// In place of what the settings say.
    var pace: TransferPace?
    var store: @Sendable (any ObjectStore) -> any ObjectStore = { $0 }
    var options: @Sendable (inout EngineOptions) -> Void = { _ in }
    var clock: any WallClock = SystemClock()
    var patience = WriterPatience()
}

/// Up to where others can have read what this device has recorded.
struct OwnRecords {
    private let device: DeviceID
    private let last: UInt64

    init(_ state: any DriveState) throws { (device, last) = try (state.numbers().device, state.journal().published) }

    func has(_ dot: Dot) -> Bool { dot.device != device || dot.n <= last }
}

/// What records name that wait to be published: what is kept of that is sent with them, and of all else nothing is.
final class PendingContents {
    private let state: any DriveState
    private lazy var hashes = Result {
        Set(try state.pendingGroups().flatMap(\.records).flatMap { $0.heads.map(\.content.hash) })
    }

    init(_ state: any DriveState) { self.state = state }

    func has(_ content: ContentHash) throws -> Bool { try hashes.get().contains(content) }
}

extension Content {
    /// The record has all of it: the target of a link, or nothing.
    var hasNoBytesOnAStore: Bool { if case .inline = body { true } else { size == 0 } }
}
