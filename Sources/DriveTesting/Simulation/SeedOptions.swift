/// Which seeds a program runs, and how much it shows of what fails.
public struct SeedOptions: Sendable {
    public private(set) var first: UInt64 = 0
    public private(set) var last: UInt64 = 0
    /// Runs at a time.
    public private(set) var jobs = 2
    /// Failures after which no further seed is begun.
    public private(set) var stopAt = Int.max
    /// Failures that are shrunk.
    public private(set) var shrunk = 3
    public private(set) var isTraced = false
    private var seeds: String?

    public init() {}

    /// One of the options that all such programs have, or the seeds.
    public mutating func take<Rest: IteratorProtocol<String>>(
        _ argument: String, _ rest: inout Rest
    ) throws(BadArgument) {
        switch argument {
        case "--jobs": jobs = max(1, try Self.number(argument, rest.next()))
        case "--stop-at": stopAt = try Self.number(argument, rest.next())
        case "--shrink": shrunk = try Self.number(argument, rest.next())
        case "--trace": isTraced = true
        default:
            if seeds != nil || argument.hasPrefix("-") { throw BadArgument("\(argument) is not understood") }
            seeds = argument
        }
    }

    /// After all arguments: `SEED` or `FROM-TO`.
    public mutating func readSeeds() throws(BadArgument) {
        guard let seeds else { throw BadArgument("No seed was given") }
        let numbers = seeds.split(separator: "-", omittingEmptySubsequences: false).map { UInt64($0) }
        guard (1...2).contains(numbers.count), let first = numbers[0], let last = numbers[numbers.count - 1],
            first <= last
        else { throw BadArgument("\(seeds) is neither a seed nor a range of seeds") }
        self.first = first
        self.last = last
    }

    public static func text(_ option: String, _ text: String?) throws(BadArgument) -> String {
        guard let text else { throw BadArgument("\(option) needs a value") }
        return text
    }

    public static func number(_ option: String, _ text: String?) throws(BadArgument) -> Int {
        guard let number = text.flatMap({ Int($0) }), number >= 0 else { throw BadArgument("\(option) needs a number") }
        return number
    }
}

public struct BadArgument: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
