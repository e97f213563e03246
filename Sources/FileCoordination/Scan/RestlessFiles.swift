import DriveCore

/// Files that were read in vain because they kept changing. Each is left alone for a while that grows with what that cost, so that
/// a large one keeps neither the disk nor the rest of the drive busy all the time. For the engine's one thread.
final class RestlessFiles {
    private struct Rest {
        var identity: FileIdentity
        var cost: UInt64
        var end: UInt64
    }

    private var rests: [DrivePath: Rest] = [:]
    /// Of all the time a fifth at most goes into reading it.
    private static let share: UInt64 = 4
    private static let longest: UInt64 = 900_000
    /// What cost less is looked at again as soon as anything.
    private static let shortest: UInt64 = 500

    /// Whether it is to be left alone now. Who has not changed for as long as it was read may be done.
    func rests(_ path: DrivePath, _ facts: FileFacts, now: UInt64) -> Bool {
        guard let rest = rests[path], rest.identity == facts.identity, now < rest.end, rest.end - now <= Self.longest
        else {
            return false
        }
        // A date to come may be any.
        let changed = min(UInt64(clamping: facts.modified.seconds), now / 1000 + 1) * 1000
        return changed + rest.cost + 1000 > now
    }

    func readInVain(_ path: DrivePath, _ facts: FileFacts, cost: UInt64, now: UInt64) {
        rests = rests.filter { now < $0.value.end }
        guard cost >= Self.shortest else { return }
        rests[path] = Rest(identity: facts.identity, cost: cost, end: now + min(cost * Self.share, Self.longest))
    }

    /// Somebody asks for all that there is.
    func tryAgain() { rests = [:] }
}
