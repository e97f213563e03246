import Glibc

/// Signals that no file brings about in a process that reads it.
package enum OutsideEnding {
    /// A person ends it so, a system that shuts down, or one that has no memory left.
    package static func isSignal(_ signal: Int32) -> Bool {
        [SIGKILL, SIGTERM, SIGHUP, SIGINT, SIGQUIT].contains(signal)
    }
}
