import Foundation
import Testing

@testable import DrivePredicates

@Suite struct TimeTests {
    private func time(_ text: String, _ context: QueryContext) throws -> String {
        guard case .comparison(let comparison) = try MetadataPredicate(raw: "kMDItemDueDate == $time.\(text)", context),
            case .constant(.date(let date)) = comparison.right
        else { return "?" }
        return date.iso
    }

    @Test(arguments: [
        ("now", "2026-03-15T12:00:00Z"), ("now(-90)", "2026-03-15T11:58:30Z"), ("today", "2026-03-15T00:00:00Z"),
        ("today(-7)", "2026-03-08T00:00:00Z"), ("today(+1)", "2026-03-16T00:00:00Z"),
        ("yesterday", "2026-03-14T00:00:00Z"),
        ("tomorrow", "2026-03-16T00:00:00Z"), ("yesterday(-1)", "2026-03-13T00:00:00Z"),
        ("this_week", "2026-03-09T00:00:00Z"),
        ("this_week(-1)", "2026-03-02T00:00:00Z"), ("next_week", "2026-03-16T00:00:00Z"),
        ("this_month", "2026-03-01T00:00:00Z"),
        ("this_month(-3)", "2025-12-01T00:00:00Z"), ("next_month", "2026-04-01T00:00:00Z"),
        ("this_year", "2026-01-01T00:00:00Z"),
        ("next_year(2)", "2029-01-01T00:00:00Z"), ("iso(2026-01-15T10:00:00.5+02:00)", "2026-01-15T08:00:00.5Z"),
        ("iso(2026-01-15)", "2026-01-15T00:00:00Z"),
    ]) func timesAreBeginnings(text: String, expected: String) throws {
        #expect(try time(text, .fixed()) == expected)
    }

    /// What is stored and read again must be what it was, so a date made of a date's own parts is that date.
    @Test(
        arguments: [Int64.min, -PredicateDate.furthest, -1, 0, PredicateDate.furthest - 1, .max],
        [Int32.min, -1_000_000_000, -1, 0, 999_999_999, 1_000_000_000, .max])
    func noDateLiesOutOfReach(seconds: Int64, nanoseconds: Int32) {
        let date = PredicateDate(seconds: seconds, nanoseconds: nanoseconds)
        #expect(abs(date.seconds) <= PredicateDate.furthest)
        #expect(0..<1_000_000_000 ~= date.nanoseconds)
        #expect(PredicateDate(seconds: date.seconds, nanoseconds: date.nanoseconds) == date)
    }

    @Test func weeksBeginWhereTheContextSays() throws {
        #expect(try time("this_week", .fixed(firstWeekday: 1)) == "2026-03-15T00:00:00Z")
        #expect(try time("this_week", .fixed(firstWeekday: 7)) == "2026-03-14T00:00:00Z")
        #expect(try time("this_week", .fixed("2026-03-01T12:00:00Z")) == "2026-02-23T00:00:00Z")
    }

    /// The 31st has no day a month before; the month has a first.
    @Test func monthEndsAreNoTrouble() throws {
        let last = QueryContext.fixed("2026-03-31T12:00:00Z")
        #expect(try time("this_month(-1)", last) == "2026-02-01T00:00:00Z")
        #expect(try time("next_month", .fixed("2026-01-31T12:00:00Z")) == "2026-02-01T00:00:00Z")
        #expect(try time("this_year(-1)", .fixed("2024-02-29T12:00:00Z")) == "2023-01-01T00:00:00Z")
        #expect(last.now(adding: -1, .month)?.iso == "2026-02-28T12:00:00Z")
        #expect(QueryContext.fixed("2024-02-29T12:00:00Z").now(adding: -1, .year)?.iso == "2023-02-28T12:00:00Z")
    }

    /// Days are days of the calendar, not 24 hours.
    @Test func daysBeginAtLocalMidnightAcrossClockChanges() throws {
        // Berlin went to summer time on 2026-03-29 at 01:00 UTC.
        let berlin = QueryContext.fixed("2026-03-30T10:00:00Z", zone: "Europe/Berlin")
        #expect(try time("today", berlin) == "2026-03-29T22:00:00Z")
        #expect(try time("yesterday", berlin) == "2026-03-28T23:00:00Z")
        #expect(try time("this_month", berlin) == "2026-02-28T23:00:00Z")
        #expect(berlin.now(adding: -2, .day)?.iso == "2026-03-28T11:00:00Z")
        let autumn = QueryContext.fixed("2026-10-26T10:00:00Z", zone: "Europe/Berlin")
        #expect(try time("today", autumn) == "2026-10-25T23:00:00Z")
        #expect(try time("yesterday", autumn) == "2026-10-24T22:00:00Z")
        // Near midnight the local day is not UTC's.
        #expect(try time("today", .fixed("2026-06-30T23:30:00Z", zone: "Europe/Berlin")) == "2026-06-30T22:00:00Z")
    }

    /// São Paulo had no midnight on 2018-11-04: the day began at one.
    @Test func daysWithoutMidnightBeginWhenTheyDo() throws {
        let paulo = QueryContext.fixed("2018-11-04T15:00:00Z", zone: "America/Sao_Paulo")
        #expect(try time("today", paulo) == "2018-11-04T03:00:00Z")
        #expect(try time("tomorrow", paulo) == "2018-11-05T02:00:00Z")
        #expect(try time("iso(2018-11-04)", paulo) == "2018-11-04T03:00:00Z")
        let zone = try #require(TimeZone(identifier: "America/Sao_Paulo"))
        var reader = ISOReader(Array("2018-11-03".utf8))
        let read = reader.parts()
        let parts = try #require(read)
        #expect(parts.start(in: zone)?.iso == "2018-11-03T03:00:00Z")
        #expect(paulo.end(of: parts)?.iso == "2018-11-04T03:00:00Z")
    }

    @Test(arguments: [
        ("2026", "2026-01-01T00:00:00Z"), ("2026-02", "2026-02-01T00:00:00Z"),
        ("2026-02-28T23:59:59.999999999Z", "2026-02-28T23:59:59.999999999Z"),
        ("2026-02-28 10:00-05:30", "2026-02-28T15:30:00Z"), ("2026-02-28T10+0200", "2026-02-28T08:00:00Z"),
    ]) func datesAreRead(text: String, expected: String) { #expect(utc(text).iso == expected) }

    @Test(arguments: [
        "", "20", "2026-", "2026-13", "2026-02-30", "2026-1-1", "2026-01-01T25:00", "2026-01-01T10:60", "2026-01-01x",
        "0000-01-01", "2026-01-01T10:00:00.", "2026-01-01T10:00+99:00",
    ])
    func whatIsNoDateIsRefused(text: String) { #expect(PredicateDate(iso: text, timeZone: .gmt) == nil) }

    @Test func datesInDigitsAreExact() throws {
        var seeded = Seeded(3)
        for _ in 0..<2000 {
            let far = PredicateDate.furthest
            let date = PredicateDate(
                seconds: Int64.random(in: -far...far, using: &seeded), nanoseconds: Int32(seeded.below(1_000_000_000)))
            if abs(date.seconds - PredicateDate.reference) < far - 1 {
                #expect(PredicateDate(decimal: date.decimal) == date)
            }
            #expect(date.adding(.integer(0)) == date || abs(date.seconds) >= far)
        }
        #expect(PredicateDate(decimal: "1.5")?.iso == "2001-01-01T00:00:01.5Z")
        #expect(PredicateDate(decimal: "-0.5")?.iso == "2000-12-31T23:59:59.5Z")
        for text in ["", "-", "1.", ".5", "1.x", "1e5", "9999999999999999999"] {
            #expect(PredicateDate(decimal: text) == nil)
        }
        #expect(PredicateDate(Date(timeIntervalSinceReferenceDate: 0.25)).iso == "2001-01-01T00:00:00.25Z")
    }
}
