public import DriveCore
public import Foundation

/// An item that a body may use until it returns.
public struct CoordinatedItem: Hashable, Sendable {
    /// In the drive.
    public let path: DrivePath
    /// On this machine, as bytes: what to open.
    public let place: [UInt8]

    /// For Foundation, whose paths are text: of a name that is not UTF-8 it opens nothing, and its calls fail. The URL itself has
    /// the very bytes (`caf%E9`), for whoever takes it apart; to open such an item use `place`.
    public var url: URL {
        // Foundation would make another name of it (U+FFFD), and that of another file.
        if String(validating: place, as: UTF8.self) == nil, let exact = URL(string: "file://" + percentEncoded) {
            return exact
        }
        return (place.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
            URL(
                fileURLWithFileSystemRepresentation: $0.baseAddress.unsafelyUnwrapped, isDirectory: false,
                relativeTo: nil)
        }
    }

    /// RFC 3986, 2.3: what needs no escape.
    private var percentEncoded: String {
        let digits = Array("0123456789ABCDEF")
        return place.reduce(into: "") { text, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                text.unicodeScalars.append(UnicodeScalar(byte))
            default: text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }

    init(_ path: DrivePath, place: [UInt8]) {
        self.path = path
        self.place = place
    }

    init(_ path: DrivePath, root: [UInt8]) {
        self.init(path, place: path.isRoot ? root : root + [0x2F] + path.bytes)
    }
}
