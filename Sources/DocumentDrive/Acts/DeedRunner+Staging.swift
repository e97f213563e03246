import DriveCore
import FileCoordination

// What deeds put in places.
extension DeedRunner {
    /// What lies in `.incoming` and takes its place next.
    struct Staged {
        var name: FileName
        var facts: FileFacts
        var hash: ContentHash
    }

    func takeStaged(_ place: Int) async throws -> Staged {
        switch outcomes[place].deed {
        case .putBack(let hash, let path, _): return try await stage(hash, for: path, place)
        case .write(let bytes, let path, _): return try stage(bytes, for: path, place)
        default:
            let path = outcomes[place].path.description
            throw DriveError(.internalFault, "nothing is to be put here; please report this", path: path)
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
