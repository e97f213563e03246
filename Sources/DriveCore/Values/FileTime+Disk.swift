extension FileTime {
    /// Whether a file system that was told to set the other time may have made this of it: many cut times (FAT to two
    /// seconds, ext4 with small inodes to one), and what they cannot hold at all becomes the last, or the first, that they
    /// can (1980 on FAT; 2038 on ext4 with small inodes and XFS without `bigtime`).
    package func isOnDisk(for wanted: FileTime) -> Bool {
        if self == wanted { return true }
        if self > wanted { return seconds <= Self.latestStart }
        return seconds >= Self.earliestEnd || wanted.seconds - seconds < Self.coarsest
    }

    /// 1980-01-01, with whatever time zone a disk counts in.
    private static let latestStart: Int64 = 315_532_800 + 86_400
    /// 2038-01-19 03:14:06, cut to two seconds.
    private static let earliestEnd: Int64 = 2_147_483_646
    /// Seconds of which a disk may know only one.
    private static let coarsest: Int64 = 2
}
