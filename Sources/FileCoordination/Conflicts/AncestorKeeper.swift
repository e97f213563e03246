import DriveCore

/// Brings the contents that both sides of conflicts come from, and keeps them beside the trash.
struct AncestorKeeper {
    private let parts: DriveParts
    private let reader: (any ContentReader)?
    private var kept: [ContentHash: [FileName]] = [:]
    private var staged: [TrashEntry] = []

    init(_ parts: DriveParts) throws {
        self.parts = parts
        reader = parts.transport?.contentReader()
        for entry in try parts.state.trash() { if let hash = entry.hash { kept[hash, default: []].append(entry.name) } }
    }

    enum Outcome {
        case here([UInt8])
        /// Nobody has it any more.
        case lost
        /// The store cannot be asked now.
        case later
    }

    mutating func bytes(of content: Content, for path: DrivePath) async throws -> Outcome {
        if let bytes = try local(content.hash) { return .here(bytes) }
        guard let reader else { return .lost }
        var bytes: [UInt8] = []
        do {
            try await reader.read(content) { part throws(DriveError) in bytes += part }
        } catch {
            if error.kind == .corrupt || error.kind == .notFound { return .lost }
            return .later
        }
        try stage(bytes, content, path)
        return .here(bytes)
    }

    private func local(_ hash: ContentHash) throws -> [UInt8]? {
        for name in kept[hash] ?? [] {
            let areas = [FileArea.trash] + (staged.contains { $0.name == name } ? [.incoming] : [])
            for area in areas {
                guard let reader = try parts.files.readUndated(name, in: parts.files.open(area)) else { continue }
                let bytes = try reader.first(ConflictClass.greatestSize + 1)
                if ContentHasher.hash(of: bytes) == hash { return bytes }
            }
        }
        return nil
    }

    private mutating func stage(_ bytes: [UInt8], _ content: Content, _ path: DrivePath) throws {
        let entry = TrashEntry(
            name: FileName("ancestor-\(parts.entropy.nonce(16))"), path: path, hash: content.hash, size: content.size,
            reason: .ancestor, time: parts.clock.milliseconds())
        let writer = try parts.files.stageFile(entry.name, size: content.size)
        try bytes.withUnsafeBytes { try writer.write($0) }
        _ = try writer.finish(Attributes(modified: content.modified))
        staged.append(entry)
        kept[content.hash, default: []].append(entry.name)
    }

    /// Makes what was brought stay: before anything refers to it. Also where power fails then, since a conflict is looked at once.
    mutating func flush() throws {
        guard !staged.isEmpty else { return }
        // Written down first: an entry without a file is harmless, a file without an entry would stay for ever.
        try parts.state.transaction { for entry in staged { try parts.state.addTrash(entry) } }
        let (incoming, trash) = (try parts.files.open(.incoming), try parts.files.open(.trash))
        for entry in staged { _ = try parts.files.move(entry.name, in: incoming, to: entry.name, in: trash) }
        try parts.files.makeDurable()
        staged = []
    }
}
