import DriveCore

// How a run ends: at rest, with every promise checked.
extension Simulation {
    func setRule(_ hidden: FileName?, on site: Site) {
        site.setup.rule.hide(hidden)
        site.device.lookEverywhere()
        report.trace.note("device \(site.setup.number) hides \(hidden.map { "\($0)" } ?? "nothing")")
    }

    /// First all come to rest with it: what it hides leaves nobody restless.
    func liftRule(on site: Site) async throws {
        try await rest()
        setRule(nil, on: site)
        // What was moved out of there is a new file, and the old one goes once its place is looked at again.
        history.copies.formUnion(history.written)
    }

    /// Until nothing is held any more: what is taken back may bring more that others have deleted.
    func decideEverything(on site: Site) async throws {
        var generator = SeededGenerator(seed: SeededGenerator.mixed(plan.seed &+ 1))
        for _ in 0..<8 {
            // What is held leaves nobody restless.
            try await rest()
            if try decide(on: site, &generator, all: true) == DecidedDeletes() { return }
        }
        throw InvariantViolation(.idempotence, "\(site.setup.label) still holds deletes after all were decided")
    }

    @discardableResult
    func decide(
        on site: Site, _ generator: inout SeededGenerator, all: Bool = false
    ) throws(DriveError) -> DecidedDeletes {
        let decided = try site.device.decide(&generator, all: all)
        report.trace.note("device \(site.setup.number) decides: \(decided)")
        if decided != DecidedDeletes() { report.faults["deletes decided", default: 0] += 1 }
        site.isDirty = true
        // Nobody has deleted these after all; of what comes anew the old one goes.
        if decided.restored > 0 {
            history.deleted = []
            history.copies.formUnion(history.written)
        }
        return decided
    }

    @discardableResult
    func rest() async throws -> Int {
        store.mode = .strong
        for site in sites {
            if site.isDead { try await revive(site) }
            site.setup.openFiles?.close()
            site.isDirty = true
            try Litter.tidy(site.setup.folder, device: site.setup.number)
            history.noteMovedFolders(of: site.setup.folder, on: site.setup.number)
        }
        report.trace.note("to rest")
        if plan.acts.contains(.editSilently) { try await showSilentEdits() }
        var quiescence = Quiescence(devices: sites.map(\.device), clock: clock)
        quiescence.mayRecord = mayStoreAgain
        quiescence.afterApply = { [unowned self] in noteCopies(sites[$0]) }
        let rounds = try await quiescence.reach()
        for site in sites { site.isDirty = false }
        return rounds
    }

    /// What hid in a parked file comes out only after the apply that places it, so no promise is checked before.
    private func showSilentEdits() async throws {
        for site in sites { SimulatedUser.flushMappings(of: site.setup.folder) }
        for site in sites {
            clock.advance(by: RunPlan.tick)
            _ = try await site.device.scan()
            try await site.device.commit(compacting: false)
            try await site.device.fetch(only: nil)
            try await site.device.apply()
            noteCopies(site)
        }
    }

    func check(_ makeDevice: MakeDevice) async throws {
        if let needlessCopy { throw InvariantViolation(.noNeedlessCopy, needlessCopy) }
        if let violation = store.violations.first { throw InvariantViolation(.idempotence, violation) }
        guard let first = sites.first else { return }
        guard let view = try await wholeView(of: first.device) else {
            try checkWhatIsLeft()
            return try await checkGivingUp()
        }
        for site in sites {
            let other = try await site.device.view()
            if other.tree != view.tree || other.derived != view.derived || other.unpublished > 0 {
                let paths = Set(view.tree.keys).union(other.tree.keys).filter { view.tree[$0] != other.tree[$0] }
                throw InvariantViolation(
                    .convergence,
                    "\(site.setup.label) and \(first.setup.label) see two views: \(paths.sorted().prefix(4)), \(other.unpublished) unpublished"
                )
            }
        }
        let drive = QuietDrive(
            devices: sites.map { QuietDrive.Device(label: $0.setup.label, folder: $0.setup.folder) }, view: view.tree,
            derived: view.derived)
        report.conflictCopies = view.derived.count
        report.fingerprint = drive.fingerprint
        try drive.check(history, allowsCopies: !plan.isApart)
        try await checkLateJoiner(view, makeDevice)
        try await checkSoundness()
    }

    /// Nil where the store has lost a part of it.
    private func wholeView(of device: any SimulatedDevice) async throws -> SimulatedView? {
        do { return try await device.view() } catch {
            guard hasLostContents, error.kind == .notFound else { throw error }
            return nil
        }
    }

    /// A content came back to life that everybody who had it had given up, and the store has lost it: nobody can show it.
    /// Whatever nobody gave up is on a disk still.
    private func checkWhatIsLeft() throws(InvariantViolation) {
        let live = Set(sites.flatMap { $0.setup.folder.tree().values.compactMap(\.body) })
        for body in history.written.sorted() where !live.contains(body) && !history.excused.contains(body) {
            throw InvariantViolation(.nothingLost, "\(body) is gone with what the store has lost")
        }
    }

    /// One of them gives up what is lost: then all have all that there is, and nobody waits for anything.
    private func checkGivingUp() async throws {
        report.trace.note("what is lost is given up")
        report.faults["contents given up", default: 0] += 1
        guard let device = sites.first?.device as? EngineDevice else { return }
        try await device.giveUpLostContents()
        try await rest()
        let view = try await device.view()
        for site in sites {
            let other = try await site.device.view()
            if other.tree != view.tree || other.unpublished > 0 {
                throw InvariantViolation(
                    .convergence, "\(site.setup.label) sees another view after contents were given up")
            }
        }
        try await checkSoundness()
    }

    /// Turns and long pauses until everything that nobody needs has left the store.
    func collectEverything(_ rule: CollectionRule) async throws {
        report.trace.note("the store is tidied")
        for _ in 0..<8 {
            clock.advance(by: rule.age + rule.grace + rule.lossDelay + rule.patience)
            for site in sites { try await site.device.upkeep() }
            var quiescence = Quiescence(devices: sites.map(\.device), clock: clock)
            quiescence.mayRecord = true
            quiescence.afterApply = { [unowned self] in noteCopies(sites[$0]) }
            try await quiescence.reach()
        }
    }

    private func checkSoundness() async throws {
        for site in sites {
            guard let device = site.device as? EngineDevice else { continue }
            if let fault = try await device.faults(
                hasLostContents: hasLostContents, isCollecting: plan.collection != nil
            ).first {
                throw InvariantViolation(.soundness, fault)
            }
        }
    }

    /// A device that joins now ends up with the same, and one that had all of it already has nothing to tell.
    private func checkLateJoiner(_ view: SimulatedView, _ makeDevice: MakeDevice) async throws {
        let isFilled = plan.seed % 4 == 0
        let setup = DeviceSetup(number: 25, store: store, clock: clock, seed: plan.seed)
        let device = try await makeDevice(setup)
        if isFilled { setup.folder.fill(view.tree) }
        try await device.fetch(only: nil)
        if isFilled, try await device.scan() > 0 {
            throw InvariantViolation(.noEcho, "a device that joins with everything records changes")
        }
        try await device.apply()
        let records = try await device.scan()
        if records > 0 { throw InvariantViolation(.noEcho, "a device that joins late records \(records) changes") }
        if setup.folder.tree() != view.tree {
            throw InvariantViolation(.convergence, "a device that joins late has another tree")
        }
    }
}

extension MemoryFolder {
    /// Makes all of it, as a person does who copies a drive by hand.
    fileprivate func fill(_ tree: [DrivePath: TreeEntry]) {
        for (path, entry) in tree.sorted(by: { $0.key < $1.key }) {
            guard let place = place(path) else { continue }
            switch entry {
            case .file(let bytes): create(bytes, at: place)
            case .link(let target): makeLink(to: target, at: place)
            case .folder: makeFolder(at: place)
            case .other: break
            }
        }
    }
}

extension QuietDrive {
    /// The same for the same trees, trashes included, on every machine.
    var fingerprint: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func mix(_ bytes: [UInt8]) {
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            hash = SeededGenerator.mixed(hash)
        }
        for device in devices {
            for (path, entry) in device.tree.sorted(by: { $0.key < $1.key }) {
                mix(path.bytes)
                mix(Array(Optional(entry).text.utf8))
            }
            for bytes in device.trash { mix(bytes) }
        }
        return hash
    }
}
