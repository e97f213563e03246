/// What acts moved at once: of what changed places the log tells one after the other, each from where the one before it went, and
/// the last to where the first one was.
public struct ExchangeRounds: Sendable {
    /// For each event that belongs to such a round its first one.
    private var firsts: [Int: Int] = [:]

    /// Of events as they happened.
    public init(_ events: [DriveEvent]) {
        var first = 0
        while first < events.count {
            let last = Self.end(of: first, events)
            if let last { for place in first...last { firsts[place] = first } }
            first = (last ?? first) + 1
        }
    }

    private static func end(of first: Int, _ events: [DriveEvent]) -> Int? {
        guard events[first].isExchangeable else { return nil }
        var last = first
        while last + 1 < events.count, events[last + 1].from == events[last].path, events[last + 1].isExchangeable,
            events[last + 1].operation?.id == events[first].operation?.id
        {
            last += 1
            if events[last].path == events[first].from { return last }
        }
        return nil
    }

    public func areOne(_ place: Int, _ other: Int) -> Bool {
        firsts[place].map { $0 == firsts[other] } ?? false
    }

    /// The first event of its round, or its own.
    public func first(of place: Int) -> Int { firsts[place] ?? place }
}

extension DriveEvent {
    /// A scan finds where things are, not what was done.
    fileprivate var isExchangeable: Bool { isMove && operation?.kind.isAnAct ?? false }
}
