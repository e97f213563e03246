import CLinux
import DriveCore
import DriveTesting
import Glibc

@testable import DriveFiles

/// Somebody who works in a real folder by paths, as any program does, without the store.
struct DiskPerson: FolderPerson {
    let folder: [UInt8]

    struct Refused: Error, CustomStringConvertible {
        var description: String
    }

    private func at<Result>(_ path: DrivePath, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (folder + [0x2F] + path.bytes).withPathPointer(body)
    }

    private func mustSucceed(_ result: Int32, _ path: DrivePath) throws {
        if result < 0 { throw Refused(description: "\(path): \(String(cString: strerror(errno)))") }
    }

    func create(_ path: DrivePath, _ bytes: [UInt8]) throws {
        try fill(path, O_CREAT | O_EXCL, bytes)
    }

    func write(_ path: DrivePath, _ bytes: [UInt8]) throws { try fill(path, O_TRUNC, bytes) }

    private func fill(_ path: DrivePath, _ flags: Int32, _ bytes: [UInt8]) throws {
        let number = at(path) { Glibc.open($0, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | flags, 0o644) }
        try mustSucceed(number, path)
        try Descriptor(number).write(bytes)
    }

    func makeFolder(_ path: DrivePath) throws { try mustSucceed(at(path) { mkdir($0, 0o755) }, path) }

    func makeLink(_ path: DrivePath, to target: [UInt8]) throws {
        try mustSucceed(target.withPathPointer { target in at(path) { symlink(target, $0) } }, path)
    }

    func makePipe(_ path: DrivePath) throws -> Bool { at(path) { mkfifo($0, 0o644) } == 0 }

    func remove(_ path: DrivePath) throws {
        var status = stat()
        try mustSucceed(at(path) { lstat($0, &status) }, path)
        guard status.st_mode & S_IFMT == S_IFDIR else { return try mustSucceed(at(path) { unlink($0) }, path) }
        for name in try names(path) { try remove(path.appending(name)) }
        try mustSucceed(at(path) { rmdir($0) }, path)
    }

    private func names(_ path: DrivePath) throws -> [FileName] {
        var names: [FileName] = []
        let opened = try Descriptor.root(at: folder + [0x2F] + path.bytes)
        try forEachEntry(in: opened.number) { bytes, _, _ throws(DriveError) in
            names.append(FileName(bytes: Array(bytes)))
        }
        return names
    }

    func move(_ path: DrivePath, to target: DrivePath) throws {
        try mustSucceed(at(path) { old in at(target) { rename(old, $0) } }, path)
    }

    func setExecutable(_ path: DrivePath) throws { try mustSucceed(at(path) { chmod($0, 0o755) }, path) }

    func setExtended(_ path: DrivePath, _ name: String, _ value: [UInt8]) throws -> Bool {
        let item = try opened(path)
        let result = dd_set_attribute(item.number, name, value, value.count)
        if result == -EOPNOTSUPP { return false }
        if result < 0 { throw Refused(description: "\(path): \(String(cString: strerror(-result)))") }
        return true
    }

    func extended(_ path: DrivePath, _ name: String) throws -> [UInt8]? {
        let item = try opened(path)
        var value = [UInt8](repeating: 0, count: 65_536)
        let count = dd_get_attribute(item.number, name, &value, value.count)
        return count < 0 ? nil : Array(value[..<count])
    }

    private func opened(_ path: DrivePath) throws -> Descriptor {
        let number = at(path) { Glibc.open($0, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) }
        try mustSucceed(number, path)
        return Descriptor(number)
    }

    func read(_ path: DrivePath) throws -> [UInt8]? {
        let number = at(path) { Glibc.open($0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        guard number >= 0 else { return nil }
        let file = Descriptor(number)
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = Glibc.read(file.number, &bytes, bytes.count)
        return count == bytes.count ? bytes : nil
    }
}
