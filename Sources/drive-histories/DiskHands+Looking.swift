import DriveCore
import DriveTesting
import Glibc

extension DiskHands {
    /// What people see: all but the drive's own.
    func tree(_ folder: DrivePath = .root) -> [DrivePath: SeenEntry] {
        var result: [DrivePath: SeenEntry] = [:]
        for name in names(folder) where !(folder.isRoot && Self.own.contains(name)) {
            let path = folder.appending(name)
            guard let entry = look(path) else { continue }
            result[path] = entry
            if entry.entry == .folder { result.merge(tree(path)) { $1 } }
        }
        return result
    }

    private static let own: Set<FileName> = [".docdrive", ".driveignore"]

    func look(_ path: DrivePath) -> SeenEntry? {
        guard let file = OpenFile(text(path), O_RDONLY, alsoFolders: true) else { return nil }
        if file.isFolder { return SeenEntry(.folder) }
        return SeenEntry(.file(file.bytes()), isExecutable: file.facts.st_mode & 0o100 != 0)
    }

    /// The names in a folder, `.` and `..` left out.
    func names(_ folder: DrivePath) -> [FileName] { Self.names(text(folder)) }

    private static func names(_ folder: String) -> [FileName] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var result: [FileName] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { result.append(FileName(name)) }
        }
        return result.sorted()
    }

    /// The bytes of all files beside the tree.
    func kept() -> Set<[UInt8]> {
        var result: Set<[UInt8]> = []
        var folders = ["\(root)/.docdrive/trash", "\(root)/.docdrive/staging"]
        while let folder = folders.popLast() {
            for name in Self.names(folder) {
                guard let file = OpenFile("\(folder)/\(name)", O_RDONLY, alsoFolders: true) else { continue }
                if file.isFolder { folders.append("\(folder)/\(name)") } else { result.insert(file.bytes()) }
            }
        }
        return result
    }
}

/// An open file, which outlives its name.
final class OpenFile {
    let number: Int32
    /// As it was when it was opened.
    let facts: stat

    /// Nil where there is none, or it is a folder and none is wanted.
    init?(_ path: String, _ flags: Int32, alsoFolders: Bool = false) {
        number = open(path, flags | O_NOFOLLOW | O_CLOEXEC)
        var facts = stat()
        guard number >= 0, fstat(number, &facts) == 0 else { return nil }
        self.facts = facts
        if isFolder, !alsoFolders { return nil }
    }

    deinit { if number >= 0 { close(number) } }

    var isFolder: Bool { facts.st_mode & S_IFMT == S_IFDIR }

    /// Nobody can open it any more.
    var hasNoName: Bool {
        var now = stat()
        return fstat(number, &now) == 0 && now.st_nlink == 0
    }

    func isAt(_ path: String) -> Bool {
        var there = stat()
        return lstat(path, &there) == 0 && there.st_ino == facts.st_ino && there.st_dev == facts.st_dev
    }

    func bytes() -> [UInt8] {
        var result: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = pread(number, &part, part.count, off_t(result.count))
            if count <= 0 { return result }
            result += part[..<count]
        }
    }
}
