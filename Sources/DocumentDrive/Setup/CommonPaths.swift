import DriveCore
import DriveFiles

/// What becomes of the items whose paths are taken on both sides before they meet.
///
/// Files of one size are read and compared by their hashes, the small ones first, until so much has been read that a person
/// would have to wait; of the others only their sizes are known.
struct CommonPaths {
    /// The same on both sides.
    private(set) var alike = 0
    /// Certainly not the same.
    private(set) var differing = 0
    /// Files of one size that were not read.
    private(set) var undecided = 0

    /// Some seconds on a slow disk.
    static let readable: UInt64 = 256 << 20

    private struct Pair {
        var path: DrivePath
        var size: UInt64
        var hash: ContentHash?
    }

    init(
        _ here: [DrivePath: FolderCensus.Item], _ there: [DrivePath: StoreCensus.Item], in folder: FolderPath,
        readable: UInt64 = readable
    ) {
        var files: [Pair] = []
        for (path, item) in here {
            guard let other = there[path] else { continue }
            switch item.kind {
            case _ where other.kind.rawValue != item.kind.rawValue: differing += 1
            case .file where other.size != item.size: differing += 1
            case .file: files.append(Pair(path: path, size: item.size, hash: other.hash))
            case .link: count(other.hash, Self.linkHash(folder.appending(path: path)))
            case .folder, .other: alike += 1
            }
        }
        var left = readable
        for file in files.sorted(by: { ($0.size, $0.path) < ($1.size, $1.path) }) {
            guard file.size <= left else {
                undecided += 1
                continue
            }
            left -= file.size
            // One that cannot be read is named by the sync.
            count(file.hash, (try? CleaningFile(folder.appending(path: file.path)))?.hash)
        }
    }

    private mutating func count(_ one: ContentHash?, _ other: ContentHash?) {
        guard let one, let other else { return undecided += 1 }
        if one == other { alike += 1 } else { differing += 1 }
    }

    private static func linkHash(_ path: FolderPath) -> ContentHash? {
        path.linkTarget.map { ContentHasher.hash(ofLinkTarget: $0) }
    }
}
