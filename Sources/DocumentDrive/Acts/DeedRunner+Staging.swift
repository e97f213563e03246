import DriveCore
import FileCoordination

// Bytes are on the disk before they get a name that people know: a power cut would leave an empty file under it, and the
// next pass would send that. One call makes all durable that was written, so many are staged before it.
extension DeedRunner {
    /// What lies in `.incoming` and takes its place next.
    struct Staged {
        var name: FileName
        var facts: FileFacts
        var hash: ContentHash
        /// Permissions and the like of a file that it is a version of.
        var hasMetadata = false
    }

    /// What the deeds from here on need, as much as makes a batch, and why it could not be had.
    struct Batch {
        var staged: [Int: Staged] = [:]
        var failures: [Int: DriveError] = [:]
        /// The first deed that is not in it.
        var end = 0
    }

    mutating func stageBatch(from first: Int) async throws {
        discardStaged()
        batch.end = first
        var bytes: UInt64 = 0
        while batch.end < outcomes.count, batch.staged.count < parts.options.batchFiles,
            bytes < parts.options.batchBytes
        {
            let place = batch.end
            batch.end += 1
            do {
                guard let staged = try await stage(place) else { continue }
                batch.staged[place] = staged
                bytes += staged.facts.size
            } catch let error as DriveError {
                // Told when it is its turn, after what can be done before it.
                batch.failures[place] = error
                guard error.remedy == .skip || error.kind == .unreachable else { break }
            }
        }
        if !batch.staged.isEmpty { try parts.files.makeDurable() }
    }

    /// Those that no deed has used, also of one that something stopped: nobody has seen them.
    mutating func discardStaged() {
        for staged in batch.staged.values { try? parts.files.discard(staged.name, in: .incoming) }
        batch = Batch()
    }

    /// What the deed puts in its place, durable.
    mutating func takeStaged(_ place: Int) async throws -> Staged {
        if let staged = batch.staged[place] { return staged }
        if let error = batch.failures[place], !hasComeToTrash(place) { throw error }
        guard let staged = try await stage(place, isNeeded: true) else {
            let path = outcomes[place].path.description
            throw DriveError(.internalFault, "nothing is to be put here; please report this", path: path)
        }
        batch.staged[place] = staged
        try parts.files.makeDurable()
        return staged
    }

    /// By one of the deeds before.
    private func hasComeToTrash(_ place: Int) -> Bool {
        guard case .putBack(let hash, _, _) = outcomes[place].deed else { return false }
        return finder.hasTrashed(hash)
    }

    /// Nil where the deed writes nothing, or `isNeeded` is false and it can take its file out of the trash as it is.
    private func stage(_ place: Int, isNeeded: Bool = false) async throws -> Staged? {
        switch outcomes[place].deed {
        case .putBack(let hash, let path, let old):
            if !isNeeded, old == nil, finder.hasTrashed(hash, from: path) { return nil }
            var staged = try await stage(hash, for: path, place)
            // What takes the place of a file gets what that has then.
            if old == nil {
                staged.hasMetadata = try adoptMetadata(of: outcomes[place].source ?? path, to: staged.name)
            }
            return staged
        case .write(let bytes, let path, _): return try stage(bytes, for: path, place)
        default: return nil
        }
    }

    private func stage(_ hash: ContentHash, for path: DrivePath, _ place: Int) async throws -> Staged {
        let name = stagedName(place)
        let source = outcomes[place].source ?? path
        let wanted: ContentFinder.WantedAttributes
        if let noted = outcomes[place].attributes {
            wanted = .noted(noted)
        } else {
            wanted = .found(try PastAttributes(parts).attributes(of: hash, at: source))
        }
        let facts = try await finder.stage(hash, wanted, for: path, at: source, as: name)
        return Staged(name: name, facts: facts, hash: hash)
    }

    /// Who may not read a file, or what it left in the trash, may not read a version of it either. False where there is neither.
    private func adoptMetadata(of source: DrivePath, to staged: FileName) throws -> Bool {
        if let name = source.name, let folder = try parts.files.open(path: source.parent),
            try parts.files.look(at: name, in: folder)?.kind == .file
        {
            try parts.files.adoptLocalMetadata(from: name, in: folder, to: staged)
        } else if let last = finder.lastTrashed[source] {
            try parts.files.adoptLocalMetadata(from: last, in: parts.files.open(.trash), to: staged)
        } else {
            return false
        }
        return true
    }

    private func stage(_ bytes: [UInt8], for path: DrivePath, _ place: Int) throws -> Staged {
        let name = stagedName(place)
        let now = parts.clock.milliseconds()
        let writer = try parts.files.stageFile(name, size: UInt64(bytes.count))
        do {
            try bytes.withUnsafeBytes { try writer.write($0) }
            let row = try parts.state.row(at: path)
            let facts = try writer.finish(
                Attributes(
                    isExecutable: row?.attributes.isExecutable ?? false,
                    modified: FileTime(seconds: Int64(now / 1000), nanoseconds: UInt32(now % 1000) * 1_000_000),
                    extended: row?.attributes.extended ?? [:]))
            return Staged(name: name, facts: facts, hash: ContentHasher.hash(of: bytes))
        } catch {
            try? parts.files.discard(name, in: .incoming)
            throw error
        }
    }

    /// The name that what it takes the place of is to have in the trash: where that is taken out and the process dies, it is known.
    private func stagedName(_ place: Int) -> FileName {
        entries[place]?.name ?? FileName("back-\(parts.entropy.nonce(16))")
    }
}
