import DriveIndex
import Foundation
import Glibc
import Testing

/// A disk that is plugged in again, a snapshot that is brought back: the path of an open index leads to another file of the same
/// number by now, which SQLite, which compares numbers alone, takes for its own.
struct AnothersLogTests {
    private let folder: TemporaryFolder
    private let place: String

    init() throws {
        folder = try TemporaryFolder()
        place = folder.url.appending(path: "drive").path
        mkdir(place, 0o755)
    }

    private func mountHere() throws {
        guard mount("none", place, "tmpfs", 0, "size=16m") == 0 else { try Test.cancel("mounting is not allowed here") }
    }

    private func number(of path: String) -> ino_t? {
        var facts = stat()
        return stat(path, &facts) == 0 ? facts.st_ino : nil
    }

    /// File systems in memory count from the beginning.
    private func makeFile(_ path: String, number wanted: ino_t) throws {
        for _ in 0..<1_000 {
            let trial = "\(place)/trial-\(UUID().uuidString)"
            try Data().write(to: URL(fileURLWithPath: trial))
            if number(of: trial) == wanted { return try #require(rename(trial, path) == 0 ? () : nil) }
        }
        try Test.cancel("numbers of files are not given in their order here")
    }

    @Test func whoIsClosedLeavesItAlone() throws {
        let path = "\(place)/index.sqlite"
        try mountHere()
        defer { umount2(place, Int32(MNT_DETACH)) }
        var index: DriveIndex? = try DriveIndex(path: Array(path.utf8))
        try index?.setSetting([1], "colour")
        let files = try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: path + $0)) }
        let inode = try #require(number(of: path))
        // Over the first one, which is in use.
        try mountHere()
        defer { umount2(place, Int32(MNT_DETACH)) }
        try makeFile(path, number: inode)
        for (ending, bytes) in zip(["", "-wal"], files) {
            let file = open(path + ending, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            #expect(bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == bytes.count)
            close(file)
        }
        try index?.setSetting([2], "colour")
        index = nil
        #expect(try DriveIndex(path: Array(path.utf8)).setting("colour") == [1])
    }
}
