/// What happened in a run, line by line; costs nothing unless it is wanted.
public struct Trace: Sendable {
    public let isWanted: Bool
    public private(set) var lines: [String] = []

    public init(isWanted: Bool) { self.isWanted = isWanted }

    public mutating func note(_ line: @autoclosure () -> String) {
        if isWanted { lines.append(line()) }
    }

    public var text: String { lines.joined(separator: "\n") }
}
