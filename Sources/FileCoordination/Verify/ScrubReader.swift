public import DriveCore

/// Reads files for the scrub and says which are whole, and which damaged: whose bytes changed while nothing else did.
///
/// What is not as the index says has been edited or moved, and is the scan's.
public struct ScrubReader {
    private let files: any FileStore

    public init(_ files: any FileStore) { self.files = files }

    /// A file or folder that cannot be read is passed over: the scan lists it.
    public func read(_ share: [ScrubFile]) throws -> [FileReading] {
        var found: [FileReading] = []
        var folders = try LastFolder(files)
        for file in share {
            try Task.checkCancellation()
            do {
                guard let folder = try folders.open(file.path.parent), let name = file.path.name else { continue }
                if let hash = try files.untouchedHash(of: name, in: folder, file.facts) {
                    found.append(
                        FileReading(
                            row: file.row, facts: file.facts, recorded: file.recorded, isWhole: hash == file.recorded))
                }
            } catch let error as DriveError where error.remedy == .skip {}
        }
        return found
    }
}
