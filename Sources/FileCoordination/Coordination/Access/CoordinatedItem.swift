public import DriveCore
public import Foundation

/// An item that a body may use until it returns.
public struct CoordinatedItem: Hashable, Sendable {
    /// In the drive.
    public let path: DrivePath
    /// On this machine, as bytes: what to open.
    public let place: [UInt8]

    public var url: URL {
        (place.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
            URL(
                fileURLWithFileSystemRepresentation: $0.baseAddress.unsafelyUnwrapped, isDirectory: false,
                relativeTo: nil)
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
