import DriveCore

/// Runs one history against a driver, and holds everything that is seen against the model.
public struct HistoryRun {
    private let plan: HistoryPlan
    private let driver: any HistoryDriver
    private var model: HistoryModel
    private var report: HistoryReport
    private var running: Set<Int> = []
    private var paused: Set<Int> = []

    /// The driver is ended in every case.
    public static func run(
        _ plan: HistoryPlan, isTraced: Bool = false, over driver: any HistoryDriver
    ) async -> HistoryReport {
        var run = HistoryRun(plan, driver, isTraced)
        do { try await run.run() } catch let violation as HistoryViolation { run.fail(violation) } catch {
            run.fail(HistoryViolation(.pass, "\(error)"))
        }
        await driver.end()
        run.report.tally = run.model.tally
        return run.report
    }

    private init(_ plan: HistoryPlan, _ driver: any HistoryDriver, _ isTraced: Bool) {
        (self.plan, self.driver) = (plan, driver)
        model = HistoryModel(devices: plan.devices)
        report = HistoryReport(seed: plan.seed)
        report.trace = Trace(isWanted: isTraced)
    }

    private mutating func fail(_ violation: HistoryViolation) {
        report.violation = violation
        report.trace.note("VIOLATION \(violation)")
    }

    private mutating func run() async throws {
        for command in plan.commands {
            driver.goOn(command.pace)
            for device in running.sorted() {
                if let pass = try driver.poll(device) { try ended(device, pass) }
            }
            try await perform(command)
            report.commands += 1
        }
        // A history that was shrunk may end anywhere.
        if plan.commands.last?.action != .stabilize { try await stabilize() }
    }

    private mutating func perform(_ command: HistoryCommand) async throws {
        let device = command.device
        report.trace.note("\(command)")
        switch command.action {
        case .sync:
            try await finish(device)
            try await pass(device)
        case .syncConcurrently:
            try await finish(device)
            try await start(device)
        case .pause:
            guard running.contains(device) else { break }
            paused.insert(device)
            driver.setPaused(true, device)
        case .resume: resume(device)
        case .stabilize: try await stabilize()
        case .read(let target): try read(target, device)
        default: act(command)
        }
    }

    private mutating func act(_ command: HistoryCommand) {
        guard let target = command.target, let path = resolve(target, command.device) else { return }
        let effects = driver.perform(command, at: path)
        for effect in effects { note("\(effect.text)") }
        report.note(effects.map(\.pattern).sorted())
        model.did(effects, on: command.device)
    }

    private mutating func read(_ target: HistoryCommand.Target, _ device: Int) throws {
        guard let path = resolve(target, device) else { return }
        let found = driver.read(path, on: device)
        note("\(path) is \(found?.text ?? "nothing")")
        report.note(["read \(path.pattern) \(found?.text ?? "nothing")"])
        try model.read(path, found, on: device)
    }

    /// A conflict copy is chosen by what it holds, because its name has the time in it.
    private func resolve(_ target: HistoryCommand.Target, _ device: Int) -> DrivePath? {
        guard let number = target.copy else { return target.path }
        let copies = driver.tree(of: device).filter { path, _ in
            path.parent == target.path.parent
                && path.name.flatMap { ConflictCopyName($0) }?.original == target.path.name
        }
        let sorted = copies.sorted { ($0.value.bytes ?? []).lexicographicallyPrecedes($1.value.bytes ?? []) }
        return number < sorted.count ? sorted[number].key : nil
    }

    private mutating func note(_ text: String) { report.trace.note("      \(text)") }

    // Passes.

    private mutating func start(_ device: Int) async throws {
        running.insert(device)
        model.passBegan(device)
        try await driver.start(device)
        report.passes += 1
    }

    private mutating func resume(_ device: Int) {
        if paused.remove(device) != nil { driver.setPaused(false, device) }
    }

    private mutating func finish(_ device: Int) async throws {
        guard running.contains(device) else { return }
        resume(device)
        try ended(device, try await driver.finish(device))
    }

    @discardableResult
    private mutating func pass(_ device: Int) async throws -> HistoryPass {
        try await start(device)
        let pass = try await driver.finish(device)
        try ended(device, pass)
        return pass
    }

    private mutating func ended(_ device: Int, _ pass: HistoryPass) throws {
        running.remove(device)
        paused.remove(device)
        let tree = driver.tree(of: device)
        note(
            "pass of \(HistoryModel.label(device)) ended, \(pass.isComplete ? "complete" : "not complete"): \(tree.text)"
        )
        report.note(["tree \(tree.pattern)"])
        if let fault = pass.fault { throw HistoryViolation(.pass, fault) }
        let driver = driver
        try model.passEnded(device, isComplete: pass.isComplete, tree: tree) { driver.kept(on: device) }
    }

    /// Two turns bring everything everywhere; then all is silent. Rest is when every device has had a pass since the last
    /// that recorded anything. In a part of the histories all of them then have another, which must do nothing at all.
    private mutating func stabilize() async throws {
        for device in 0..<plan.devices { try await finish(device) }
        var waiting = Set(0..<plan.devices)
        for turn in 0..<(8 * plan.devices) {
            let device = turn % plan.devices
            let pass = try await pass(device)
            if pass.hasRecorded || !pass.isComplete { waiting = Set(0..<plan.devices).subtracting([device]) }
            if pass.isComplete { waiting.remove(device) }
            if turn >= plan.devices, waiting.isEmpty { break }
        }
        if !waiting.isEmpty { throw HistoryViolation(.restless, "something changes in every turn") }
        if plan.seed % 4 == 0 { try await checkSilence() }
        try model.restReached()
        if model.bodies.contains(where: \.isAway) {
            try model.checkKept((0..<plan.devices).reduce(into: []) { $0.formUnion(driver.kept(on: $1)) })
        }
    }
}

extension HistoryRun {
    private mutating func checkSilence() async throws {
        for device in 0..<plan.devices {
            let pass = try await pass(device)
            if pass.hasRecorded || pass.hasBrought {
                throw HistoryViolation(.restless, "\(HistoryModel.label(device)) did something at rest")
            }
        }
    }
}

/// How a history ended.
public struct HistoryReport: Sendable {
    public var seed: UInt64
    public var violation: HistoryViolation?
    public var commands = 0
    public var passes = 0
    public var tally = HistoryModel.Tally()
    /// All that was seen, without the times in the names of copies: equal for equal sequential histories, whatever they
    /// are run against.
    public private(set) var seen: [String] = []
    public var trace = Trace(isWanted: false)

    init(seed: UInt64) { self.seed = seed }

    mutating func note(_ lines: [String]) { seen += lines }
}

extension HistoryCommand {
    var target: Target? {
        switch action {
        case .write(let target), .save(let target), .append(let target), .rename(let target, _),
            .moveOver(let target, _), .delete(let target), .setExecutable(let target, _), .read(let target):
            target
        case .makeFolder(let path): Target(path)
        case .sync, .syncConcurrently, .pause, .resume, .stabilize: nil
        }
    }
}

extension SeenEntry {
    var text: String {
        switch entry {
        case .folder: "folder"
        case .other: "special"
        case .file(let bytes), .link(let bytes):
            String(decoding: bytes.filter { $0 != 0x0A }, as: UTF8.self) + (isExecutable ? " +x" : "")
        }
    }
}

extension [DrivePath: SeenEntry] {
    var text: String { sorted { $0.key < $1.key }.map { "\($0) = \($1.text)" }.joined(separator: ", ") }

    /// Without the times of conflict copies.
    var pattern: String { map { "\($0.key.pattern) = \($0.value.text)" }.sorted().joined(separator: ", ") }
}

extension HistoryEffect {
    var text: String { describe { "\($0)" } }

    /// Without the times of conflict copies.
    var pattern: String { describe { "\($0.pattern)" } }

    private func describe(_ name: (DrivePath) -> String) -> String {
        func show(_ bytes: [UInt8]) -> String { SeenEntry(.file(bytes)).text }
        return switch self {
        case .wrote(let path, let bytes, let instead, let isAway):
            "\(name(path)) := \(show(bytes)), was \(instead.map(show) ?? "nothing")\(isAway ? ", away" : "")"
        case .moved(let path, let target, let bytes, let instead):
            "\(name(path)) -> \(name(target)) with \(show(bytes)), was \(instead.map(show) ?? "nothing")"
        case .movedFolder(let path, let target, _): "\(name(path)) -> \(name(target))"
        case .removed(let path, let bytes, _): "\(name(path)) removed, was \(show(bytes))"
        case .removedFolder(let path): "\(name(path)) removed"
        case .madeFolder(let path): "\(name(path)) made"
        case .setExecutable(let path, _, let flag): "\(name(path)) \(flag ? "+x" : "-x")"
        case .replacedSomething(let path): "\(name(path)) in doubt"
        }
    }
}
