public import DriveCore
import Glibc

/// A file that a cleaning looks at: opened once, never through a link in its last component.
struct CleaningFile {
    let hash: ContentHash
    let identity: Identity

    /// What a rename leaves alone and a write does not.
    struct Identity: Hashable, Codable {
        var device: UInt64
        var inode: UInt64
        var size: Int64
        var seconds: Int64
        var nanoseconds: Int64

        init(_ facts: stat) {
            device = UInt64(facts.st_dev)
            inode = UInt64(facts.st_ino)
            size = Int64(facts.st_size)
            seconds = Int64(facts.st_mtim.tv_sec)
            nanoseconds = Int64(facts.st_mtim.tv_nsec)
        }

        /// Nil where nothing is, or it cannot be looked at.
        init?(of path: FolderPath) {
            guard let found = (try? Self.look(path)).flatMap(\.self) else { return nil }
            self = found
        }

        /// Nil where certainly nothing is.
        static func look(_ path: FolderPath) throws(DriveError) -> Identity? {
            var facts = stat()
            if path.withPointer({ lstat($0, &facts) }) == 0 { return Identity(facts) }
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw SmallFile.failure("look at it", path)
        }

        /// A file system may have another device number each time it is mounted.
        func isSame(as other: Identity) -> Bool { inode == other.inode && looksSame(as: other) }

        /// All that is left where inodes, too, have other numbers each time (FAT).
        func looksSame(as other: Identity) -> Bool {
            (size, seconds, nanoseconds) == (other.size, other.seconds, other.nanoseconds)
        }
    }

    /// Reads it to the end; nil where nothing is.
    init?(_ path: FolderPath, _ digest: any ContentDigest = ContentHasher()) throws(DriveError) {
        let number = path.withPointer { open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
        if number < 0, errno == ENOENT || errno == ENOTDIR { return nil }
        guard number >= 0 else { throw SmallFile.failure("read", path) }
        defer { close(number) }
        var facts = stat()
        guard fstat(number, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw DriveError(.temporary, "it is no file any more", path: path.description)
        }
        identity = Identity(facts)
        hash = try Self.hash(number, path, digest)
    }

    private static func hash(
        _ number: Int32, _ path: FolderPath, _ fresh: any ContentDigest
    ) throws(DriveError) -> ContentHash {
        var digest = fresh
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
        defer { buffer.deallocate() }
        while true {
            let count = read(number, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SmallFile.failure("read", path) }
            if count == 0 { return digest.finish().hash }
            digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// Two names of one file.
    func isSame(as other: CleaningFile) -> Bool {
        identity.device == other.identity.device && identity.inode == other.identity.inode
    }

    /// Whether what lies at the path is the file that was read, and nobody wrote to it since.
    func isStill(at path: FolderPath) -> Bool { Identity(of: path) == identity }

    /// Nil where it is larger than texts are compared, or is no file: another device may have put a link there, and nothing outside of
    /// the drive is read. Nil also where it cannot be read.
    static func text(_ path: FolderPath) -> [UInt8]? { (try? readText(path)).flatMap(\.self) }

    /// The same, but for what cannot be read.
    static func readText(_ path: FolderPath) throws(DriveError) -> [UInt8]? {
        var facts = stat()
        guard path.withPointer({ lstat($0, &facts) }) == 0, facts.st_mode & S_IFMT == S_IFREG,
            facts.st_size <= ConflictClass.greatestSize
        else { return nil }
        return try SmallFile.read(path, throughLink: false)
    }

    /// Also where nothing is.
    static func mayBeRead(_ path: FolderPath) -> Bool {
        let number = path.withPointer { open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
        if number < 0 { return errno == ENOENT || errno == ENOTDIR }
        close(number)
        return true
    }
}

extension FolderPath {
    /// What lies at a path beneath this folder.
    public func appending(path: DrivePath) -> FolderPath { path.components.reduce(self) { $0.appending($1) } }
}
