import DriveCore

/// What stopped the reading of a file and is not the file's: the store is in the way, or the index. It means nothing of what the
/// same error would of the file, such as that it may not be read.
struct StoringFailure: Error {
    let error: DriveError
}

/// Tells whether it was the file that could not be read.
final class BlamedReader: FileReader {
    private let reader: any FileReader
    private(set) var hasFailed = false

    init(_ reader: any FileReader) { self.reader = reader }

    var facts: FileFacts { reader.facts }

    private func noting<Result>(_ body: () throws(DriveError) -> Result) throws(DriveError) -> Result {
        do throws(DriveError) { return try body() } catch {
            hasFailed = true
            throw error
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DriveError) -> Int {
        try noting { () throws(DriveError) in try reader.read(into: buffer) }
    }

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(DriveError) -> Int {
        try noting { () throws(DriveError) in try reader.read(at: offset, into: buffer) }
    }

    func isUnchanged() throws(DriveError) -> Bool {
        try noting { () throws(DriveError) in try reader.isUnchanged() }
    }

    func extendedAttributes() throws(DriveError) -> [AttributeKey: [UInt8]] {
        try noting { () throws(DriveError) in try reader.extendedAttributes() }
    }

    func contentDigest() -> any ContentDigest { reader.contentDigest() }
}
