import Glibc

/// How many folders are kept open at once: each is a descriptor, of which a process has 1,024 as a rule. Where it may have far
/// fewer (`ulimit -n`), a pass opens folders more often, and comes to its end all the same.
struct OpenFolderLimits: Equatable {
    /// Of those that something is done in.
    var located: Int
    /// Of those above the one that a walk is in.
    var walked: Int
    /// Of those above the one in which files are read.
    var read: Int

    /// About as many as the rest of a process has open: the index, the store, pipes, and what is being read and written.
    private static let others = 32
    /// A folder is found from the one above it, so even one would do.
    private static let least = 4

    /// In a process that may have so many files open.
    init(openFiles: UInt64) {
        let left = max(0, Int(min(openFiles, 4_096)) - Self.others)
        let share = max(Self.least, left / 3)
        (located, walked, read) = (min(128, share), min(64, share), min(32, share))
    }

    /// In this one, as it is now: whose library this is may change its limit (getrlimit(2)).
    static func ofProcess() -> Self {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return Self(openFiles: 1_024) }
        return Self(openFiles: UInt64(limit.rlim_cur))
    }
}
