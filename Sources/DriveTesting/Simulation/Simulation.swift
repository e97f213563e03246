import DriveCore
import FileCoordination

/// Runs a plan: several devices over memory folders and one memory store, with everything that goes wrong on the way,
/// then to rest, then every promise is checked. A run is a function of its plan.
public final class Simulation {
    let plan: RunPlan
    let clock = ManualClock()
    let store: MemoryObjectStore
    var sites: [Site] = []
    var history = History()
    var report: RunReport
    private var storeImage: MemoryObjectStore.Image?
    /// What the store has lost is stored again whenever somebody notices, which makes records without an act.
    private(set) var hasLostContents = false
    /// Seen at any time of a run in which no two changes meet.
    private(set) var needlessCopy: String?
    /// Of the last act of a person.
    var lastOutcomes: [ActOutcome] = []
    /// Records without an act may be contents that are stored again.
    /// A clone that parts from the other says anew what both had said by one number.
    /// What comes to one name of a file is there under its other names too, and is told of those.
    /// What a rule hid in a folder is new where others rename that folder, so that the rule names it no more.
    var mayStoreAgain: Bool {
        hasLostContents || plan.hasSeveralNames || plan.collection != nil || plan.isCloning
            || sites.contains { $0.setup.rule.isInForce }
    }

    /// One device and what the simulation knows about it.
    final class Site {
        let device: any SimulatedDevice
        let setup: DeviceSetup
        var interrupter: Interrupter?
        /// Somebody acted since the last scan that came to its end.
        var isDirty = true
        var isDead = false
        var lostPower = false

        init(_ device: any SimulatedDevice, _ setup: DeviceSetup) {
            self.device = device
            self.setup = setup
        }
    }

    private init(_ plan: RunPlan, isTraced: Bool) {
        self.plan = plan
        store = MemoryObjectStore(clock: clock, mode: plan.storeMode)
        report = RunReport(seed: plan.seed)
        report.trace = Trace(isWanted: isTraced)
    }

    /// `makeDevice` is called once per device and for a late joiner. With `only`, just these steps are taken.
    public static func run(
        _ plan: RunPlan, only steps: [PlannedStep]? = nil, isTraced: Bool = false, makeDevice: MakeDevice
    ) async -> RunReport {
        let run = Simulation(plan, isTraced: isTraced)
        let began = run.clock.milliseconds()
        do {
            try await run.run(steps ?? plan.steps, makeDevice)
        } catch let violation as InvariantViolation {
            run.fail(violation.invariant.rawValue, violation.details)
        } catch {
            run.fail("error", "\(error)")
        }
        for site in run.sites { site.interrupter?.end() }
        run.report.acts = run.history.acts
        run.report.contents = run.history.written.count
        run.report.milliseconds = run.clock.milliseconds() - began
        return run.report
    }

    private func fail(_ kind: String, _ details: String) {
        report.failure = RunReport.Failure(kind: kind, details: details)
        report.trace.note("FAILED \(kind): \(details)")
    }

    private func run(_ steps: [PlannedStep], _ makeDevice: MakeDevice) async throws {
        for number in 0..<plan.devices { try await addSite(number, makeDevice) }
        for step in plan.filling { try await perform(step) }
        if plan.startsTogether {
            try await rest()
            store.mode = plan.storeMode
            for site in sites { site.setup.openFiles?.open() }
        }
        if let ruled = plan.ruled { setRule(SimulatedUser.names.last, on: sites[ruled]) }
        for step in steps { try await perform(step) }
        if let ruled = plan.ruled { try await liftRule(on: sites[ruled]) }
        if let braked = plan.braked { try await decideEverything(on: sites[braked.device]) }
        report.rounds = try await rest()
        for case let files? in sites.map(\.setup.openFiles) where files.met > 0 {
            report.faults["file open for writing", default: 0] += files.met
        }
        if let rule = plan.collection { try await collectEverything(rule) }
        try await check(makeDevice)
    }

    private func addSite(_ number: Int, _ makeDevice: MakeDevice) async throws {
        var setup = DeviceSetup(number: number, store: store, clock: clock, skew: plan.skews[number], seed: plan.seed)
        setup.isWatching = plan.isWatching
        if let rule = plan.collection { setup.collection = rule }
        if let braked = plan.braked, braked.device == number { setup.freeDeletes = braked.free }
        if plan.hasOpenFiles { setup.openFiles = OpenFiles(seed: plan.seed ^ UInt64(number)) }
        if report.trace.isWanted {
            setup.note = { [unowned self] in report.trace.note("        \(number) \($0)") }
        }
        let site = Site(try await makeDevice(setup), setup)
        site.interrupter = interrupter(of: site)
        sites.append(site)
    }

    private func clone(_ original: Site, _ step: PlannedStep) async throws {
        if original.isDead { try await revive(original) }
        let number = sites.count
        let skew = plan.skews[original.setup.number]
        var setup = DeviceSetup(number: number, store: store, clock: clock, skew: skew, seed: plan.seed)
        setup.isWatching = plan.isWatching
        if report.trace.isWanted { setup.note = { [unowned self] in report.trace.note("        \(number) \($0)") } }
        guard let device = original.device.clone(setup) else { return }
        note(step)
        report.faults["machine cloned", default: 0] += 1
        let site = Site(device, setup)
        site.interrupter = interrupter(of: site)
        sites.append(site)
        site.isDirty = original.isDirty
        history.noteClone(of: original.setup.number, as: number)
        // What no scan has seen yet becomes two files that look alike: one may be deleted, and the other stays.
        if original.isDirty {
            for body in setup.folder.contents(of: .root).compactMap({ Body($0) }) { history.touch(body) }
        }
    }

    private func interrupter(of site: Site) -> Interrupter {
        Interrupter(
            site.setup.folder, site.setup.store,
            act: { [unowned self, unowned site] in act(site, seed: $0) },
            cutPower: { [unowned self, unowned site] in cutPower(site, seed: $0) })
    }

    private func perform(_ step: PlannedStep) async throws {
        clock.advance(by: RunPlan.tick)
        // A part of the steps may have left out the one that makes a clone.
        guard sites.indices.contains(step.device) else { return }
        let site = sites[step.device]
        switch step.action {
        case .user(let seed): act(site, seed: seed, step: step.number)
        case .fill(let seed): act(site, seed: seed, oneOf: UserAct.filling, step: step.number)
        case .scan, .commit, .fetch, .apply, .upkeep, .forget: try await performEngine(step, site)
        case .act(let seed): try await performAct(step, seed: seed, site)
        case .decide(let seed):
            if site.isDead { try await revive(site) }
            var generator = SeededGenerator(seed: seed)
            try decide(on: site, &generator)
        case .pause(let time):
            clock.advance(by: time)
            note(step)
        case .takeImage: if !site.isDead, site.device.takeImage() { note(step) }
        case .restoreImage: try await restoreImage(site, step)
        case .clone: try await clone(site, step)
        case .takeStoreImage:
            storeImage = store.image()
            note(step)
        case .rollBackStore:
            guard let storeImage else { break }
            store.rollBack(to: storeImage)
            report.faults["store put back", default: 0] += 1
            // It was away meanwhile, so every device connects anew.
            for site in sites { site.isDead = true }
            hasLostContents = true
            note(step)
        }
    }

    private func performEngine(_ step: PlannedStep, _ site: Site) async throws {
        if site.isDead { try await revive(site) }
        note(step)
        try await interrupting(step, site) { try await perform(step.action, site) }
        noteCopies(site)
    }

    /// Runs the body, with what the step plans for its middle.
    func interrupting(_ step: PlannedStep?, _ site: Site, _ body: () async throws -> Void) async throws {
        site.interrupter?.begin(step?.interruptions ?? [])
        defer { site.interrupter?.end() }
        do { try await body() } catch let error as DriveError { try judge(error, site) }
        let happened = site.interrupter?.happened ?? []
        for interruption in happened {
            report.faults[interruption.event.faultName, default: 0] += 1
            if interruption.event.isError { report.trace.note("    \(interruption.event)") }
        }
        if site.setup.folder.isDead || happened.contains(where: \.event.isDeath) {
            site.isDead = true
            report.deaths += 1
            report.trace.note("    the process is dead")
        }
    }

    func perform(_ action: PlannedStep.Action, _ site: Site) async throws {
        let device = site.device
        switch action {
        case .scan:
            let wasDirty = site.isDirty
            let actsBefore = history.acts
            history.noteMovedFolders(of: site.setup.folder, on: site.setup.number)
            let records = try await device.scan()
            report.records += records
            // A silent edit comes to light when apply touches its file.
            if records > 0, !wasDirty, history.acts == actsBefore, !mayStoreAgain, !plan.acts.contains(.editSilently) {
                throw InvariantViolation(.noEcho, "\(device.label) recorded \(records) changes, but nobody acted")
            }
            // A disk error in the middle hides a part of the folder.
            if history.acts == actsBefore, site.interrupter?.happened.isEmpty != false {
                site.isDirty = false
                history.noteScan(on: site.setup.number)
            }
        case .commit(let compacting): try await device.commit(compacting: compacting)
        case .fetch: try await device.fetch(only: nil)
        case .apply: try await device.apply()
        case .upkeep: try await device.upkeep()
        case .forget(let other):
            // What all others had given up, it may bring back when its content is gone.
            hasLostContents = true
            try await device.forget(sites[other].device)
        default: break
        }
    }

    /// An error that no interruption explains, and that asks for a person, is a failure of the engine.
    private func judge(_ error: DriveError, _ site: Site) throws {
        report.trace.note("    error: \(error)")
        if error.isSimulatedCrash { return }
        let isExplained = site.interrupter?.happened.isEmpty == false
        if !isExplained, error.remedy == .halt { throw error }
    }

    func note(_ step: PlannedStep) {
        report.trace.note("\(step.number) device \(step.device): \(step.action)")
    }

    private func restoreImage(_ site: Site, _ step: PlannedStep) async throws {
        let folder = site.setup.folder
        let before = [FileArea.root, .trash, .outgoing, .parked].flatMap { folder.contents(of: $0) }
        guard try await site.device.restoreImage() else { return }
        note(step)
        report.faults["machine put back", default: 0] += 1
        folder.restart()
        store.restart(site.setup.number)
        history.noteRestore(of: site.setup.number, lost: before.compactMap { Body($0) })
        site.isDead = false
        site.lostPower = false
        site.isDirty = true
    }

    func revive(_ site: Site) async throws {
        site.setup.folder.restart()
        store.restart(site.setup.number)
        report.trace.note("    device \(site.setup.number) starts again")
        try await site.device.restart(afterPowerCut: site.lostPower)
        site.isDead = false
        site.lostPower = false
    }

    private func act(_ site: Site, seed: UInt64, oneOf acts: [UserAct]? = nil, step: Int? = nil) {
        site.isDirty = true
        let done: DoneAct?
        if plan.isApart, acts == nil {
            done = SimulatedUser.actApart(
                on: site.setup.folder, device: site.setup.number, history: &history, seed: seed)
        } else {
            done = SimulatedUser.act(
                oneOf: acts ?? plan.acts, on: site.setup.folder, device: site.setup.number, history: &history,
                seed: seed)
        }
        if let done { report.trace.note("\(step.map { "\($0) " } ?? "    meanwhile ")\(done)") }
        if plan.isLittered, let path = Litter.drop(in: site.setup.folder, device: site.setup.number, seed: seed) {
            report.trace.note("    litter at \(path)")
        }
    }

    private func cutPower(_ site: Site, seed: UInt64) {
        let folder = site.setup.folder
        let before = FileArea.allCases.flatMap { folder.contents(of: $0) }
        var generator = SeededGenerator(seed: seed)
        let damaged = folder.cutPower(&generator)
        history.notePowerCut(before: before, damaged: damaged)
        site.isDirty = true
        site.lostPower = true
        report.trace.note("    power is cut")
    }

    func noteCopies(_ site: Site) {
        let folder = site.setup.folder
        for entry in folder.walk() where entry.hasContent {
            guard let copy = ConflictCopyName(entry.place.name),
                let body = folder.content(of: entry.number).flatMap({ Body($0) })
            else { continue }
            let original = folder.path(of: Place(folder: entry.place.folder, name: copy.original))
            if plan.isApart, needlessCopy == nil {
                needlessCopy = "\(original) had a conflict copy on device \(site.setup.number): \(body)"
            }
            history.noteCopy(body, of: original, on: site.setup.number)
        }
    }
}

extension Interruption.Event {
    /// What the trace would not show otherwise.
    fileprivate var isError: Bool {
        switch self {
        case .failure, .store: true
        default: false
        }
    }

    fileprivate var isDeath: Bool {
        switch self {
        case .kill, .cutPower, .store(.killedAfter), .store(.killedBefore), .store(.killedTorn): true
        default: false
        }
    }
}
