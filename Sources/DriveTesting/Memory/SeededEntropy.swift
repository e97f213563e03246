import DriveCore
import Synchronization

/// SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014): the same numbers for the
/// same seed on every machine and in every Swift version.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= Self.step
        return Self.mixed(state)
    }

    static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    static func mixed(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension SeededGenerator {
    /// A number below `bound`, which must be positive.
    public mutating func below(_ bound: Int) -> Int {
        // The high bits of a product (Lemire 2019) without its rejection step: the bias is below 2^-40 for our bounds.
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    public mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    /// True `percent` times of a hundred.
    public mutating func chance(percent: Int) -> Bool { below(100) < percent }

    /// One of the elements, of which there must be one.
    public mutating func choice<Elements: RandomAccessCollection>(_ elements: Elements) -> Elements.Element {
        elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
    }

    /// A generator of its own for one part of a run, so that removing other parts leaves it alone.
    public mutating func split() -> SeededGenerator { SeededGenerator(seed: next()) }
}

/// Random bits as a function of a seed.
public final class SeededEntropy: Entropy {
    private let state: Atomic<UInt64>

    public init(seed: UInt64) { state = Atomic(seed) }

    public func next() -> UInt64 {
        SeededGenerator.mixed(state.wrappingAdd(SeededGenerator.step, ordering: .relaxed).newValue)
    }
}
