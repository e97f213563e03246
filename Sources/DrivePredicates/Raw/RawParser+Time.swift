extension RawParser {
    private static let times: [String: (QueryContext.Unit, Int)] = [
        "today": (.day, 0), "yesterday": (.day, -1), "tomorrow": (.day, 1), "this_week": (.week, 0),
        "last_week": (.week, -1), "next_week": (.week, 1), "this_month": (.month, 0), "last_month": (.month, -1),
        "next_month": (.month, 1), "this_year": (.year, 0), "last_year": (.year, -1), "next_year": (.year, 1),
    ]

    /// `$time.today(-7)`, `$time.now(-3600)`, `$time.iso(2026-01-15T10:00:00Z)`: always an instant, that of the beginning.
    mutating func time() throws(PredicateSyntaxError) -> PredicateDate {
        let start = place
        guard accept("$time.") else {
            throw fault("only $time. may follow a dollar sign", at: start, suggestion: "$time.today")
        }
        let name = identifier()
        let date: PredicateDate?
        switch name.lowercased() {
        case "iso": date = try iso(from: start)
        case "now":
            let distance = try distance()
            date = context.now.adding(.integer(distance))
        case let name:
            guard let (unit, offset) = Self.times[name] else {
                let names = Self.times.keys.sorted() + ["now", "iso"]
                throw fault(
                    "there is no $time.\(name)", at: start,
                    suggestion: NearestNames.nearest(to: name, in: names, count: 1).first.map { "$time." + $0 })
            }
            let distance = try distance()
            date = distance.magnitude <= QueryContext.furthest ? context.start(of: unit, offset + Int(distance)) : nil
        }
        guard let date else { throw fault("this time is out of reach", at: start) }
        return date
    }

    private mutating func distance() throws(PredicateSyntaxError) -> Int64 {
        guard peek == "(" else { return 0 }
        let inside = try parenthesized()
        guard let distance = Int64(inside) else {
            throw fault("a whole number belongs into the parentheses", at: place)
        }
        return distance
    }

    private mutating func iso(from start: Int) throws(PredicateSyntaxError) -> PredicateDate {
        guard peek == "(", let date = PredicateDate(iso: try parenthesized(), timeZone: context.timeZone) else {
            throw fault("a date as 2026-01-15T10:00:00Z belongs into the parentheses", at: start)
        }
        return date
    }

    private mutating func parenthesized() throws(PredicateSyntaxError) -> String {
        let start = place + 1
        guard let end = text[start...].firstIndex(of: ")") else { throw fault(") is missing", at: text.count) }
        place = end + 1
        return String(String.UnicodeScalarView(text[start..<end].filter { !$0.isBlank }))
    }
}
