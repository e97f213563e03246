import DriveCore
import DriveTransport
import FileCoordination

/// The real engine, journal and content store over memory doubles.
public final class EngineDevice: SimulatedDevice {
    public let label: String
    public let folder: MemoryFolder
    public private(set) var state: any DriveState
    private let setup: DeviceSetup
    let acts: (any SimulatedActs)?
    private let store: StoreInfo
    private let adjust: (inout EngineOptions) -> Void
    package private(set) var engine: DriveEngine
    private var image: (folder: MemoryFolder.Image, state: MemoryState)?
    /// A scan of this process has looked everywhere, and nothing came in its way since.
    private var hasLookedEverywhere = false
    /// Files here have, or had, several names.
    private var hasMetNames = false
    /// What apply gave something by another name, and no scan has looked at since.
    private var otherNames = TouchedPaths()
    /// Tells boots of the machine apart.
    private var boot: UInt64 = 1

    var storeView: any ObjectStore { setup.store }

    /// All devices of a run share one store, with an id of its own.
    public static let store = StoreInfo(id: StoreID(high: 1, low: 2))

    public convenience init(
        _ setup: DeviceSetup, state: (any DriveState)? = nil, adjust: @escaping (inout EngineOptions) -> Void = { _ in }
    ) {
        self.init(setup, state: state, acts: nil, adjust: adjust)
    }

    init(
        _ setup: DeviceSetup, state: (any DriveState)?, acts: (any SimulatedActs)?,
        adjust: @escaping (inout EngineOptions) -> Void
    ) {
        self.setup = setup
        self.acts = acts
        label = setup.label
        folder = setup.folder
        self.adjust = adjust
        store = Self.store
        self.state = state ?? MemoryState(device: setup.entropy.deviceID(), label: setup.label)
        engine = Self.engine(setup, self.state, boot, adjust)
    }

    /// As often as it is asked for: no run is long enough for the usual numbers.
    private static var compaction: CompactionRule {
        var rule = CompactionRule()
        rule.smallSegments = 2
        return rule
    }

    private static func engine(
        _ setup: DeviceSetup, _ state: any DriveState, _ boot: UInt64, _ adjust: (inout EngineOptions) -> Void
    ) -> DriveEngine {
        var options = EngineOptions()
        options.checksView = true
        options.freeSpaceFloor = 0
        options.boot = boot
        let rule = setup.rule
        options.ignores = { path, _ in Litter.ignores(path) || rule.hides(path) }
        options.ignoreRules = { _ in rule.fingerprint }
        if let openFiles = setup.openFiles {
            options.mayReplace = { _, _, _ in !openFiles.isOpen() }
            options.mayRead = { _, _, _ in !openFiles.isOpen(percent: 25) }
        }
        options.brake.floor = setup.freeDeletes ?? 1_000
        if setup.freeDeletes != nil { options.brake.fraction = 0 }
        options.collection = setup.collection
        options.groupRecords = setup.groupRecords
        options.publishedRecords = setup.groupRecords
        options.applyPortion = setup.applyPortion
        options.keptDownload = setup.keptDownload
        // Half of the devices remember every transfer, in both directions.
        options.rememberedUpload = setup.keptDownload == 0 ? 1 : options.rememberedUpload
        options.longJournal = setup.longJournal
        adjust(&options)
        let device = (try? state.numbers().device) ?? DeviceID(high: 0, low: 0)
        let transport = JournalTransport(
            setup.store, store: store, device: device, entropy: setup.entropy, compaction: compaction)
        var parts = DriveParts(
            files: setup.folder, state: state, transport: transport, clock: setup.clock, entropy: setup.entropy,
            options: options)
        if let note = setup.note {
            parts.report = { event in
                switch event {
                case .happened(let event):
                    note("\(event.kind.rawValue) \(event.path)\(event.from.map { " from \($0)" } ?? "")")
                case .passedOver(let name, let reason): note("passes over \(name): \(reason)")
                case .phase, .progress, .storeWaits, .troubleUnnoted: break
                }
            }
        }
        return DriveEngine(parts)
    }

    public func scan() async throws(DriveError) -> Int {
        try await driveErrors {
            engine.parts.operations.begin()
            let touched = folder.takeTouched()
            let isScoped = setup.isWatching && hasLookedEverywhere
            hasLookedEverywhere = false
            var outcome = try await engine.scan(isScoped ? scope(touched) : nil)
            otherNames = TouchedPaths()
            hasMetNames = hasMetNames || folder.hasSeveralNames
            // A watch looks at the other names of what changed right after it.
            var looks = 1
            while isScoped, outcome.hasVanished, !outcome.isUnsettled, looks < 4, hasMetNames {
                looks += 1
                let records = outcome.records
                let names = outcome.unsettled
                outcome = try await engine.scan(ScanScope(touched: names) { names })
                outcome.records += records
            }
            if outcome.isUnsettled || outcome.hasVanished || outcome.isIncomplete {
                throw DriveError(.temporary, "not everything could be looked at")
            }
            hasLookedEverywhere = true
            return outcome.records
        }
    }

    private func scope(_ touched: TouchedNames<Int>) -> ScanScope {
        let (folder, others) = (folder, otherNames)
        return ScanScope(touched: folder.touchedPaths(and: touched).union(others)) {
            folder.touchedPaths(and: touched).union(others)
        }
    }

    public func commit(compacting: Bool) async throws(DriveError) {
        try await driveErrors {
            try await engine.commit()
            if compacting { try await engine.compact() }
        }
    }

    public func fetch(only labels: Set<String>?) async throws(DriveError) {
        try await driveErrors {
            guard let labels else {
                _ = try await engine.fetch()
                return
            }
            let devices = try await Store.devices(of: store, in: setup.store)
            let wanted = devices.filter { labels.contains($0.label ?? "") }.map(\.id)
            _ = try await engine.fetch(only: Set(wanted))
        }
    }

    public func apply() async throws(DriveError) {
        try await driveErrors {
            engine.parts.operations.begin()
            // What was not as apply had expected may have changed anywhere.
            let outcome = try await engine.apply()
            if outcome.changedUnderneath > 0 { hasLookedEverywhere = false }
            otherNames.formUnion(outcome.otherNames)
        }
    }

    public func upkeep() async throws(DriveError) { try await driveErrors { try await engine.upkeep() } }

    public func forget(_ other: any SimulatedDevice) async throws(DriveError) {
        guard let other = other as? EngineDevice else { return }
        try await driveErrors {
            // This one may not have heard of it yet.
            do { _ = try await engine.forget(try other.state.numbers().device) } catch let error as DriveError
                where error.kind == .usage
            {}
        }
    }

    public func restart(afterPowerCut: Bool) async throws(DriveError) {
        if afterPowerCut {
            boot += 1
            (state as? MemoryState)?.cutPower()
        } else {
            (state as? MemoryState)?.endProcess()
        }
        hasLookedEverywhere = false
        engine = Self.engine(setup, state, boot, adjust)
    }

    public var holdsDeletes: Bool { (try? state.heldRowCount()) ?? 0 > 0 }

    public func decide(_ generator: inout SeededGenerator, all: Bool) throws(DriveError) -> DecidedDeletes {
        hasLookedEverywhere = false
        do { return try HeldChoice(engine.parts, takesBack: setup.number % 2 == 0).decide(&generator, all: all) } catch
        {
            throw error as? DriveError ?? DriveError(.internalFault, "\(error)")
        }
    }

    public func lookEverywhere() { hasLookedEverywhere = false }

    public func clone(_ setup: DeviceSetup) -> (any SimulatedDevice)? {
        guard let state = state as? MemoryState else { return nil }
        setup.folder.restore(folder.image())
        return EngineDevice(setup, state: state.copy(), acts: acts, adjust: adjust)
    }

    public func takeImage() -> Bool {
        guard let state = state as? MemoryState else { return false }
        image = (folder.image(), state.copy())
        return true
    }

    public func restoreImage() async throws(DriveError) -> Bool {
        guard let image else { return false }
        folder.restore(image.folder)
        state = image.state.copy()
        boot += 1
        hasLookedEverywhere = false
        engine = Self.engine(setup, state, boot, adjust)
        return true
    }

    public func view() async throws(DriveError) -> SimulatedView {
        try await driveErrors {
            let reader = JournalTransport(
                setup.store, store: store, device: try state.numbers().device, entropy: setup.entropy
            ).contentReader()
            var paths: [ItemID: DrivePath] = [.root: .root]
            var result = SimulatedView(
                tree: [:], derived: [:], unpublished: try state.pendingGroups().reduce(0) { $0 + $1.records.count })
            for entry in try ViewReader(state).allEntries() {
                guard let path = paths[entry.node]?.appending(entry.name) else { continue }
                if entry.kind == .folder { paths[entry.primary.item] = path }
                if entry.isDerived { result.derived[path] = entry.ownName }
                result.tree[path] = try await bytes(of: entry, reader)
            }
            return result
        }
    }

    private func bytes(of entry: ViewEntry, _ reader: any ContentReader) async throws(DriveError) -> TreeEntry {
        guard let content = entry.content else { return .folder }
        if case .inline(let target) = content.body { return .link(target) }
        var bytes: [UInt8] = []
        try await reader.read(content) { part throws(DriveError) in bytes += Array(part) }
        return .file(bytes)
    }
}

/// Everything below a seam throws `DriveError`; what else comes out is a fault of the program.
func driveErrors<Result>(_ body: () async throws -> Result) async throws(DriveError) -> Result {
    do { return try await body() } catch let error as DriveError { throw error } catch {
        throw DriveError(.internalFault, "\(error)")
    }
}
