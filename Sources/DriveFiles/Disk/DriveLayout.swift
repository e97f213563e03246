import CLinux
import DriveCore
import Glibc

/// The drive's own folder beside a person's documents, and what lies in it.
public enum DriveLayout {
    /// On the same file system as the documents, so that every move between them is one rename.
    public static let state: FileName = ".docdrive"
    static let stateInOtherLetters: FileName = ".DOCDRIVE"
    /// Holds the replica's id: a folder without it is not the drive that the index knows.
    public static let marker: FileName = "replica"
    public static let lock: FileName = "lock"

    static let staging: FileName = "staging"

    /// Whether a drive's trash has a file of this name: an entry is written before its file moves, and a process may die
    /// in between. Where that cannot be looked at, it may have.
    public static func isInTrash(_ name: FileName, of drive: [UInt8]) -> Bool {
        let place = ([state] + path(of: .trash) + [name]).reduce(into: drive) { $0 += [0x2F] + $1.bytes }
        var facts = stat()
        let code = place.withPathPointer { lstat($0, &facts) == 0 ? 0 : errno }
        return code != ENOENT && code != ENOTDIR
    }

    /// Where an area lies beneath `state`.
    static func path(of area: FileArea) -> [FileName] {
        switch area {
        case .root: []
        case .incoming: [staging, "in"]
        case .parked: [staging, "parked"]
        case .outgoing: [staging, "out"]
        case .trash: ["trash"]
        }
    }

    /// The drive's own folder inside a root, made if missing; only its owner may enter.
    static func makeFolder(_ path: [FileName], in folder: Descriptor) throws(DriveError) -> Descriptor {
        var current = folder
        for name in path {
            let result = dd_make_folder(current.number, name.bytes, name.bytes.count, 0o700)
            if result < 0, !(-result).meansOccupied {
                throw .system(-result, "make the folder", path: Descriptor.path(of: name, in: current.number))
            }
            guard let next = try current.folder(name) else {
                throw DriveError(
                    .identityChanged, "the drive's own folder is a link or a file; look who replaced it",
                    path: Descriptor.path(of: name, in: current.number))
            }
            current = next
        }
        return current
    }
}
