import DriveCore
import DriveIndex
import FileCoordination

/// What options ask beside the query, in a sentence each, for `--explain`.
struct FilterText {
    private(set) var lines: [String] = []

    init(_ query: NameQuery) {
        if !query.extensions.isEmpty {
            lines.append(
                "the name ends in \(Self.any(query.extensions.map { ".\($0)" })), without regard to case and accents")
        }
        if !query.kinds.isEmpty { lines.append("it is a \(Self.any(query.kinds.map(\.word)))") }
        if let size = query.size { lines.append("it is no folder, and has \(Self.text(size))") }
        if let since = query.since { lines.append("it was modified at \(Moment.second(since.seconds)) or later") }
        if let before = query.before { lines.append("it was modified before \(Moment.second(before.seconds))") }
        if !query.states.isEmpty { lines.append("its state is \(Self.any(query.states.map(\.word)))") }
        if let folder = query.folder { lines.append("it is in the folder \(Escaped.path(folder))") }
    }

    /// In the order of the alphabet: sets have none.
    private static func any(_ words: [String]) -> String {
        Escaped.text(words.sorted().joined(separator: " or "))
    }

    private static func text(_ size: ClosedRange<UInt64>) -> String {
        switch (size.lowerBound, size.upperBound) {
        case (let low, .max): "\(Quantity.count(low, "byte")) or more"
        case (0, let high): "at most \(Quantity.count(high, "byte"))"
        case (let low, let high) where low == high: Quantity.count(low, "byte")
        case (let low, let high): "\(Quantity.count(low)) to \(Quantity.count(high, "byte"))"
        }
    }
}
