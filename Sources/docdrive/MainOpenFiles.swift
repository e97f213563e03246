import CLinux

/// How many files this program may have open at once.
enum OpenFiles {
    /// As many as the system lets it have. The usual 1,024 (getrlimit(2)) is there for programs that use select(2), which this
    /// one does not; those that it starts have it (`dd_start_program`). A library leaves the limit of its program as it is. Where it is
    /// refused, work that needs more says so.
    static func raiseLimit() { dd_raise_open_files() }
}
