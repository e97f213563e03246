import Glibc

/// How many files this program may have open at once.
enum OpenFiles {
    /// As many as the system lets it have. The usual 1,024 (getrlimit(2)) is there for programs that use select(2), which this
    /// one does not. A library leaves the limit of its program as it is.
    static func raiseLimit() {
        var limit = rlimit()
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(files, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        // Where that is refused, work that needs more says so.
        _ = setrlimit(files, &limit)
    }
}
