public import DriveCore
import DriveIndex
import DriveTransport
public import FileCoordination

/// Reads the store of a drive through, with what the drive knows of it. Changes nothing.
public struct StoreLook {
    private let reader: DriveReader
    private let isQuick: Bool
    private let progress: (EngineEvent) -> Void
    var changes = WiringChanges()

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
        let (base, store) = try await place()
        let objects = changes.store(base)
        // Before the store is read: what it does not have then was not published.
        var known = try KnownStates(reader.index)
        var check = StoreCheck(objects, store: store, isQuick: isQuick) { [progress] in
            progress(.progress(files: 1, bytes: $0))
        }
        try await check.checkFormat()
        known.join(JoinedJournals(try await check.checkJournals(joined: known.joined)))
        let needs = ContentNeeds(known)
        let isAsked = { (content: Content) in contents?.contains(content.hash) ?? true }
        try await check.check(Array(needs.contents.filter(isAsked)), unneeded: Array(needs.kept.filter(isAsked)))
        var report = StoreReport()
        report.isQuick = isQuick
        (report.objects, report.bytes) = (check.objects, check.bytes)
        // What could not be read refers to nobody knows what.
        if contents == nil, check.unread.isEmpty {
            (report.unreferencedObjects, report.unreferencedBytes) = try await check.unreferenced()
        }
        let damage = check.damage.filter { !known.isOfNobody($0, isQuick: isQuick) }
        report.damage = damage.map { describe($0, known, needs) }
        report.unread = check.unread.filter { !known.isOfNobody($0, isQuick: isQuick) }
            .map { describe($0, known, needs) }
        report.repair = repair(damage, offersAll: known.offersAll(damage, isQuick: isQuick))
        return report
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
        var repair = StoreRepair(offersAll: offersAll)
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
        return repair
    }
}

/// Everything that is known of the items, here and in the store.
struct KnownStates {
    let own: DeviceID
    private(set) var labels: DeviceLabels
    private(set) var states: [ItemID: ItemState] = [:]
    /// How far the journals of all devices, this one included, are known here.
    let joined: DeviceVector
    /// How far those were known of which the store had less, when this device offered all that it knows.
    private let offered: DeviceVector
    /// Devices that are gone for good.
    private let forgotten: Set<DeviceID>
    /// Contents that files had before, as far as they are remembered here.
    let past: [Content]
    /// Items of this device alone, whose records are published already.
    private let published: [ItemState]
    /// This device knows something that none of the journals tells.
    private(set) var hasMoreThanTheStore = false
    /// Items that are not what their records say.
    private(set) var contradicted: [ItemID] = []

    init(_ index: DriveIndex) throws {
        let (own, labels, items, pending, past) = try index.transaction {
            (
                try index.numbers().device, try index.labels(), try index.allItems().map(\.state),
                Set(try index.pendingGroups().flatMap(\.records).map(\.id)), try index.pastContents()
            )
        }
        let (joined, offered, forgotten) = try index.transaction {
            (
                try index.token().joined(try Self.ownJournal(index)), try OfferedJournals(index).joined(),
                Set(try index.journal().collection.forgotten.map(\.device))
            )
        }
        (self.own, self.labels, self.past) = (own, labels, past)
        (self.joined, self.offered, self.forgotten) = (joined, offered, forgotten)
        published = items.filter { !pending.contains($0.id) }
        for state in items { states[state.id] = state }
    }

    private static func ownJournal(_ index: DriveIndex) throws -> DeviceVector {
        let own = try index.journal()
        return DeviceVector(own.device, own.published)
    }

    mutating func join(_ journals: JoinedJournals) {
        for device in journals.labels.devices where labels[device].isEmpty { labels[device] = journals.labels[device] }
        for (id, state) in journals.states { states[id] = states[id]?.joined(state) ?? state }
        hasMoreThanTheStore = published.contains(where: journals.lack)
        contradicted = published.filter(journals.contradict).map(\.id)
    }
}

extension KnownStates {
    /// A part of a journal of which the store tells all that is known here nevertheless: of a device that is gone for good, or a
    /// head that is not there, which nothing in the store refers to. A quick look takes what was offered once as told.
    func isOfNobody(_ damage: StoreDamage, isQuick: Bool) -> Bool {
        guard let device = damage.device, [.head, .segment].contains(damage.kind) else { return false }
        let isGone = damage.kind == .head && damage.fault == .missing && device != own
        if isGone && isQuick { return offered[device] >= joined[device] }
        return (isGone || forgotten.contains(device)) && !hasMoreThanTheStore
    }

    /// Only with damaged journals: what is merely unpublished goes out with the next pass. A quick look does not read what they tell.
    func offersAll(_ damage: [StoreDamage], isQuick: Bool) -> Bool {
        let ofJournals = damage.filter { [.head, .segment].contains($0.kind) }
        if !isQuick { return !ofJournals.isEmpty && hasMoreThanTheStore }
        return ofJournals.contains { $0.fault == .missing && $0.kind == .head && $0.device != own }
    }
}

extension DriveReader {
    /// The store, whether or not the object that says which one it is can be read; nil where the drive has none. Throws
    /// where nothing of it is there. What waits here until it can be sent is not missing.
    func storePlace() async throws -> (any ObjectStore, StoreInfo)? {
        guard let access = try StoreAccess(settings, of: folder), let id = settings.storeID.flatMap({ StoreID($0) })
        else { return nil }
        return (unsent.store(over: access.objects), try await StoreFinder(access).findAny(id))
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
