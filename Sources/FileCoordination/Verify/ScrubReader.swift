public import DriveCore

/// Reads files for the scrub and says which are damaged: whose bytes changed while nothing else did.
///
/// What is not as the index says has been edited or moved, and is the scan's.
public struct ScrubReader {
    private let files: any FileStore

    public init(_ files: any FileStore) { self.files = files }

    /// A file or folder that cannot be read is passed over: the scan lists it.
    public func damaged(_ share: [ScrubFile]) throws -> [ScrubFile] {
        var found: [ScrubFile] = []
        var folders = try LastFolder(files)
        for file in share {
            try Task.checkCancellation()
            do {
                guard let folder = try folders.open(file.path.parent), let name = file.path.name else { continue }
                if let hash = try files.untouchedHash(of: name, in: folder, file.facts), hash != file.recorded {
                    found.append(file)
                }
            } catch let error as DriveError where error.remedy == .skip {}
        }
        return found
    }
}
