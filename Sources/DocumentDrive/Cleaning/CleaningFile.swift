public import DriveCore
import Glibc

/// A file that a cleaning looks at: opened once, never through a link in its last component.
struct CleaningFile {
    let hash: ContentHash
    private let facts: stat

    /// Reads it to the end.
    init(_ path: FolderPath) throws(DriveError) {
        let number = path.withPointer { open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
        guard number >= 0 else { throw SmallFile.failure("read", path) }
        defer { close(number) }
        var facts = stat()
        guard fstat(number, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw DriveError(.temporary, "it is no file any more", path: path.description)
        }
        self.facts = facts
        var hasher = ContentHasher()
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(number, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SmallFile.failure("read", path) }
            if count == 0 { break }
            buffer.withUnsafeBytes { hasher.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
        hash = hasher.finish().0
    }

    /// Two names of one file.
    func isSame(as other: CleaningFile) -> Bool {
        facts.st_dev == other.facts.st_dev && facts.st_ino == other.facts.st_ino
    }

    /// Whether what lies at the path is the file that was read, and nobody wrote to it since; a rename leaves both alone.
    func isStill(at path: FolderPath) -> Bool {
        var now = stat()
        return path.withPointer { lstat($0, &now) } == 0 && now.st_dev == facts.st_dev && now.st_ino == facts.st_ino
            && now.st_size == facts.st_size && now.st_mtim.tv_sec == facts.st_mtim.tv_sec
            && now.st_mtim.tv_nsec == facts.st_mtim.tv_nsec
    }

    /// Nil where it is larger than texts are compared.
    static func text(_ path: FolderPath) -> [UInt8]? {
        var facts = stat()
        guard path.withPointer({ lstat($0, &facts) }) == 0, facts.st_size <= ConflictClass.greatestSize else {
            return nil
        }
        return (try? SmallFile.read(path)).flatMap(\.self)
    }
}

extension FolderPath {
    /// What lies at a path beneath this folder.
    public func appending(path: DrivePath) -> FolderPath { path.components.reduce(self) { $0.appending($1) } }
}
