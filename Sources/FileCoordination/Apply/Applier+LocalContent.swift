import DriveCore

// Bytes that are on this disk already.
extension Applier {
    /// Copies the content from another file of the drive, or from the trash, where one holds it: no transfer, and the
    /// store need not have it. Nil where none does; one that cannot be read holds nothing.
    mutating func stageFromHere(
        _ content: Content, _ attributes: Attributes, as name: FileName
    ) throws -> FileFacts? {
        guard content.size > 0 else { return nil }
        let found = try parts.state.first(hash: content.hash) { row -> FileFacts? in
            guard row.kind == .file else { return nil }
            return try readable { applier in
                guard let (folder, source) = try applier.runner.locator.verified(row) else { return nil }
                return try applier.copy(source, in: folder, content, attributes, as: name)
            }
        }
        if let found { return found }
        guard let source = try trashedName(content.hash) else { return nil }
        return try readable { applier in
            try applier.copy(source, in: applier.parts.files.open(.trash), content, attributes, as: name)
        }
    }

    private mutating func readable(_ copy: (inout Applier) throws -> FileFacts?) throws -> FileFacts? {
        do { return try copy(&self) } catch let error as DriveError where error.remedy == .skip { return nil }
    }

    private mutating func trashedName(_ hash: ContentHash) throws -> FileName? {
        if let trashed { return trashed[hash] }
        var names: [ContentHash: FileName] = [:]
        for entry in try parts.state.trash() { if let hash = entry.hash { names[hash] = entry.name } }
        trashed = names
        return names[hash]
    }

    private func copy(
        _ source: FileName, in folder: OpenFolder, _ content: Content, _ attributes: Attributes, as name: FileName
    ) throws -> FileFacts? {
        let progress = parts.progress(of: content.size)
        guard try parts.files.look(at: source, in: folder)?.size == content.size,
            let facts = try parts.stageCopy(of: source, in: folder, content.hash, attributes, as: name, progress)
        else { return nil }
        parts.note(done: content.size, progress)
        return facts
    }
}
