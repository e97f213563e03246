import DriveCore
import Glibc

/// The clock that a file system dates its files with.
///
/// Two writes within one tick have the same dates. So a reader waits until the tick is over in which a file was last
/// changed: whatever is written after that shows. (git calls such files racily clean.)
enum Tick {
    /// Nanoseconds until a further change must have another date; 0 if it must already.
    static func remaining(of changed: FileTime, at now: FileTime) -> Int64 {
        // A date far off is none of this tick, and its distance may not even be a number.
        guard changed <= now, changed.seconds >= now.seconds - 1 else { return 0 }
        let age = (now.seconds - changed.seconds) * second + Int64(now.nanoseconds) - Int64(changed.nanoseconds)
        return max(0, length(of: changed) - age)
    }

    /// Dates without a fraction come from a file system that counts seconds, such as ext4 with inodes of 128 bytes. Before
    /// Linux 6.13 all others take theirs from a clock that is set forward every 1 to 10 ms.
    private static func length(of changed: FileTime) -> Int64 { changed.nanoseconds == 0 ? second : 10_000_000 }

    private static let second: Int64 = 1_000_000_000

    /// Waits until the tick of that date is over; false where it was over already.
    static func wait(for changed: FileTime) -> Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let left = remaining(
            of: changed, at: FileTime(seconds: Int64(now.tv_sec), nanoseconds: UInt32(now.tv_nsec)))
        guard left > 0 else { return false }
        // Woken early by a signal, the caller looks at the date again.
        usleep(UInt32(left / 1000 + 1))
        return true
    }
}
