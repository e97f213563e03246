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
        try known.join(try await check.checkJournals(joined: known.joined))
        let needs = try ContentNeeds(known)
        let isAsked = { (content: Content) in contents?.contains(content.hash) ?? true }
        try await check.check(Array(needs.contents.filter(isAsked)), unneeded: Array(needs.kept.filter(isAsked)))
        var report = StoreReport()
        report.isQuick = isQuick
        (report.objects, report.bytes) = (check.objects, check.bytes)
        let damage = check.damage.filter { !known.isOfNobody($0, isQuick: isQuick) }
        // What could not be read refers to nobody knows what.
        if contents == nil, check.unread.isEmpty, !damage.contains(where: { $0.kind == .head }) {
            (report.unreferencedObjects, report.unreferencedBytes) = try await check.unreferenced()
        }
        let unread = check.unread.filter { !known.isOfNobody($0, isQuick: isQuick) }
        let paths = try ShownPaths(of: Set((damage + unread).flatMap(\.contents)), known)
        report.damage = damage.map { describe($0, known, paths) }
        report.unread = unread.map { describe($0, known, paths) }
        report.repair = repair(damage, offersAll: known.offersAll(damage, isQuick: isQuick))
        report.repairOfUnread = repair(unread, offersAll: known.offersAll(unread, isQuick: isQuick))
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

    private func describe(_ damage: StoreDamage, _ known: KnownStates, _ paths: ShownPaths) -> StoreReport.Damage {
        var found = StoreReport.Damage(damage, known)
        found.paths = damage.contents.flatMap { paths[$0] ?? [] }.sorted()
        found.kept = damage.contents.count { paths[$0] == nil }
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
            deviceArgument: damage.device.map { known.labels.argument(for: $0) },
            isOwn: damage.device == known.own, paths: [], kept: 0)
    }
}
