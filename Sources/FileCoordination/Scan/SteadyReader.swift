import DriveCore

/// A reader of a file that is written meanwhile. What was read counts if it is there once more: at the moment between the two
/// looks the file began with it. So a log to which lines are added all the time is taken as far as it was when it was opened; what
/// is written in its place all the time is not taken.
final class SteadyReader: FileReader {
    private let reader: any FileReader
    private var digest: any ContentDigest
    private var left: UInt64

    init(_ reader: any FileReader) {
        self.reader = reader
        digest = reader.contentDigest()
        left = reader.facts.size
    }

    var facts: FileFacts { reader.facts }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DriveError) -> Int {
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(clamping: left)))
        if part.isEmpty { return 0 }
        let count = try reader.read(into: part)
        digest.update(UnsafeRawBufferPointer(rebasing: part[..<count]))
        left -= UInt64(count)
        return count
    }

    func isUnchanged() throws(DriveError) -> Bool {
        if left > 0 { return false }
        if try reader.isUnchanged() { return true }
        var again = reader.contentDigest()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
        defer { buffer.deallocate() }
        var place: UInt64 = 0
        while place < facts.size {
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(clamping: facts.size - place)))
            let count = try reader.read(at: place, into: part)
            if count == 0 { return false }
            again.update(UnsafeRawBufferPointer(rebasing: part[..<count]))
            place += UInt64(count)
        }
        var first = digest
        return first.finish() == again.finish()
    }

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(DriveError) -> Int {
        try reader.read(at: offset, into: buffer)
    }

    func extendedAttributes() throws(DriveError) -> [AttributeKey: [UInt8]] { try reader.extendedAttributes() }

    func contentDigest() -> any ContentDigest { reader.contentDigest() }
}
