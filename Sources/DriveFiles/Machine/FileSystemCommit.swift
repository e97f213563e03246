import CLinux

/// What a file system was told, brought to its end.
public enum FileSystemCommit {
    /// Returns when all that was written, renamed and removed where the open file lies is on the disk (syncfs(2)), or cannot be.
    public static func wait(for descriptor: Int32) { _ = dd_sync_file_system(descriptor) }
}
