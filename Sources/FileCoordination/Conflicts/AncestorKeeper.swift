import DriveCore

/// Brings the content that both sides of a conflict come from, and keeps it beside the trash.
struct AncestorKeeper {
    private let parts: DriveParts

    init(_ parts: DriveParts) { self.parts = parts }

    enum Outcome {
        case here([UInt8])
        /// Nobody has it any more.
        case lost
        /// The store cannot be asked now.
        case later
    }

    func bytes(of content: Content, for path: DrivePath) async throws -> Outcome {
        if let bytes = try kept(content.hash) { return .here(bytes) }
        guard let reader = parts.transport?.contentReader() else { return .lost }
        var bytes: [UInt8] = []
        do {
            try await reader.read(content) { part throws(DriveError) in bytes += part }
        } catch {
            if error.kind == .corrupt || error.kind == .notFound { return .lost }
            return .later
        }
        try keep(bytes, content, path)
        return .here(bytes)
    }

    private func kept(_ hash: ContentHash) throws -> [UInt8]? {
        for entry in try parts.state.trash() where entry.hash == hash {
            guard let reader = try parts.files.readUndated(entry.name, in: parts.files.open(.trash)) else { continue }
            let bytes = try reader.first(ConflictClass.greatestSize + 1)
            if ContentHasher.hash(of: bytes) == hash { return bytes }
        }
        return nil
    }

    private func keep(_ bytes: [UInt8], _ content: Content, _ path: DrivePath) throws {
        let entry = TrashEntry(
            name: FileName("ancestor-\(parts.entropy.nonce(16))"), path: path, hash: content.hash, size: content.size,
            reason: .ancestor, time: parts.clock.milliseconds())
        let writer = try parts.files.stageFile(entry.name, size: content.size)
        try bytes.withUnsafeBytes { try writer.write($0) }
        _ = try writer.finish(Attributes(modified: content.modified))
        try parts.state.transaction { try parts.state.addTrash(entry) }
        _ = try parts.files.move(
            entry.name, in: parts.files.open(.incoming), to: entry.name, in: parts.files.open(.trash))
    }
}
