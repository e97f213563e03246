import CLinux
import DriveCore
import Glibc

/// Makes one process the only writer of a drive, for as long as the value lives or the process does.
public final class DriveLock: Sendable {
    private let file: KernelLock
    private let folder: KernelLock

    private init(_ file: KernelLock, _ folder: KernelLock) { (self.file, self.folder) = (file, folder) }

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
        // Somebody may remove the file, as one that a program left behind; the folder stays for as long as there is a drive. On a
        // file system that locks no folders the file alone has to do.
        let folder = KernelLock(state)
        if dd_lock(state.number) == -EWOULDBLOCK { return .held(by: writtenProcess(in: state) ?? holder(at: path)) }
        let name = DriveLayout.lock
        let number = dd_open_own_file(state.number, name.bytes, name.bytes.count, 0o600)
        let file = Descriptor(try check(number, "open the drive's lock", path: place))
        let result = dd_lock(file.number)
        if result == -EWOULDBLOCK { return .held(by: file.writtenProcess) }
        _ = try check(result, "lock the drive", path: place)
        try file.tellProcess()
        return .taken(DriveLock(KernelLock(file), folder))
    }

    private static func writtenProcess(in state: Descriptor) -> Int32? {
        let number = dd_open_beneath(state.number, "\(DriveLayout.lock)", false)
        return number < 0 ? nil : Descriptor(number).writtenProcess
    }
}

/// What is open, and may be locked.
private final class KernelLock: Sendable {
    private let descriptor: Descriptor

    init(_ descriptor: Descriptor) { self.descriptor = descriptor }

    /// Given up, not only closed: a program that this process is just starting has a copy of the descriptor until it runs,
    /// and would hold the lock that long (flock(2)).
    deinit { _ = flock(descriptor.number, LOCK_UN) }
}

extension Descriptor {
    /// For people only: the lock is the kernel's, not this number. So a full disk keeps nobody from it; and what is written over the
    /// number of who had it before needs no room on most.
    fileprivate func tellProcess() throws(DriveError) {
        let line = Array("\(getpid())\n".utf8)
        do { try write(line) } catch {
            // No number rather than that of another.
            _ = dd_truncate(number, 0)
            guard error.kind == .noSpace else { throw error }
            return
        }
        _ = dd_truncate(number, UInt64(line.count))
    }

    fileprivate var writtenProcess: Int32? {
        let bytes = [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            count = max(0, dd_read_at(number, buffer.baseAddress, buffer.count, 0))
        }
        return Int32(String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self))
    }
}
