public import DriveCore
import DriveIndex
import DriveTransport
public import FileCoordination

/// Reads the store of a drive through, with what the drive knows of it. Changes nothing.
public struct StoreLook {
    private let reader: DriveReader
    private let isQuick: Bool
    private let progress: (EngineEvent) -> Void

    /// A quick look compares presence and sizes.
    public init(
        _ reader: DriveReader, isQuick: Bool = false, report: @escaping (EngineEvent) -> Void = { _ in }
    ) {
        self.reader = reader
        self.isQuick = isQuick
        progress = report
    }

    /// All of it, or of the contents only these. Throws `CancellationError` where the task is cancelled meanwhile.
    public func run(only contents: Set<ContentHash>? = nil) async throws -> StoreReport {
        try await tellingCancellation { try await look(at: contents) }
    }

    private func look(at contents: Set<ContentHash>?) async throws -> StoreReport {
        let (objects, store) = try await place()
        // Before the store is read: what it does not have then was not published.
        var known = try KnownStates(reader.index)
        var check = StoreCheck(objects, store: store, isQuick: isQuick) { [progress] in
            progress(.progress(files: 1, bytes: $0))
        }
        try await check.checkFormat()
        known.join(JoinedJournals(try await check.checkJournals(of: known.heard)))
        let needs = ContentNeeds(known)
        let isAsked = { (content: Content) in contents?.contains(content.hash) ?? true }
        try await check.check(Array(needs.contents.filter(isAsked)), unneeded: Array(needs.kept.filter(isAsked)))
        var report = StoreReport()
        report.isQuick = isQuick
        (report.objects, report.bytes) = (check.objects, check.bytes)
        if contents == nil { (report.unreferencedObjects, report.unreferencedBytes) = try await check.unreferenced() }
        let forgotten = Set(try reader.index.journal().collection.forgotten.map(\.device))
        report.damage = check.damage.filter { !isOfNobody($0, forgotten, known) }.map { describe($0, known, needs) }
        report.repair = repair(check.damage, offersAll: !isQuick && known.hasMoreThanTheStore)
        return report
    }

    /// The journal of a device that is gone for good, where others tell all that is known of it.
    private func isOfNobody(_ damage: StoreDamage, _ forgotten: Set<DeviceID>, _ known: KnownStates) -> Bool {
        guard let device = damage.device, forgotten.contains(device) else { return false }
        return [.head, .segment].contains(damage.kind) && !known.hasMoreThanTheStore
    }

    private func place() async throws -> (any ObjectStore, StoreInfo) {
        guard let place = try await reader.storePlace() else {
            throw DriveError(
                .usage, "the drive has no store; connect one with `docdrive sync --to URL`",
                path: reader.folder.description)
        }
        return place
    }

    private func describe(_ damage: StoreDamage, _ known: KnownStates, _ needs: ContentNeeds) -> StoreReport.Damage {
        var found = StoreReport.Damage(damage, known)
        found.paths = damage.contents.flatMap { needs.paths[$0] ?? [] }.sorted()
        found.kept = damage.contents.count { needs.paths[$0] == nil }
        return found
    }

    private func repair(_ damage: [StoreDamage], offersAll: Bool) -> StoreRepair {
        var repair = StoreRepair()
        for damage in damage {
            switch damage.kind {
            case .format: repair.isFormatDamaged = true
            case .head: if let device = damage.device { repair.heads.insert(device.description) }
            case .segment: repair.segments.insert(damage.object)
            case .content:
                repair.objects.insert(damage.object)
                repair.contents.formUnion(damage.contents.map(\.bytes))
            }
        }
        // Only with damaged journals: what is merely unpublished goes out with the next pass.
        repair.offersAll = offersAll && !(repair.segments.isEmpty && repair.heads.isEmpty)
        return repair
    }
}

/// Everything that is known of the items, here and in the store.
struct KnownStates {
    let own: DeviceID
    private(set) var labels: DeviceLabels
    private(set) var states: [ItemID: ItemState] = [:]
    /// Devices, this one included, that have published records.
    let heard: Set<DeviceID>
    /// Contents that files had before, as far as they are remembered here.
    let past: [Content]
    /// Items of this device alone, whose records are published already.
    private let published: [ItemState]
    /// This device knows something that none of the journals tells.
    private(set) var hasMoreThanTheStore = false
    /// Items that are not what their records say.
    private(set) var contradicted: [ItemID] = []

    init(_ index: DriveIndex) throws {
        let (own, labels, items, pending, heard, past) = try index.transaction {
            (
                try index.numbers().device, try index.labels(), try index.allItems().map(\.state),
                Set(try index.pendingGroups().flatMap(\.records).map(\.id)), try Self.heard(index),
                try index.pastContents()
            )
        }
        (self.own, self.labels, self.heard, self.past) = (own, labels, heard, past)
        published = items.filter { !pending.contains($0.id) }
        for state in items { states[state.id] = state }
    }

    private static func heard(_ index: DriveIndex) throws -> Set<DeviceID> {
        let joined = try index.token().entries.filter { $0.n > 0 }.map(\.device)
        let own = try index.journal()
        return Set(joined + (own.published > 0 ? [own.device] : []))
    }

    mutating func join(_ journals: JoinedJournals) {
        for device in journals.labels.devices where labels[device].isEmpty { labels[device] = journals.labels[device] }
        for (id, state) in journals.states { states[id] = states[id]?.joined(state) ?? state }
        hasMoreThanTheStore = published.contains(where: journals.lack)
        contradicted = published.filter(journals.contradict).map(\.id)
    }
}

extension DriveReader {
    /// The store, whether or not the object that says which one it is can be read; nil where the drive has none. Throws
    /// where nothing of it is there.
    func storePlace() async throws -> (any ObjectStore, StoreInfo)? {
        guard let access = try StoreAccess(settings, of: folder), let id = settings.storeID.flatMap({ StoreID($0) })
        else { return nil }
        return (access.objects, try await StoreFinder(access).findAny(id))
    }
}

extension StoreReport.Damage {
    /// Of nobody's files.
    init(_ damage: StoreDamage, _ known: KnownStates) {
        self.init(
            object: damage.object, kind: damage.kind.rawValue, isMissing: damage.fault == .missing,
            device: damage.device.map { known.labels.text(Dot(device: $0, n: .max)) },
            isOwn: damage.device == known.own, paths: [], kept: 0)
    }
}

/// Which contents somebody may ask for, and by which paths.
struct ContentNeeds {
    /// Those of the files that are shown.
    private(set) var contents: Set<Content> = []
    /// Those that only deleted and replaced files had: they may have left the store.
    private(set) var kept: Set<Content> = []
    /// Where a content is shown; nothing for one that only a deleted or replaced file had.
    private(set) var paths: [ContentHash: [DrivePath]] = [:]

    init(_ known: KnownStates) {
        let view = FullView(Array(known.states.values), labels: known.labels)
        var inside: [ItemID: [ViewEntry]] = [:]
        for entry in view.entries.values { inside[entry.node, default: []].append(entry) }
        var folders: [(ItemID, DrivePath)] = [(.root, .root)]
        while let (node, path) = folders.popLast() {
            for entry in inside[node] ?? [] {
                let place = path.appending(entry.name)
                if entry.kind == .folder { folders.append((entry.primary.item, place)) }
                guard let content = entry.content else { continue }
                paths[content.hash, default: []].append(place)
                contents.insert(content)
            }
        }
        for state in known.states.values { kept.formUnion(state.heads.map(\.content)) }
        kept.formUnion(known.past)
        kept.subtract(contents)
    }
}
