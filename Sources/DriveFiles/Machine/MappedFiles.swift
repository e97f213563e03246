import CLinux
import Glibc

/// Files that are read as memory. Where a page cannot be read, since the disk reports an error or somebody cut the file short,
/// no call fails: the process gets SIGBUS (mmap(2)), which ends it without a word.
public enum MappedFiles {
    /// From now on such an end says this on standard error, with a line end, and has this status. For the whole process; the
    /// last call counts.
    public static func answerErrors(_ text: String, status: Int32) {
        // Never freed: the signal may come at any time.
        guard let kept = strdup(text + "\n") else { return }
        _ = dd_answer_bus_errors(kept, strlen(kept), status)
    }
}
