import DriveCore

/// Places at which something was tried in vain, and when that is tried again; for the engine's one thread. What is in the way may
/// be there for months, and each try costs what the item costs.
final class DeniedPlaces {
    /// What tells that somebody has changed something there: who may do what to an item is dated like the item.
    struct Look: Hashable {
        var items: [FileFacts?] = []
        /// Nil of a folder whose last change was one of what is in it.
        var folders: [FileTime?] = []
        /// Who may not change an item's attributes may put another in its place.
        var isOfAttributes = false
    }

    private struct Denial {
        var error: DriveError
        var look: Look
        var next: UInt64
        var pause: UInt64
    }

    private var known: [DrivePath: Denial] = [:]
    private static let first: UInt64 = 60_000
    private static let longest: UInt64 = 3_600_000

    var isEmpty: Bool { known.isEmpty }

    /// What it was refused for, and how it looked there. Nil where it is time for another try.
    func pending(_ path: DrivePath, now: UInt64) -> (error: DriveError, look: Look)? {
        guard let denial = known[path], now < denial.next, denial.next - now <= denial.pause else { return nil }
        return (denial.error, denial.look)
    }

    func note(_ path: DrivePath, _ error: DriveError, _ look: Look, now: UInt64) {
        let pause = known[path].map { min(Self.longest, $0.pause * 2) } ?? Self.first
        known[path] = Denial(error: error, look: look, next: now + pause, pause: pause)
    }

    /// At all others nothing is in the way any more.
    func keep(only paths: Set<DrivePath>) {
        if !known.isEmpty { known = known.filter { paths.contains($0.key) } }
    }

    /// Somebody asks for it now.
    func tryAgain() { known = [:] }
}
