import DriveCore

/// Tells how far one file is, in steps of a mebibyte, and then that it is done.
package final class FileProgress {
    fileprivate static let step: UInt64 = 1 << 20

    private let report: (EngineEvent) -> Void
    private var gone: UInt64 = 0
    private var told: UInt64 = 0

    package init(_ report: @escaping (EngineEvent) -> Void) { self.report = report }

    package func add(_ count: Int) {
        gone += UInt64(count)
        guard gone - told >= Self.step else { return }
        report(.progress(files: 0, bytes: gone - told))
        told = gone
    }

    /// `size` is that of the whole file, of which not all need have been gone through.
    package func finish(_ size: UInt64) { report(.progress(files: 1, bytes: size - min(told, size))) }
}

extension DriveParts {
    /// Nil where the file is so small that there is nothing to tell before its end.
    package func progress(of size: UInt64) -> FileProgress? { size < FileProgress.step ? nil : FileProgress(report) }

    package func note(done size: UInt64, _ progress: FileProgress?) {
        if let progress { progress.finish(size) } else { report(.progress(files: 1, bytes: size)) }
    }
}

/// A reader that tells how far it is.
package final class FollowedReader: FileReader {
    private let reader: any FileReader
    private let progress: FileProgress

    package init(_ reader: any FileReader, _ progress: FileProgress) {
        self.reader = reader
        self.progress = progress
    }

    package var facts: FileFacts { reader.facts }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(DriveError) -> Int {
        let count = try reader.read(into: buffer)
        progress.add(count)
        return count
    }

    package func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(DriveError) -> Int {
        try reader.read(at: offset, into: buffer)
    }

    package func isUnchanged() throws(DriveError) -> Bool { try reader.isUnchanged() }

    package func extendedAttributes() throws(DriveError) -> [AttributeKey: [UInt8]] {
        try reader.extendedAttributes()
    }

    package func contentDigest() -> any ContentDigest { reader.contentDigest() }
}
