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
        var pause = GrowingPause()
    }

    private var known: [DrivePath: Denial] = [:]

    var isEmpty: Bool { known.isEmpty }

    /// What it was refused for, and how it looked there. Nil where it is time for another try.
    func pending(_ path: DrivePath, now: UInt64) -> (error: DriveError, look: Look)? {
        guard let denial = known[path], denial.pause.isOn(now: now) else { return nil }
        return (denial.error, denial.look)
    }

    func note(_ path: DrivePath, _ error: DriveError, _ look: Look, now: UInt64) {
        var denial = Denial(error: error, look: look, pause: known[path]?.pause ?? GrowingPause())
        denial.pause.fail(now: now)
        known[path] = denial
    }

    /// It looks so there by what was done since; all else is as it was.
    func note(_ path: DrivePath, looks look: Look) { known[path]?.look = look }

    /// At all others nothing is in the way any more.
    func keep(only paths: Set<DrivePath>) {
        if !known.isEmpty { known = known.filter { paths.contains($0.key) } }
    }

    /// Somebody asks for it now.
    func tryAgain() { known = [:] }
}
