import CLinux
import Glibc

/// Files that are read as memory. Where a page cannot be read, since the disk reports an error or somebody cut the file short,
/// no call fails: the process gets SIGBUS (mmap(2)), which ends it without a word.
public enum MappedFiles {
    /// From now on such an end says this on standard error, with a line end, and has this status, or another where the disk of the
    /// files is full (`note(place:)`). For the whole process; the last call counts.
    public static func answerErrors(_ text: String, status: Int32, ofFullDisk full: Int32) {
        // Never freed: the signal may come at any time.
        guard let kept = strdup(text + "\n") else { return }
        _ = dd_answer_bus_errors(kept, strlen(kept), status, full)
    }

    /// The folder of what is read as memory from now on.
    public static func note(place: [UInt8]) { place.withPathPointer { dd_note_mapped_place($0) } }
}
