import DriveCore

/// A history before it is run: a function of its seed. Few names, so that people meet.
public struct HistoryPlan: Sendable {
    public var seed: UInt64
    public var devices: Int
    public var kind: Kind
    public var commands: [HistoryCommand]

    public enum Kind: String, Sendable, CaseIterable {
        /// Two files, written, deleted and read: the registers of the paper.
        case registers
        /// Files and folders, and everything that can be done to them.
        case trees
    }

    public init(seed: UInt64) {
        self.seed = seed
        var generator = SeededGenerator(seed: SeededGenerator.mixed(seed))
        devices = generator.chance(percent: 60) ? 2 : 3
        kind = generator.chance(percent: 30) ? .registers : .trees
        // A third has no pass in the background: these run exactly alike in memory and over the binary.
        let isSequential = generator.chance(percent: 33)
        var maker = CommandMaker(kind: kind, devices: devices, isSequential: isSequential, generator: generator)
        commands = maker.make()
    }

    /// No pass runs beside a command: what happens is a function of the commands alone.
    public var isSequential: Bool { !commands.contains { $0.action == .syncConcurrently } }

    /// The same history with only these commands.
    public func keeping(_ numbers: Set<Int>) -> HistoryPlan {
        var plan = self
        plan.commands = commands.filter { numbers.contains($0.number) }
        return plan
    }
}

/// Draws the commands of one history.
private struct CommandMaker {
    let kind: HistoryPlan.Kind
    let devices: Int
    let isSequential: Bool
    var generator: SeededGenerator

    static let files: [DrivePath] = ["a", "b", "d/a", "d/b", "e/a", "d/g/a"]
    static let folders: [DrivePath] = ["d", "e", "d/g", "e/g"]

    init(kind: HistoryPlan.Kind, devices: Int, isSequential: Bool, generator: SeededGenerator) {
        (self.kind, self.devices, self.isSequential, self.generator) = (kind, devices, isSequential, generator)
    }

    mutating func make() -> [HistoryCommand] {
        var result: [HistoryCommand] = []
        func add(_ device: Int, _ action: HistoryCommand.Action, _ pace: UInt64) {
            result.append(HistoryCommand(number: result.count + 1, device: device, action: action, pace: pace))
        }
        let begin = generator.number(in: 0...4)
        for _ in 0..<begin { add(0, kind == .registers ? .write(file()) : opening(), generator.next()) }
        if begin > 0, generator.chance(percent: 70) {
            for device in 0..<devices { add(device, .sync, generator.next()) }
        }
        for _ in 0..<generator.number(in: 6...26) {
            let device = generator.below(devices)
            let action = action(device)
            add(device, action, generator.next())
            // A pass in the background is worth it only where something goes on meanwhile.
            if action == .syncConcurrently {
                for _ in 0..<generator.number(in: 1...4) { add(device, act(), generator.next()) }
            }
        }
        if generator.chance(percent: 25) {
            add(0, .stabilize, generator.next())
            for _ in 0..<generator.number(in: 2...8) {
                let device = generator.below(devices)
                add(device, action(device), generator.next())
            }
        }
        add(0, .stabilize, generator.next())
        return result
    }

    private mutating func opening() -> HistoryCommand.Action {
        generator.chance(percent: 40) ? .makeFolder(generator.choice(Self.folders)) : .write(file())
    }

    private mutating func action(_ device: Int) -> HistoryCommand.Action {
        switch generator.below(100) {
        case ..<22: return .sync
        case ..<36 where !isSequential: return .syncConcurrently
        case ..<39 where !isSequential: return .pause
        case ..<42 where !isSequential: return .resume
        case ..<46: return .read(target())
        default: return act()
        }
    }

    private mutating func act() -> HistoryCommand.Action {
        if kind == .registers {
            switch generator.below(100) {
            case ..<40: return .write(target())
            case ..<60: return .save(target())
            case ..<75: return .delete(target())
            default: return .read(target())
            }
        }
        switch generator.below(100) {
        case ..<20: return .write(target())
        case ..<32: return .save(target())
        case ..<38: return .append(target())
        case ..<50: return .rename(target(), to: file().path)
        case ..<55: return .moveOver(target(), to: file().path)
        case ..<62: return .rename(folder(), to: generator.choice(Self.folders))
        case ..<72: return .delete(target())
        case ..<76: return .delete(folder())
        case ..<86: return .makeFolder(generator.choice(Self.folders))
        case ..<90: return .setExecutable(target(), generator.chance(percent: 60))
        default: return .read(generator.chance(percent: 70) ? target() : folder())
        }
    }

    private mutating func file() -> HistoryCommand.Target {
        HistoryCommand.Target(generator.choice(kind == .registers ? Self.files[..<2] : Self.files[...]))
    }

    private mutating func folder() -> HistoryCommand.Target { HistoryCommand.Target(generator.choice(Self.folders)) }

    private mutating func target() -> HistoryCommand.Target {
        var target = file()
        if generator.chance(percent: 12) { target.copy = generator.below(2) }
        return target
    }
}
