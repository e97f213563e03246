import DriveCore

/// Runs a `WholePlan`. A run is a function of its plan.
final class WholeSimulation {
    let plan: WholePlan
    let clock = ManualClock()
    let store: MemoryObjectStore
    var devices: [any SimulatedDevice] = []
    var report: RunReport
    var expectation = WholeExpectation()
    private var newest = Body.shared.count - 1

    /// What the drive shows is not what the acts ask for.
    struct Surprise: Error {
        var kind: String
        var details: String
    }

    private init(_ plan: WholePlan, isTraced: Bool) {
        self.plan = plan
        store = MemoryObjectStore(clock: clock)
        report = RunReport(seed: plan.seed)
        report.trace = Trace(isWanted: isTraced)
    }

    static func run(_ plan: WholePlan, isTraced: Bool, makeDevice: MakeDevice) async -> RunReport {
        let run = WholeSimulation(plan, isTraced: isTraced)
        do { try await run.run(makeDevice) } catch let violation as InvariantViolation {
            run.fail(violation.invariant.rawValue, violation.details)
        } catch let surprise as Surprise {
            run.fail(surprise.kind, surprise.details)
        } catch {
            run.fail("error", "\(error)")
        }
        return run.report
    }

    private func fail(_ kind: String, _ details: String) {
        report.failure = RunReport.Failure(kind: kind, details: details)
        report.trace.note("FAILED \(kind): \(details)")
    }

    private func run(_ makeDevice: MakeDevice) async throws {
        for number in 0..<plan.devices {
            devices.append(
                try await makeDevice(
                    DeviceSetup(number: number, store: store, clock: clock, skew: plan.skews[number], seed: plan.seed)))
        }
        for step in plan.filling { fill(step) }
        if plan.hasMergedFolder { for device in devices.prefix(2) { makeMergedFolder(on: device) } }
        try await rest()
        try await actApart()
        try await rest()
        try checkExpectation()
        for step in plan.rounds {
            guard try await devices[0].view().derived.isEmpty else { break }
            try await round(step)
        }
        try await checkViews()
    }

    func rest() async throws {
        report.rounds = max(report.rounds, try await Quiescence(devices: devices, clock: clock).reach())
        clock.advance(by: 5 * RunPlan.tick)
    }

    private func checkViews() async throws {
        let view = try await devices[0].view()
        report.conflictCopies = view.derived.count
        let drive = QuietDrive(
            devices: devices.map { QuietDrive.Device(label: $0.label, folder: $0.folder) }, view: view.tree,
            derived: view.derived)
        report.fingerprint = drive.fingerprint
        for device in devices where try await device.view().tree != view.tree || device.folder.tree() != view.tree {
            throw InvariantViolation(.convergence, "\(device.label) has another tree than \(devices[0].label)")
        }
    }

    func note(_ device: any SimulatedDevice, _ text: String) {
        report.acts += 1
        report.trace.note("device \(device.label): \(text)")
    }

    func newBody() -> Body {
        newest += 1
        return Body(number: newest)
    }

    /// A name that nobody has used.
    func newName(_ start: String) -> FileName { FileName("\(start)\(newBody().number)") }
}

// What is there before the devices part.
extension WholeSimulation {
    private func fill(_ step: WholePlan.Step) {
        var generator = SeededGenerator(seed: step.seed)
        let folder = devices[0].folder
        let place = Place(folder: someFolder(of: folder, &generator), name: FileName("n\(step.number)"))
        if generator.chance(percent: 50) {
            folder.makeFolder(at: place)
            note(devices[0], "makes folder \(folder.path(of: place))")
        } else {
            create(at: place, on: devices[0])
        }
    }

    @discardableResult
    func create(at place: Place, on device: any SimulatedDevice) -> Body {
        let body = newBody()
        device.folder.create(body.bytes, at: place)
        note(device, "creates \(device.folder.path(of: place)) \(body)")
        return body
    }

    func someFolder(
        of folder: MemoryFolder, _ generator: inout SeededGenerator, where fits: (WalkedEntry) -> Bool = { _ in true }
    ) -> Int {
        generator.choice([MemoryFolder.root] + folder.walk().filter { $0.isFolder && fits($0) }.map(\.number))
    }

    private func makeMergedFolder(on device: any SimulatedDevice) {
        let folder = device.folder
        folder.makeFolder(at: Place(folder: MemoryFolder.root, name: "M"))
        guard let outer = folder.number(at: Place(folder: MemoryFolder.root, name: "M")) else { return }
        create(at: Place(folder: outer, name: newName("m")), on: device)
        folder.makeFolder(at: Place(folder: outer, name: "S"))
        guard let inner = folder.number(at: Place(folder: outer, name: "S")) else { return }
        create(at: Place(folder: inner, name: newName("m")), on: device)
    }
}
