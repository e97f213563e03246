import CLinux

/// The memory that the C library holds back of all that was freed.
public enum HeapMemory {
    /// Gives it back to the system (malloc_trim(3)). Takes some milliseconds; for when much was done and little follows.
    public static func giveBack() { dd_trim_heap() }
}
