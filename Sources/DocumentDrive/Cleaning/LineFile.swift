import DriveCore
import Foundation
import Glibc

/// A file that lines of JSON are added to, each whole or not at all for whoever reads it. Nobody else has it while the
/// value lives.
final class LineFile {
    let path: FolderPath
    private let number: Int32
    private let encoder = JSONEncoder()

    private init(_ path: FolderPath, _ number: Int32) { (self.path, self.number) = (path, number) }

    /// Made anew.
    static func make(_ path: FolderPath) throws(DriveError) -> LineFile {
        var file: LineFile
        repeat {
            let number = path.withPointer { open($0, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600) }
            guard number >= 0 else { throw SmallFile.failure("write", path) }
            file = LineFile(path, number)
            // File systems without locks are as good as one without others.
            _ = flock(number, LOCK_EX)
            // Before it had the lock, it looked like one that was left behind (`removeEmpty`).
        } while !file.isThere && !path.exists
        let folder = path.parent.withPointer { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        if folder >= 0 {
            _ = fsync(folder)
            close(folder)
        }
        return file
    }

    /// Removes one that has no line and that nobody has: who made it was killed. Without locks nobody can tell.
    static func removeEmpty(_ path: FolderPath) {
        let number = path.withPointer { open($0, O_RDWR | O_NOFOLLOW | O_CLOEXEC) }
        guard number >= 0 else { return }
        let file = LineFile(path, number)
        withExtendedLifetime(file) {
            // Asked twice, so that those of others are not even locked for a moment.
            guard !file.hasLine, flock(number, LOCK_EX | LOCK_NB) == 0, !file.hasLine, file.isThere else { return }
            _ = path.withPointer { unlink($0) }
        }
    }

    private var hasLine: Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var start: off_t = 0
        while true {
            let count = pread(number, &buffer, buffer.count, start)
            // What cannot be read may have some.
            if count < 0 { return true }
            if count == 0 { return false }
            if buffer[..<count].contains(0x0A) { return true }
            start += off_t(count)
        }
    }

    private var isThere: Bool {
        var facts = stat()
        return fstat(number, &facts) == 0 && facts.st_nlink > 0
    }

    /// One that is there, once nobody else has it; nil where it is gone by then, or another has it and nobody waits. What a power cut
    /// has left of a line is taken away.
    static func take(_ path: FolderPath, waits: Bool = true) throws(DriveError) -> LineFile? {
        let number = path.withPointer { open($0, O_RDWR | O_APPEND | O_CLOEXEC) }
        if number < 0, errno == ENOENT { return nil }
        guard number >= 0 else { throw SmallFile.failure("write", path) }
        let file = LineFile(path, number)
        while flock(number, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return nil }
            if errno != EINTR { break }
        }
        var facts = stat()
        guard fstat(number, &facts) == 0, facts.st_nlink > 0 else { return nil }
        file.endLastLine(facts.st_size)
        return file
    }

    private func endLastLine(_ size: off_t) {
        var end = size
        var byte: UInt8 = 0
        while end > 0, pread(number, &byte, 1, end - 1) == 1, byte != 0x0A { end -= 1 }
        // One that cannot be read stays as it is.
        if end < size, end == 0 || byte == 0x0A { _ = ftruncate(number, end) }
    }

    /// Given up, not only closed: a program that this process is just starting has a copy of it until it runs (flock(2)).
    deinit {
        _ = flock(number, LOCK_UN)
        close(number)
    }

    /// Returns when all lines would survive a power cut.
    func makeDurable() throws(DriveError) {
        // EINVAL: there is nothing to make durable (fdatasync(2)).
        guard fdatasync(number) == 0 || errno == EINVAL else { throw SmallFile.failure("write", path) }
    }

    func append(_ line: some Encodable) throws(DriveError) {
        guard var data = try? encoder.encode(line) else {
            throw DriveError(.internalFault, "a line of the record cannot be written", path: path.description)
        }
        data.append(0x0A)
        let end = lseek(number, 0, SEEK_END)
        let written = data.withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
        if written == data.count { return }
        let error = SmallFile.failure("write", path)
        // Half a line would spoil the next one.
        if written > 0, end >= 0 { _ = ftruncate(number, end) }
        throw error
    }
}
