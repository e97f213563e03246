import DriveCore
import Glibc

/// The file system that a trash lies on, by what a cleaning can tell it again: where another one is in its place, or none,
/// what is not in the trash need not be gone.
struct TrashMedium: Codable, Hashable {
    private let id: UInt64
    /// Only where the id is no more than the number of the device, which the next one at the same plug has too (FAT, XFS).
    private let blocks: UInt64?

    /// That of the nearest folder that is there.
    init?(at path: FolderPath) {
        var (traits, facts) = (statvfs(), stat())
        let isKnown = path.nearest.withPointer { statvfs($0, &traits) == 0 && stat($0, &facts) == 0 }
        guard isKnown else { return nil }
        let (own, device) = (UInt64(traits.f_fsid), UInt64(facts.st_dev))
        // Some have no id at all (NFS).
        id = own == 0 ? device : own
        blocks = own == device ? UInt64(traits.f_blocks) : nil
    }
}
