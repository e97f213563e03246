import Foundation

/// Hands out seeds to several workers, counts what they saw, and keeps apart what they print.
public actor SeedRun<Tally: Sendable> {
    public private(set) var tally: Tally
    private var seed: UInt64
    private let last: UInt64
    private var isAtEnd = false
    private var failuresLeft: Int
    private var shrinksLeft: Int

    public init(_ options: SeedOptions, _ tally: Tally) {
        self.tally = tally
        seed = options.first
        last = options.last
        failuresLeft = options.stopAt
        shrinksLeft = options.shrunk
    }

    /// Nil where nothing is left, or enough has failed.
    public func next() -> UInt64? {
        guard !isAtEnd, failuresLeft > 0 else { return nil }
        defer { if seed == last { isAtEnd = true } else { seed += 1 } }
        return seed
    }

    /// Adds a run, and says what all have come to.
    public func count(_ add: @Sendable (inout Tally) -> Void) -> Tally {
        add(&tally)
        return tally
    }

    /// Counts a failure; whether it is one of the first few.
    public func mayShrink() -> Bool {
        failuresLeft -= 1
        shrinksLeft -= 1
        return shrinksLeft >= 0
    }

    public func show(_ text: String) {
        print(text)
        // A run that is stopped has said what failed until then.
        fflush(nil)
    }
}
