import DriveCore

/// Brings contents from the store into staging. What of them lies on this disk is not fetched: chunks of the file that is
/// replaced, and of a download that came to no end.
package struct Download {
    private let parts: DriveParts
    private let reader: any ContentReader
    private let unfinished: UnfinishedDownloads

    package init(_ parts: DriveParts, _ reader: any ContentReader) {
        self.parts = parts
        self.reader = reader
        unfinished = UnfinishedDownloads(parts)
    }

    /// Throws `noSpace` where so much more would leave the disk too full, even without what earlier downloads left.
    package func makeRoom(for content: Content) throws {
        do { try parts.checkSpace(for: content.size) } catch {
            guard try unfinished.removeAll() else { throw error }
            try parts.checkSpace(for: content.size)
        }
    }

    /// The whole content in staging under this name, and how many bytes of it were fetched. `replaced` is a file of which it
    /// may share something.
    package func stage(
        _ content: Content, _ attributes: Attributes, as name: FileName, replacing replaced: LocalContent? = nil
    ) async throws -> (facts: FileFacts, fetched: UInt64) {
        if content.size < parts.options.keptDownload {
            return try await fetch(content, attributes, as: name, reusing: replaced.map { [$0] } ?? []) { _ in
                try? parts.files.discard(name, in: .incoming)
            }
        }
        let earlier = try unfinished.parts(of: content)
        let draft = unfinished.newName(for: content)
        let begun = try earlier.compactMap { try unfinished.open($0, content) }
        let local = try begun + (replaced.map { [try frozen($0)] } ?? [])
        let (_, fetched) = try await fetch(content, attributes, as: draft, reusing: local) { error in
            // Where the disk is full, others need the room more.
            unfinished.keep((error as? DriveError)?.kind == .noSpace ? .none : .longest, of: earlier + [draft])
        }
        for part in earlier { try parts.files.discard(part, in: .incoming) }
        let incoming = try parts.files.open(.incoming)
        guard try parts.files.move(draft, in: incoming, to: name, in: incoming) == .done,
            let facts = try parts.files.look(at: name, in: incoming)
        else { throw DriveError(.temporary, "somebody removed what was just brought", path: "\(name)") }
        return (facts, fetched)
    }

    /// As it is now where the file system can keep it so: what both contents have takes no room twice then.
    private func frozen(_ local: LocalContent) throws -> LocalContent {
        guard let snapshot = try parts.files.snapshot(of: local.file) else { return local }
        return LocalContent(content: local.content, file: snapshot, isFrozen: true)
    }

    private func fetch(
        _ content: Content, _ attributes: Attributes, as name: FileName, reusing local: [LocalContent],
        orElse cleanUp: (any Error) -> Void
    ) async throws -> (facts: FileFacts, fetched: UInt64) {
        let writer = try parts.files.stageFile(name, size: content.size, isSharing: local.contains(where: \.isFrozen))
        let progress = parts.progress(of: content.size)
        do {
            let fetched = try await reader.read(content, reusing: local) { bytes, place throws(DriveError) in
                if let place {
                    try writer.write(bytes, asAt: place.offset, of: place.file)
                } else {
                    try writer.write(bytes)
                }
                progress?.add(bytes.count)
            }
            let facts = try writer.finish(attributes)
            parts.note(done: content.size, progress)
            return (facts, fetched)
        } catch {
            cleanUp(error)
            throw error
        }
    }
}
