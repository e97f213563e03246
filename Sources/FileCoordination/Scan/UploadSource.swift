import DriveCore

/// Of which file a chunk is stored, for as long as nobody knows whether a record will name it.
final class UploadSource {
    private var path: DrivePath?
    /// The chunks that the files read so far have now, with the first of these files.
    private var files: [ContentHash: DrivePath] = [:]

    func begin(_ path: DrivePath) { self.path = path }

    func noteUse(of id: ContentHash) {
        if let path, files[id] == nil { files[id] = path }
    }

    /// What another file had sent is of use to this one, which that may be under another name.
    func claim(_ uploaded: (chunk: ChunkReference, source: DrivePath?), _ state: any DriveState) throws {
        guard let path, let source = uploaded.source, source != path, files[uploaded.chunk.id] == path else { return }
        try state.addUploaded([uploaded.chunk], of: path)
    }

    /// Told late: the file that is read by then may be another.
    func add(_ chunks: [ChunkReference], _ state: any DriveState) throws {
        // One for all: a pack holds thousands of files, and each transaction writes whole pages.
        try state.transaction(isDurable: false) {
            for (file, chunks) in Dictionary(grouping: chunks, by: { files[$0.id] ?? path }) {
                try state.addUploaded(chunks, of: file)
            }
        }
    }

    /// Where the file found no room, what was stored of it before it changed makes some.
    func leave(_ error: any Error, _ state: any DriveState) throws {
        guard let path, (error as? DriveError)?.kind == .noSpace else { return }
        try state.abandonUploads(of: path, but: Set(files.keys))
    }
}
