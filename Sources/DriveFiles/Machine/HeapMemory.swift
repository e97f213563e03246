import CLinux

/// The memory that the C library holds back of all that was freed.
public enum HeapMemory {
    /// All threads allocate from one heap, for a program to call before it has others: work here moves from thread to thread,
    /// and what one of them freed another's heap cannot use. The first sync of 100,000 files took 506 MiB so, of which 192
    /// were in use at once.
    public static func share() { dd_share_heap() }

    /// Gives it back to the system (malloc_trim(3)). Takes some milliseconds; for when much was done and little follows.
    public static func giveBack() { dd_trim_heap() }
}
