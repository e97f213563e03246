import ArgumentParser
import DriveCore
import Foundation

struct KindArgument: ExpressibleByArgument, Sendable {
    let kind: ItemKind
    /// As it was given.
    let text: String

    init?(argument: String) {
        let kinds: [ItemKind] = [.file, .folder, .link]
        guard let kind = kinds.first(where: { $0.word == argument }) else { return nil }
        self.kind = kind
        text = argument
    }
}

/// `10kb..`, `..5MiB`, `1kb..2kb`, or one size exactly.
struct SizeRange: ExpressibleByArgument, Sendable {
    let range: ClosedRange<UInt64>
    /// As it was given.
    let text: String

    init?(argument: String) {
        text = argument
        guard let dots = argument.range(of: "..") else {
            guard let size = Self.size(argument) else { return nil }
            range = size...size
            return
        }
        let (low, high) = (argument[..<dots.lowerBound], argument[dots.upperBound...])
        guard let least = low.isEmpty ? 0 : Self.size(low), let most = high.isEmpty ? .max : Self.size(high),
            least <= most
        else { return nil }
        range = least...most
    }

    /// 10, 10kb (1,000), 10KiB (1,024) and so on.
    static func size(_ text: some StringProtocol) -> UInt64? {
        let lower = text.lowercased()
        let digits = lower.prefix { $0.isNumber || $0 == "." }
        let units: [String: Double] = [
            "": 1, "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9, "t": 1e12, "tb": 1e12,
            "kib": 1024, "mib": 1_048_576, "gib": 1_073_741_824, "tib": 1_099_511_627_776,
        ]
        guard let number = Double(digits), let unit = units[String(lower.dropFirst(digits.count))] else { return nil }
        let value = number * unit
        return value < 1e19 ? UInt64(value) : nil
    }
}
