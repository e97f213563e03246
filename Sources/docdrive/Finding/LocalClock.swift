import Glibc

/// What moments the local clock shows.
enum LocalClock {
    /// The first moment at which it shows this time, in seconds since 1970: where clocks go back, a time comes twice. For one
    /// that they skip, the moment at which it would have come.
    ///
    /// `mktime` takes either of two moments, by what it was asked before.
    static func moment(_ shown: tm) -> Int64 {
        var shown = shown
        let clock = timegm(&shown)
        // A day before and after, beyond any change of that day and any distance from UTC.
        let early = clock - offset(at: clock - 86_400)
        let late = clock - offset(at: clock + 86_400)
        let isLate = early + offset(at: early) != clock && late + offset(at: late) == clock
        return Int64(isLate ? late : early)
    }

    /// In seconds, to the east of UTC.
    private static func offset(at time: time_t) -> time_t {
        var (time, parts) = (time, tm())
        localtime_r(&time, &parts)
        return parts.tm_gmtoff
    }
}
