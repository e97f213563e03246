import Foundation

/// What raw queries and words need to know to say when today is. Dates in a query are fixed when it is read.
public struct QueryContext: Sendable {
    public var now: PredicateDate
    /// The present one of this process where none is given.
    public var timeZone: TimeZone {
        get { givenTimeZone ?? .current }
        set { givenTimeZone = newValue }
    }
    /// 1 is Sunday. That of the present calendar where none is given.
    public var firstWeekday: Int {
        get { givenFirstWeekday ?? Calendar.current.firstWeekday }
        set { givenFirstWeekday = newValue }
    }
    public var attributes: AttributeTable
    // Finding out the present ones reads files; most queries ask for no day.
    private var givenTimeZone: TimeZone?
    private var givenFirstWeekday: Int?

    public init(
        now: PredicateDate = PredicateDate(Date()), timeZone: TimeZone? = nil, firstWeekday: Int? = nil,
        attributes: AttributeTable = .standard
    ) {
        self.now = now
        givenTimeZone = timeZone
        givenFirstWeekday = firstWeekday
        self.attributes = attributes
    }

    private var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        calendar.firstWeekday = min(max(firstWeekday, 1), 7)
        return calendar
    }

    /// No query reaches further from now than this many days, weeks, months or years.
    static let furthest = 100_000

    enum Unit { case day, week, month, year }

    /// The first instant of the day, week, month or year so many from the present one.
    func start(of unit: Unit, _ distance: Int) -> PredicateDate? {
        guard abs(distance) <= Self.furthest else { return nil }
        let calendar = calendar
        let today = calendar.startOfDay(for: now.date)
        let components: Set<Calendar.Component>
        switch unit {
        case .day: components = [.year, .month, .day]
        case .week: components = [.year, .month, .day]
        case .month: components = [.year, .month]
        case .year: components = [.year]
        }
        var first = calendar.dateComponents(components, from: today)
        if unit == .week {
            let weekday = calendar.component(.weekday, from: today)
            first.day = (first.day ?? 1) - (weekday - calendar.firstWeekday + 7) % 7
        }
        // Fields of a date carry over; a first of a month or year cannot fall on a day that the month does not have.
        switch unit {
        case .day: first.day = (first.day ?? 1) + distance
        case .week: first.day = (first.day ?? 1) + 7 * distance
        case .month: first.month = (first.month ?? 1) + distance
        case .year: first.year = (first.year ?? 1) + distance
        }
        // Noon exists on every day, midnight does not where clocks go forward at it.
        first.hour = 12
        guard let noon = calendar.date(from: first) else { return nil }
        return PredicateDate(calendar.startOfDay(for: noon))
    }

    /// The present instant, so many calendar units later: the same time of day, and the last of a month that is shorter.
    func now(adding distance: Int, _ unit: Unit) -> PredicateDate? {
        guard abs(distance) <= Self.furthest else { return nil }
        let component: Calendar.Component
        switch unit {
        case .day: component = .day
        case .week: component = .weekOfYear
        case .month: component = .month
        case .year: component = .year
        }
        guard let date = calendar.date(byAdding: component, value: distance, to: now.date) else { return nil }
        return PredicateDate(seconds: PredicateDate(date).seconds, nanoseconds: now.nanoseconds)
    }

    /// The first instant after the day, month or such that the fields name.
    func end(of parts: ISOParts) -> PredicateDate? {
        guard let start = parts.start(in: timeZone) else { return nil }
        var next = parts
        switch parts.precision {
        case .second: return PredicateDate(seconds: start.seconds + 1)
        case .minute: return PredicateDate(seconds: start.seconds + 60)
        case .hour: return PredicateDate(seconds: start.seconds + 3600)
        case .day:
            let noon = start.date.addingTimeInterval(36 * 3600)
            return PredicateDate(calendar.startOfDay(for: noon))
        case .month:
            next.month = parts.month == 12 ? 1 : parts.month + 1
            next.year = parts.month == 12 ? parts.year + 1 : parts.year
        case .year: next.year = parts.year + 1
        }
        return next.start(in: timeZone)
    }
}
