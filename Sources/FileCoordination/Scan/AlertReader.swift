import DriveCore

/// A reader of a large file that gives up as soon as it is known that the reading will be of no use, in place of at its end: what
/// it had read, and stored, until then is the least that it could.
final class AlertReader: FileReader {
    private let reader: any FileReader
    private let isInVain: () throws(DriveError) -> Bool
    private var hasGivenUp = false

    init(_ reader: any FileReader, isInVain: @escaping () throws(DriveError) -> Bool) {
        self.reader = reader
        self.isInVain = isInVain
    }

    var facts: FileFacts { reader.facts }

    private func givesUp() throws(DriveError) -> Bool {
        if !hasGivenUp { hasGivenUp = try isInVain() }
        return hasGivenUp
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DriveError) -> Int {
        try givesUp() ? 0 : reader.read(into: buffer)
    }

    func isUnchanged() throws(DriveError) -> Bool { try givesUp() ? false : reader.isUnchanged() }

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(DriveError) -> Int {
        try reader.read(at: offset, into: buffer)
    }

    func extendedAttributes() throws(DriveError) -> [AttributeKey: [UInt8]] { try reader.extendedAttributes() }

    func contentDigest() -> any ContentDigest { reader.contentDigest() }
}

extension DriveParts {
    /// What was read of a file that has changed is of no use, but for the beginning of one to which something was added.
    func alert(
        _ reader: any FileReader, _ opened: any FileReader, _ isSteady: Bool, _ name: FileName, _ folder: OpenFolder
    ) -> any FileReader {
        guard opened.facts.size >= options.largeFile else { return reader }
        return AlertReader(reader) { [files] () throws(DriveError) in
            if try opened.isUnchanged() { return false }
            guard isSteady, let now = try files.look(at: name, in: folder) else { return true }
            // A name or an attribute more leaves the bytes as they are.
            let isWritten = now.size == opened.facts.size && now.modified != opened.facts.modified
            return now.identity != opened.facts.identity || now.size < opened.facts.size || isWritten
        }
    }
}
