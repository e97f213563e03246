import DriveCore
import Glibc

/// Files by their bytes; names need not be text, so Foundation is of no use here.
enum FileCopy {
    /// A new file with the bytes of another.
    static func copy(_ source: [UInt8], to target: [UInt8]) throws(DriveError) {
        let from = try open(source, O_RDONLY)
        defer { close(from) }
        let to = try open(target, O_WRONLY | O_CREAT | O_EXCL)
        defer { close(to) }
        try read(from, source) { piece throws(DriveError) in try write(piece, to: to, target) }
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
        _ number: Int32, _ place: [UInt8], _ body: (ArraySlice<UInt8>) throws(DriveError) -> Void
    ) throws(DriveError) {
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
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

    private static func failure(_ act: String, _ place: [UInt8]) -> DriveError {
        let code = errno
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
