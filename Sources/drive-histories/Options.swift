import DriveTesting
import Glibc

/// What the command line asks for.
struct Options: Sendable {
    var first: UInt64 = 0
    var last: UInt64 = 0
    var jobs = 2
    /// Violations after which no further seed is begun.
    var stopAt = Int.max
    /// Violations that are shrunk.
    var shrunk = 3
    var isTraced = false
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
        var seeds: String?
        while let argument = rest.next() {
            switch argument {
            case "--memory": program = nil
            case "--binary": program = try Self.text(argument, rest.next())
            case "--place": place = try Self.text(argument, rest.next())
            case "--jobs": jobs = max(1, try Self.number(argument, rest.next()))
            case "--stop-at": stopAt = try Self.number(argument, rest.next())
            case "--shrink": shrunk = try Self.number(argument, rest.next())
            case "--only": only = try Self.numbers(argument, rest.next())
            case "--index": device.hasIndex = true
            case "--trace": isTraced = true
            default:
                if seeds != nil || argument.hasPrefix("-") { throw BadArgument("\(argument) is not understood") }
                seeds = argument
            }
        }
        try parseSeeds(seeds)
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

    private static func text(_ option: String, _ text: String?) throws(BadArgument) -> String {
        guard let text else { throw BadArgument("\(option) needs a value") }
        return text
    }

    private static func number(_ option: String, _ text: String?) throws(BadArgument) -> Int {
        guard let number = text.flatMap({ Int($0) }), number >= 0 else { throw BadArgument("\(option) needs a number") }
        return number
    }

    private static func numbers(_ option: String, _ text: String?) throws(BadArgument) -> Set<Int> {
        var result: Set<Int> = []
        for part in try Self.text(option, text).split(separator: ",") {
            result.insert(try number(option, String(part)))
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

struct BadArgument: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
