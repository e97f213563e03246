import CLinux
import DriveCore
import Glibc

extension Descriptor {
    /// Makes sure that what is written through a mapping from now on dates the file, where somebody may have it mapped.
    ///
    /// The kernel sets the times with the first store into a page that is clean, and none after it until the page was written back:
    /// a program that stored into a page before a file is read, and does so again right after, would leave no trace. Pages
    /// are dirty for half a minute or so (`dirty_expire_centisecs`, proc_sys_vm(5)), and who may write a mapping has the
    /// file open for writing all the while (mmap(2)). False where nobody has it so.
    func letMappedWritesShow(_ facts: FileFacts) -> Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        guard facts.size > 0, facts.changed.seconds >= Int64(now.tv_sec) - Self.longestDirty,
            dd_is_open_for_writing(number) != 0
        else { return false }
        // What cannot be written back does not show, as on file systems that date no mapped writes at all.
        _ = dd_write_back(number)
        return true
    }

    /// Seconds; slow disks take longer than the kernel means to.
    private static let longestDirty: Int64 = 600
}
