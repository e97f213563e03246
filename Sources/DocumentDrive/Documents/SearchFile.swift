import DriveCore
import DriveFiles
import DriveIndex
import Glibc

/// The file in which a drive keeps what it read out of documents. A cache: whoever deletes it loses time only.
struct SearchFile {
    let drive: FolderPath
    var path: FolderPath { drive.appending(DriveLayout.state).appending("search.sqlite") }

    /// For the drive's only writer. With `isChecked` it is looked over for damage first.
    func open(of device: DeviceID, isChecked: Bool) throws -> SearchIndex {
        try SearchIndex.open(path: path.bytes, of: device, isChecked: isChecked) { Ownership.prepare(file: $0) }
    }

    /// Which file has the name now; nil where there is none.
    var place: Place? {
        var facts = stat()
        guard path.withPointer({ stat($0, &facts) }) == 0 else { return nil }
        return Place(device: UInt64(facts.st_dev), inode: UInt64(facts.st_ino))
    }

    struct Place: Hashable, Sendable {
        var device: UInt64
        var inode: UInt64
    }

    /// Nil where there is none that belongs to the index of this device.
    func openForReading(of device: DeviceID, isMapped: Bool) throws -> SearchIndex? {
        try SearchIndex.readOnly(path: path.bytes, of: device, isMapped: isMapped)
    }
}
