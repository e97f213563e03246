import DriveImporting
import CLinux
import Glibc

/// A regular file that is open to read. Whoever opened it closes it.
public struct ImportFile: Sendable {
    public let descriptor: Int32
    public let size: Int

    public init(descriptor: Int32) throws(ImportFailure) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw ImportFailure(.unreadable, "it is no regular file")
        }
        self.descriptor = descriptor
        size = Int(facts.st_size)
    }

    /// Opens a path without following a link; the caller closes the descriptor.
    static func open(path: [UInt8]) throws(ImportFailure) -> ImportFile {
        guard !path.contains(0) else { throw ImportFailure(.unreadable, "its path holds a NUL") }
        let result = dd_import_open(path.map(CChar.init(bitPattern:)) + [0])
        if result == -Int32(DD_IMPORT_NOT_A_FILE) {
            throw ImportFailure(.unreadable, "it is no regular file")
        }
        guard result >= 0 else {
            throw ImportFailure(.unreadable, "it cannot be opened: \(String(cString: strerror(-result)))")
        }
        return try ImportFile(descriptor: result)
    }

    /// Up to so many bytes from an offset; fewer only at the end of the file.
    func read(at offset: Int, count: Int) throws(ImportFailure) -> [UInt8] {
        guard offset >= 0, count > 0, offset < size else { return [] }
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: min(count, size - offset)) { buffer, filled in
            filled = 0
            while filled < buffer.count {
                let got = pread(descriptor, buffer.baseAddress! + filled, buffer.count - filled, offset + filled)
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = errno }
                if got <= 0 { break }
                filled += got
            }
        }
        guard failure == 0 else {
            throw ImportFailure(.unreadable, "it cannot be read: \(String(cString: strerror(failure)))")
        }
        return bytes
    }
}
