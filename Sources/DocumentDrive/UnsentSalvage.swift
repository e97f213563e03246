import DriveCore
import FileCoordination

/// Brings into the trash what waits to be sent and the index knows nothing of, since that was made anew or put back to an earlier
/// time: nobody else has it.
struct UnsentSalvage {
    let unsent: UnsentContents

    /// Once the folder was looked at. What there is no room for is left, and so is what cannot be read whole; none of it is dropped
    /// meanwhile.
    func run(_ parts: DriveParts) async throws {
        guard unsent.unknown.isDue, let transport = parts.transport else { return }
        var count = 0
        var isFull = false
        do {
            for note in try unsent.notes.lyingAside() { count += try await bring(note, parts, transport) }
        } catch let error as DriveError where error.kind == .noSpace {
            isFull = true
        }
        if count > 0 { try tell(count, parts) }
        if !isFull { unsent.unknown.tried(leaves: try !unsent.notes.lyingAside().isEmpty) }
    }

    private func tell(_ count: Int, _ parts: DriveParts) throws {
        let versions = count == 1 ? "1 version" : "\(count) versions"
        let note = "The index knew nothing of \(versions) that the store never got; the trash has what they were."
        let event = DriveEvent(time: parts.clock.milliseconds(), kind: .recovered, path: .root, note: note)
        try parts.state.transaction { try parts.log(event) }
    }

    /// How many of a note came into the trash. It is removed once all of them are to be had.
    private func bring(_ note: FolderPath, _ parts: DriveParts, _ transport: any Transport) async throws -> Int {
        guard let versions = try unsent.notes.versions(in: note, parts.state) else { return 0 }
        let bringing = UnsentBringing(files: parts.files, state: parts.state)
        var entries: [TrashEntry] = []
        var isKnown = false
        var isLeft = false
        for version in versions {
            let content = version.head.content
            if try knows(version, parts.state) {
                if unsent.has(content) { isKnown = true }
                continue
            }
            if try isHere(version, entries, parts.state) { continue }
            do {
                if let entry = try await bringing.bring(version, by: transport.contentReader()) {
                    entries.append(entry)
                } else if unsent.has(content) {
                    isLeft = true
                }
            } catch {
                try list(entries, parts)
                throw error
            }
        }
        try list(entries, parts)
        if isKnown, !isLeft { try unsent.notes.takeBack(note, parts.state.numbers()) }
        if !isKnown, !isLeft { try unsent.notes.remove(note) }
        return entries.count
    }

    private func list(_ entries: [TrashEntry], _ parts: DriveParts) throws {
        if entries.isEmpty { return }
        try parts.files.makeDurable()
        try parts.state.transaction { for entry in entries { try parts.state.addTrash(entry) } }
    }

    /// By a record: it is sent with that, or has its place among the versions. So it is where the device got another id since.
    private func knows(_ version: UnsentVersion, _ state: any DriveState) throws -> Bool {
        let hash = version.head.content.hash
        guard let item = try state.item(version.item.id) else { return false }
        if item.state.heads.contains(where: { $0.content.hash == hash }) { return true }
        return try state.pastVersions(of: version.item.id).contains { $0.head.content.hash == hash }
    }

    /// In the folder, or in the trash by its own path.
    private func isHere(_ version: UnsentVersion, _ entries: [TrashEntry], _ state: any DriveState) throws -> Bool {
        let hash = version.head.content.hash
        if try state.hasRow(hash: hash) || state.row(at: version.path)?.hash == hash { return true }
        return try (state.trash() + entries).contains {
            $0.reason.isShown && $0.hash == hash && $0.path == version.path
        }
    }
}
