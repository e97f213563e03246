import DriveCore

/// A reader of a file that somebody may begin to write meanwhile who says so: then it is no more what it was when it was opened,
/// whether or not that shows yet.
final class CoordinatedReader: FileReader {
    private let reader: any FileReader
    private let isInUse: () -> Bool

    init(_ reader: any FileReader, isInUse: @escaping () -> Bool) {
        self.reader = reader
        self.isInUse = isInUse
    }

    var facts: FileFacts { reader.facts }

    /// In this order: who had begun, and is done by now, has changed the file.
    func isUnchanged() throws(DriveError) -> Bool {
        if isInUse() { return false }
        return try reader.isUnchanged()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DriveError) -> Int {
        try reader.read(into: buffer)
    }

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(DriveError) -> Int {
        try reader.read(at: offset, into: buffer)
    }

    func extendedAttributes() throws(DriveError) -> [AttributeKey: [UInt8]] { try reader.extendedAttributes() }

    func contentDigest() -> any ContentDigest { reader.contentDigest() }
}
