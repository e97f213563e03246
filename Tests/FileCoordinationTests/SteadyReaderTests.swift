import DriveCore
import DriveTesting
import Testing

@testable import FileCoordination

/// A file to which things happen while it is read.
struct SteadyReaderTests {
    private final class Changing: FileReader {
        var bytes: [UInt8]
        let facts: FileFacts
        private let first: [UInt8]
        private var place = 0
        /// Called before the read with this number.
        var happenings: [Int: (Changing) -> Void] = [:]
        private var reads = 0

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            first = bytes
            let time = FileTime(seconds: 1)
            facts = FileFacts(
                kind: .file, identity: FileIdentity(inode: 7, birth: nil), size: UInt64(bytes.count), modified: time,
                changed: time)
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            happenings[reads]?(self)
            reads += 1
            let count = read(at: UInt64(place), into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(4)))
            place += count
            return count
        }

        func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let part = bytes.dropFirst(Int(offset)).prefix(buffer.count)
            buffer.copyBytes(from: part)
            return part.count
        }

        func isUnchanged() -> Bool { bytes == first }
        func extendedAttributes() -> [AttributeKey: [UInt8]] { [:] }
        func contentDigest() -> any ContentDigest { MemoryFolder(clock: ManualClock()).contentDigest() }
    }

    /// What is read, or nil where it is no version of the file.
    private func read(_ file: Changing) throws -> [UInt8]? {
        let reader = SteadyReader(file)
        var result: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 8)
        defer { buffer.deallocate() }
        while true {
            let count = try reader.read(into: buffer)
            if count == 0 { break }
            result += buffer[..<count]
        }
        return try reader.isUnchanged() ? result : nil
    }

    private static let text = Array("0123456789".utf8)

    @Test func whatIsAddedMeanwhileIsLeftForLater() throws {
        let file = Changing(Self.text)
        for number in 0..<8 { file.happenings[number] = { $0.bytes += Array("more".utf8) } }
        #expect(try read(file) == Self.text)
    }

    @Test func whatIsWrittenBehindTheReadIsNoVersion() throws {
        let file = Changing(Self.text)
        file.happenings[2] = { $0.bytes[0] = 0x58 }
        #expect(try read(file) == nil)
    }

    /// What was read is what the file was all the time between.
    @Test func whatIsWrittenBeforeTheReadIsTheVersion() throws {
        let file = Changing(Self.text)
        file.happenings[1] = { $0.bytes[9] = 0x58 }
        #expect(try read(file) == Array("012345678X".utf8))
    }

    @Test func whatIsCutOffIsNoVersion() throws {
        let file = Changing(Self.text)
        file.happenings[1] = { $0.bytes.removeLast(5) }
        #expect(try read(file) == nil)
        let cutLater = Changing(Self.text)
        cutLater.happenings[2] = { $0.bytes.removeLast(1) }
        #expect(try read(cutLater) == nil)
    }
}
