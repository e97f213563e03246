import DriveCore
import Glibc
import Synchronization

/// Files by their bytes; names need not be text, so Foundation is of no use here.
enum FileCopy {
    /// A new file with the bytes of another.
    static func copy(_ source: [UInt8], to target: [UInt8], until stop: Stop) throws(DriveError) {
        let from = try openFile(source)
        defer { close(from) }
        let to = try open(target, O_WRONLY | O_CREAT | O_EXCL)
        defer { close(to) }
        try read(from, source, until: stop) { piece throws(DriveError) in try write(piece, to: to, target) }
    }

    /// Set by somebody else.
    final class Stop: Sendable {
        private let flag = Atomic(false)
        var isOn: Bool { flag.load(ordering: .relaxed) }
        func set() { flag.store(true, ordering: .relaxed) }
    }

    /// For reading. A pipe would be waited for until somebody writes to it.
    static func openFile(_ place: [UInt8]) throws(DriveError) -> Int32 {
        let number = try open(place, O_RDONLY | O_NONBLOCK)
        var facts = stat()
        guard fstat(number, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            close(number)
            throw DriveError(
                .usage, "it is neither a file nor a folder, and nothing can be copied of it",
                path: String(decoding: place, as: UTF8.self))
        }
        return number
    }

    static func open(_ place: [UInt8], _ flags: Int32) throws(DriveError) -> Int32 {
        let number = (place.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
            Glibc.open($0.baseAddress.unsafelyUnwrapped, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        if number < 0 { throw failure("open the file", place) }
        return number
    }

    /// To the end, from where the descriptor stands.
    static func read(
        _ number: Int32, _ place: [UInt8], until stop: Stop,
        _ body: (ArraySlice<UInt8>) throws(DriveError) -> Void
    ) throws(DriveError) {
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            if stop.isOn { throw DriveError(.temporary, "nobody waits for the copy any more; try again") }
            let count = piece.withUnsafeMutableBytes { Glibc.read(number, $0.baseAddress, $0.count) }
            if count == 0 { return }
            if count > 0 { try body(piece[..<count]) } else if errno != EINTR { throw failure("read the file", place) }
        }
    }

    static func write(_ bytes: ArraySlice<UInt8>, to number: Int32, _ place: [UInt8]) throws(DriveError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw failure("copy the file", place)
            }
        }
    }

    static func failure(_ act: String, _ place: [UInt8]) -> DriveError {
        let code = errno
        if code == ELOOP {
            return DriveError(
                .usage, "it is a link, of which there is nothing to copy; ask for what it leads to",
                path: String(decoding: place, as: UTF8.self))
        }
        let kind: DriveError.Kind =
            switch code {
            case ENOENT: .notFound
            case EACCES, EPERM: .permissionDenied
            case ENOSPC, EDQUOT: .noSpace
            default: .inputOutput
            }
        return DriveError(
            kind, "cannot \(act) (\(String(cString: strerror(code)))); look at it, and try again",
            path: String(decoding: place, as: UTF8.self))
    }
}
