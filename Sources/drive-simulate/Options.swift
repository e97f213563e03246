import DocumentDrive
import DriveTesting

/// What the command line asks for.
struct Options: Sendable {
    var first: UInt64 = 0
    var last: UInt64 = 0
    var jobs = 2
    /// Failures after which no further seed is begun.
    var stopAt = Int.max
    /// Failures whose shrunken traces are printed.
    var traced = 3
    var isTraced = false
    var kind = SimulationKind.general
    var device = DeviceKind()
    /// A file of merge cases to run in the place of seeds.
    var cases: String?

    static let help = """
        Usage: drive-simulate SEED | FROM-TO | --cases FILE [--kind general|whole|collection|acts|names] [--index] [--full-apply] [--jobs N] [--stop-at N]
               [--shrink N] [--trace]

        Runs the real engine on simulated devices, once per seed, and checks every promise at the end of each run.
          --kind KIND           general: several devices at random (default); whole: deletes and moves of whole folders;
                                collection: as general, and the store is tidied all the time;
                                acts: as general, and people undo, restore and resolve;
                                names: as general, and files have several names (hard links)
          --index               the SQLite index in memory in place of dictionaries
          --full-apply          every apply looks at the whole drive
          --jobs N              threads (default 2)
          --stop-at N           stop after N failures
          --shrink N            shrink the first N failures (default 3)
          --cases FILE          run the merge cases in the file in the place of seeds
          --trace               print what happened in every run
        """

    init(_ arguments: some Collection<String>) throws(BadArgument) {
        var rest = arguments.makeIterator()
        var seeds: String?
        while let argument = rest.next() {
            switch argument {
            case "--kind": kind = try Self.kind(rest.next())
            case "--index": device.hasIndex = true
            case "--full-apply": device.appliesEverything = true
            case "--jobs": jobs = max(1, try Self.number(argument, rest.next()))
            case "--stop-at": stopAt = try Self.number(argument, rest.next())
            case "--shrink": traced = try Self.number(argument, rest.next())
            case "--cases":
                guard let file = rest.next() else { throw BadArgument("--cases needs a file") }
                cases = file
            case "--trace": isTraced = true
            default:
                if seeds != nil || argument.hasPrefix("-") { throw BadArgument("\(argument) is not understood") }
                seeds = argument
            }
        }
        if kind == .acts { device.acts = EngineActs() }
        if cases == nil { try parseSeeds(seeds) }
    }

    private mutating func parseSeeds(_ text: String?) throws(BadArgument) {
        guard let text else { throw BadArgument("No seed was given") }
        let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { UInt64($0) }
        guard (1...2).contains(numbers.count), let first = numbers[0], let last = numbers[numbers.count - 1],
            first <= last
        else { throw BadArgument("\(text) is neither a seed nor a range of seeds") }
        self.first = first
        self.last = last
    }

    private static func number(_ option: String, _ text: String?) throws(BadArgument) -> Int {
        guard let number = text.flatMap({ Int($0) }), number >= 0 else { throw BadArgument("\(option) needs a number") }
        return number
    }

    private static func kind(_ text: String?) throws(BadArgument) -> SimulationKind {
        guard let kind = text.flatMap(SimulationKind.init(rawValue:)) else {
            throw BadArgument("--kind is one of \(SimulationKind.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return kind
    }

    /// What runs this seed again in the same way.
    func command(for seed: UInt64) -> String {
        var parts = ["Scripts/simulate", "\(seed)"]
        if kind != .general { parts += ["--kind", kind.rawValue] }
        if device.hasIndex { parts.append("--index") }
        if device.appliesEverything { parts.append("--full-apply") }
        return parts.joined(separator: " ")
    }
}

struct BadArgument: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

extension EngineActs: SimulatedActs {}
