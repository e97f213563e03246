import DocumentDrive
import DriveTesting

/// What the command line asks for.
struct Options: Sendable {
    var seeds = SeedOptions()
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
        while let argument = rest.next() {
            switch argument {
            case "--kind": kind = try Self.kind(rest.next())
            case "--index": device.hasIndex = true
            case "--full-apply": device.appliesEverything = true
            case "--cases": cases = try SeedOptions.text(argument, rest.next())
            default: try seeds.take(argument, &rest)
            }
        }
        if kind == .acts { device.acts = EngineActs() }
        if cases == nil { try seeds.readSeeds() }
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

extension EngineActs: SimulatedActs {}
