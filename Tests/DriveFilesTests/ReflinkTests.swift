import DriveCore
import Glibc
import TestSupport
import Testing

@testable import DriveFiles

/// A file system in an image of its own, for as long as the value lives.
final class ImageMount {
    let scratch: Scratch
    let path: String

    init(_ kind: String, _ options: String...) throws {
        let place = try Scratch()
        guard try Self.isMounted(kind, options, in: place) else {
            try Test.cancel("mkfs.\(kind) is missing, or mounting is not allowed here")
        }
        scratch = place
        path = place("m")
    }

    private static func isMounted(_ kind: String, _ options: [String], in scratch: Scratch) throws -> Bool {
        mkdir(scratch("m"), 0o755)
        let image = open(scratch("image"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(image) }
        // As small as mkfs.xfs makes one; nothing of it is on the disk yet.
        return try geteuid() == 0 && ftruncate(image, 320 << 20) == 0
            && run("mkfs.\(kind)", ["-q"] + options + [scratch("image")])
            && run("mount", ["-o", "loop", scratch("image"), scratch("m")])
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> Bool {
        for folder in ["/usr/sbin", "/usr/bin", "/sbin", "/bin"] where access("\(folder)/\(program)", X_OK) == 0 {
            return try ChildProcess.run("\(folder)/\(program)", arguments).code == 0
        }
        return false
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }
}

/// What a large file has in common with the one that it replaces is not written again where blocks can be shared.
struct ReflinkTests {
    private static let bytes = (0..<(32 << 20)).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
    private static let middle = 9_000_001..<10_000_003

    /// What the whole of it takes on the disk.
    private func replaced(_ drive: DiskFileStore, changed: [UInt8]) throws -> (room: UInt64, bytes: [UInt8]) {
        let first = try drive.stageFile("old", size: UInt64(Self.bytes.count))
        try Self.bytes.withUnsafeBytes { try first.write($0) }
        _ = try first.finish(Attributes())
        try drive.makeDurable()
        let before = try drive.freeSpace().available
        let incoming = try drive.open(.incoming)
        let old = try #require(try drive.read("old", in: incoming))
        let snapshot = try #require(try drive.snapshot(of: old))
        let writer = try drive.stageFile("new", size: UInt64(Self.bytes.count), isSharing: true)
        func share(_ range: Range<Int>) throws {
            for start in stride(from: range.lowerBound, to: range.upperBound, by: 777_777) {
                let end = min(range.upperBound, start + 777_777)
                try Self.bytes[start..<end].withUnsafeBytes {
                    try writer.write($0, asAt: UInt64(start), of: snapshot)
                }
            }
        }
        try share(0..<Self.middle.lowerBound)
        try changed.withUnsafeBytes { try writer.write($0) }
        try share(Self.middle.upperBound..<Self.bytes.count)
        _ = try writer.finish(Attributes())
        try drive.makeDurable()
        let reader = try #require(try drive.read("new", in: incoming))
        var result = [UInt8](repeating: 0, count: Int(reader.facts.size))
        #expect(try result.withUnsafeMutableBytes { try reader.read(at: 0, into: $0) } == result.count)
        let after = try drive.freeSpace().available
        return (before > after ? before - after : 0, result)
    }

    @Test(arguments: ["btrfs", "xfs"], [Self.middle.count, 500_000])
    func onlyWhatIsNewTakesRoom(kind: String, count: Int) throws {
        let mount = try ImageMount(kind)
        let drive = try DiskFileStore.create(at: Array("\(mount.path)/d".utf8), replica: "r")
        let changed = [UInt8](repeating: 1, count: count)
        let (room, bytes) = try replaced(drive, changed: changed)
        // Not compared where it is told: nobody reads so many bytes.
        let isRight = bytes == Self.bytes[..<Self.middle.lowerBound] + changed + Self.bytes[Self.middle.upperBound...]
        #expect(isRight)
        // Where the rest lies otherwise in its blocks it has to be written.
        #expect(count != Self.middle.count || room < 8 << 20)
        withExtendedLifetime(mount) {}
    }

    @Test(arguments: ["btrfs", "xfs"])
    func aSnapshotIsNotWritten(kind: String) throws {
        let mount = try ImageMount(kind)
        let drive = try DiskFileStore.create(at: Array("\(mount.path)/d".utf8), replica: "r")
        try mount.scratch.write("m/d/file", "before")
        let reader = try #require(try drive.readUndated("file", in: drive.open(.root)))
        let snapshot = try #require(try drive.snapshot(of: reader))
        try mount.scratch.write("m/d/file", "after!")
        var bytes = [UInt8](repeating: 0, count: 6)
        #expect(try bytes.withUnsafeMutableBytes { try snapshot.read(at: 0, into: $0) } == 6)
        #expect(String(decoding: bytes, as: UTF8.self) == "before")
    }
}
