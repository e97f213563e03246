import DriveTesting

/// What the command line asks for.
struct Options: Sendable {
    /// Its failures are violations.
    var seeds = SeedOptions()
    /// The program under test; nil for the simulation in memory.
    var program: String?
    /// Where the folders of devices are made.
    var place = "/tmp"
    /// Only these commands of the history.
    var only: Set<Int>?
    var device = DeviceKind()

    static let help = """
        Usage: drive-histories SEED | FROM-TO [--memory | --binary PROGRAM] [--place DIR] [--jobs N] [--stop-at N]
               [--shrink N] [--only N,N...] [--index] [--trace]

        Runs random histories of commands and passes, and holds all that is seen against a model of what may be.
          --memory          simulated devices, in memory (default)
          --binary PROGRAM  this docdrive on real folders; histories without passes in the background are also run in
                            memory, and must show the same
          --place DIR       where those folders are made (default /tmp)
          --jobs N          histories at a time (default 2)
          --stop-at N       stop after N violations
          --shrink N        shrink the first N violations (default 3)
          --only N,N...     only these commands of the history
          --index           in memory, the SQLite index in the place of dictionaries
          --trace           print what happened in every history
        """

    init(_ arguments: some Collection<String>) throws(BadArgument) {
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "--memory": program = nil
            case "--binary": program = try SeedOptions.text(argument, rest.next())
            case "--place": place = try SeedOptions.text(argument, rest.next())
            case "--only": only = try Self.numbers(argument, rest.next())
            case "--index": device.hasIndex = true
            default: try seeds.take(argument, &rest)
            }
        }
        try seeds.readSeeds()
    }

    private static func numbers(_ option: String, _ text: String?) throws(BadArgument) -> Set<Int> {
        var result: Set<Int> = []
        for part in try SeedOptions.text(option, text).split(separator: ",") {
            result.insert(try SeedOptions.number(option, String(part)))
        }
        return result
    }

    /// What runs these commands of the history again.
    func command(for seed: UInt64, _ commands: [Int]) -> String {
        var parts = ["Scripts/histories", "\(seed)"]
        parts.append(program == nil ? "--memory" : "--binary")
        if device.hasIndex { parts.append("--index") }
        parts += ["--only", commands.map(String.init).joined(separator: ","), "--trace"]
        return parts.joined(separator: " ")
    }
}
