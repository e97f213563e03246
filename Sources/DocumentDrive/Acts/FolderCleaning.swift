public import DriveCore
import DriveFiles
public import FileCoordination
import Glibc

/// Finds the conflict copies in any folder whose bytes another file beside them has.
public struct FolderCleaning: Sendable {
    public let folder: FolderPath
    public private(set) var removals: [Removal] = []

    public struct Removal: Hashable, Sendable {
        /// Beneath the folder.
        public var path: DrivePath
        public var kept: DrivePath
        public var scheme: ConflictScheme
        public var size: UInt64
    }

    /// Reads the files that may be equal; changes nothing.
    public init(_ folder: FolderPath, schemes: [ConflictScheme], olderThan seconds: Double?) throws {
        self.folder = folder
        guard let census = try FolderCensus.take(at: folder.bytes, storeMark: StoreFinder.mark) else {
            throw DriveError(.notFound, "the folder is not there; correct the path", path: folder.description)
        }
        // What another drive or a store keeps for itself is not ours to clean.
        let own = census.items.keys.filter { path in
            !path.components.contains(DriveLayout.state) && !census.stores.contains { path.isInside($0) }
        }
        let sizes = Dictionary(
            uniqueKeysWithValues: own.compactMap { path in
                census.items[path].flatMap { $0.kind == .file ? (path, $0.size) : nil }
            })
        let limit = Int64(SystemClock().milliseconds() / 1000) - Int64(seconds ?? 0)
        let candidates = sizes.keys.sorted().compactMap { ConflictCandidate($0, schemes: schemes) }
        var hashes: [DrivePath: ContentHash] = [:]
        for path in CleaningPlan.pathsToHash(candidates, sizes: sizes) {
            hashes[path] = try? Self.hash(path.components.reduce(folder) { $0.appending($1) })
        }
        for removal in CleaningPlan(candidates, sizes: sizes, hashes: hashes).removals {
            let path = removal.candidate.path
            if seconds != nil, Self.modified(path.components.reduce(folder) { $0.appending($1) }) > limit { continue }
            removals.append(
                Removal(path: path, kept: removal.kept, scheme: removal.candidate.scheme, size: sizes[path] ?? 0))
        }
    }

    /// For a drive that the folder is, or lies in.
    public func copies(inDrive drive: FolderPath) throws -> [RedundantCopy] {
        let place = folder.resolved
        let root = drive.resolved
        let prefix = DrivePath(bytes: place.bytes.dropFirst(root.bytes.count))
        return removals.map { removal in
            RedundantCopy(
                path: DrivePath(prefix.components + removal.path.components).bytes,
                kept: DrivePath(prefix.components + removal.kept.components).bytes)
        }
    }

    /// To the trash of the person's desktop (freedesktop.org, "Trash Specification" 1.0). Each is compared once more.
    public func moveToDesktopTrash() throws -> [String] {
        let trash = try DesktopTrash()
        return try removals.compactMap { removal in
            let path = removal.path.components.reduce(folder) { $0.appending($1) }
            let kept = removal.kept.components.reduce(folder) { $0.appending($1) }
            guard try Self.hash(path) == Self.hash(kept) else { return nil }
            try trash.take(path)
            return "\(removal.path): in the trash; \(removal.kept) has the same bytes"
        }
    }

    private static func modified(_ path: FolderPath) -> Int64 {
        var facts = stat()
        return path.withPointer { lstat($0, &facts) } == 0 ? Int64(facts.st_mtim.tv_sec) : .max
    }

    private static func hash(_ path: FolderPath) throws -> ContentHash {
        let number = path.withPointer { open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
        guard number >= 0 else { throw SmallFile.failure("read", path) }
        defer { close(number) }
        var hasher = ContentHasher()
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(number, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SmallFile.failure("read", path) }
            if count == 0 { return hasher.finish().0 }
            buffer.withUnsafeBytes { hasher.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }
}
