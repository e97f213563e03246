import CLinux
import DriveCore
import Glibc

/// Makes one process the only writer of a drive, for as long as the value lives or the process does.
public final class DriveLock: Sendable {
    private let file: Descriptor

    private init(_ file: Descriptor) { self.file = file }

    /// Given up, not only closed: a program that this process is just starting has a copy of the descriptor until it runs,
    /// and would hold the lock that long (flock(2)).
    deinit { _ = flock(file.number, LOCK_UN) }

    public enum Outcome: Sendable {
        case taken(DriveLock)
        /// Another process has it; its id where it could be read.
        case held(by: Int32?)
    }

    /// Does not wait. The folder must be a drive.
    public static func take(at path: [UInt8]) throws(DriveError) -> Outcome {
        let place = String(decoding: path, as: UTF8.self)
        guard let state = try Descriptor.root(at: path).folder(DriveLayout.state) else {
            throw DriveError(.usage, "this folder is no drive; make it one with `docdrive init`", path: place)
        }
        let name = DriveLayout.lock
        let number = dd_open_own_file(state.number, name.bytes, name.bytes.count, 0o600)
        let file = Descriptor(try check(number, "open the drive's lock", path: place))
        let result = dd_lock(file.number)
        if result == -EWOULDBLOCK { return .held(by: file.writtenProcess) }
        _ = try check(result, "lock the drive", path: place)
        // For people only: the lock is the kernel's, not this number.
        _ = dd_truncate(file.number, 0)
        try file.write(Array("\(getpid())\n".utf8))
        return .taken(DriveLock(file))
    }
}

extension Descriptor {
    fileprivate var writtenProcess: Int32? {
        let bytes = [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            count = max(0, dd_read_at(number, buffer.baseAddress, buffer.count, 0))
        }
        return Int32(String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self))
    }
}
