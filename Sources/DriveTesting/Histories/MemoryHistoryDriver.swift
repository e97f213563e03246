import DriveCore

/// Histories over folders and a store in memory, with the real engine: thousands a minute, each a function of its seed.
public final class MemoryHistoryDriver: HistoryDriver {
    private let clock = ManualClock()
    private var sites: [Site] = []

    /// Unchecked: only one thread of a history is awake at a time.
    private final class Site: @unchecked Sendable {
        let device: EngineDevice
        let folder: MemoryFolder
        let thread = PassThread()
        var isPaused = false
        var isStarted = false
        var outcome: HistoryPass?

        init(_ device: EngineDevice, _ folder: MemoryFolder) { (self.device, self.folder) = (device, folder) }

        func pass() async {
            do {
                let done = try await device.engine.sync()
                let applied = done.applied
                let isComplete = !done.isUnsettled && applied.changedUnderneath == 0
                outcome = HistoryPass(
                    isComplete: isComplete, hasRecorded: done.records > 0,
                    hasBrought: applied.placed + applied.replaced + applied.moved + applied.removed > 0)
            } catch {
                // What changes under a pass may end it; the next one goes on.
                let needsPerson = (error as? DriveError).map { $0.remedy == .halt } ?? true
                outcome = HistoryPass(
                    isComplete: false, hasRecorded: true, hasBrought: true, fault: needsPerson ? "\(error)" : nil)
            }
        }
    }

    public init(devices: Int, seed: UInt64, makeDevice: (DeviceSetup) async throws -> any SimulatedDevice) async throws
    {
        let store = MemoryObjectStore(clock: clock)
        for number in 0..<devices {
            let setup = DeviceSetup(number: number, store: store, clock: clock, seed: seed)
            guard let device = try await makeDevice(setup) as? EngineDevice else { continue }
            let site = Site(device, setup.folder)
            sites.append(site)
            setup.folder.beforeOperation = { [unowned site] _ throws(DriveError) in site.thread.beforeCall() }
            store.setHook(for: number) { [unowned site] _ in
                site.thread.beforeCall()
                return nil
            }
        }
    }

    public func start(_ device: Int) async throws {
        clock.advance(by: RunPlan.tick)
        let site = sites[device]
        site.outcome = nil
        site.isStarted = true
        site.thread.start { await site.pass() }
    }

    public func finish(_ device: Int) async throws -> HistoryPass {
        let site = sites[device]
        while site.thread.goOn(1 << 20) {}
        return try ended(site)
    }

    public func poll(_ device: Int) throws -> HistoryPass? {
        let site = sites[device]
        return site.outcome == nil ? nil : try ended(site)
    }

    private func ended(_ site: Site) throws -> HistoryPass {
        guard let outcome = site.outcome else { throw DriveError(.internalFault, "the pass did not end") }
        (site.outcome, site.isStarted, site.isPaused) = (nil, false, false)
        return outcome
    }

    public func setPaused(_ isPaused: Bool, _ device: Int) { sites[device].isPaused = isPaused }

    public func goOn(_ pace: UInt64) {
        clock.advance(by: RunPlan.tick)
        var generator = SeededGenerator(seed: pace)
        for site in sites where site.isStarted && !site.isPaused && site.outcome == nil {
            site.thread.goOn(generator.choice([0, 1, 2, 5, 10, 20, 40, 80, 200]))
        }
    }

    public func end() async {
        for (number, site) in sites.enumerated() {
            if site.isStarted { _ = try? await finish(number) }
            site.folder.beforeOperation = nil
            site.thread.end()
        }
    }

    public func tree(of device: Int) -> [DrivePath: SeenEntry] {
        let folder = sites[device].folder
        let attributes = folder.attributes()
        var result: [DrivePath: SeenEntry] = [:]
        for (path, entry) in folder.tree() {
            result[path] = SeenEntry(entry, isExecutable: attributes[path]?.isExecutable ?? false)
        }
        return result
    }

    public func read(_ path: DrivePath, on device: Int) -> SeenEntry? {
        let folder = sites[device].folder
        guard let place = folder.place(path), let entry = folder.entry(at: place) else { return nil }
        return SeenEntry(entry, isExecutable: folder.isExecutable(at: place))
    }

    public func kept(on device: Int) -> Set<[UInt8]> {
        let folder = sites[device].folder
        return Set([FileArea.trash, .outgoing, .parked, .incoming].flatMap { folder.contents(of: $0) })
    }

    public func perform(_ command: HistoryCommand, at path: DrivePath) -> [HistoryEffect] {
        MemoryHands(folder: sites[command.device].folder).perform(command, at: path)
    }
}

/// A person's acts in a memory folder. Each is atomic, so what it did is what was there before.
private struct MemoryHands {
    let folder: MemoryFolder

    func perform(_ command: HistoryCommand, at path: DrivePath) -> [HistoryEffect] {
        guard let place = folder.place(path) else { return [] }
        let old = folder.entry(at: place)
        let bytes = HistoryBytes(command)
        switch command.action {
        case .write:
            guard case .file(let before) = old else { return create(bytes.new(), path, place) }
            return wrote(path, bytes.new(atLeast: before.count), before) { folder.write($0, at: place) }
        case .save:
            guard case .file(let before) = old else { return create(bytes.new(), path, place) }
            return wrote(path, bytes.new(), before) { folder.save($0, at: place) }
        case .append:
            guard case .file(let before) = old else { return [] }
            return wrote(path, before + bytes.more, before) { folder.write($0, at: place) }
        case .rename(_, let target): return move(path, place, target, isOver: false)
        case .moveOver(_, let target): return move(path, place, target, isOver: true)
        case .delete: return remove(path, place)
        case .makeFolder: return folder.makeFolder(at: place) ? [.madeFolder(path)] : []
        case .setExecutable(_, let flag):
            guard case .file(let before) = old, folder.setExecutable(flag, at: place) else { return [] }
            return [.setExecutable(path, before, flag)]
        default: return []
        }
    }

    private func create(_ bytes: [UInt8], _ path: DrivePath, _ place: Place) -> [HistoryEffect] {
        folder.create(bytes, at: place) ? [.wrote(path, bytes, instead: nil, isAway: false)] : []
    }

    private func wrote(
        _ path: DrivePath, _ bytes: [UInt8], _ before: [UInt8], _ write: ([UInt8]) -> Bool
    ) -> [HistoryEffect] {
        write(bytes) ? [.wrote(path, bytes, instead: before, isAway: false)] : []
    }

    private func move(_ path: DrivePath, _ place: Place, _ target: DrivePath, isOver: Bool) -> [HistoryEffect] {
        guard let there = folder.place(target), there != place, let old = folder.entry(at: place) else { return [] }
        let replaced = folder.entry(at: there)
        if replaced != nil && !(isOver && replaced != .folder) { return [] }
        guard folder.move(from: place, to: there) else { return [] }
        guard case .folder = old else {
            return [.moved(path, to: target, old.bytes, instead: replaced?.bytes)]
        }
        let inside = folder.tree().filter { $0.key.isInside(target) && $0.value != .folder }.mapValues(\.bytes)
        return [.movedFolder(path, to: target, inside: inside)]
    }

    private func remove(_ path: DrivePath, _ place: Place) -> [HistoryEffect] {
        guard let old = folder.entry(at: place) else { return [] }
        let inside = folder.tree().filter { $0.key.isInside(path) }.sorted { $0.key > $1.key }
        guard folder.remove(at: place) else { return [] }
        return inside.map { path, entry in
            entry == .folder ? .removedFolder(path) : .removed(path, entry.bytes, withFolder: old == .folder)
        }
    }
}

extension TreeEntry {
    fileprivate var bytes: [UInt8] {
        switch self {
        case .file(let bytes), .link(let bytes): bytes
        case .folder, .other: []
        }
    }
}

/// The bytes that a command writes. None are written twice, so each value tells its origin.
public struct HistoryBytes {
    private let command: HistoryCommand

    public init(_ command: HistoryCommand) { self.command = command }

    /// At least so many, so that one write replaces all that a file holds.
    public func new(atLeast count: Int = 0) -> [UInt8] {
        let token = command.token
        return token + Array(repeating: 0x2E, count: max(0, count - token.count - 1)) + [0x0A]
    }

    /// Behind what a file holds.
    public var more: [UInt8] { Array("+".utf8) + command.token + [0x0A] }
}
