import DriveCore

extension DriveParts {
    /// A copy in staging of a file or link with exactly these bytes; nil where it has others, or is not there. Shares the
    /// blocks with it where the file system can. Without `attributes` it gets those of its source.
    package func stageCopy(
        of source: FileName, in folder: OpenFolder, _ hash: ContentHash, _ attributes: Attributes? = nil,
        as name: FileName, _ progress: FileProgress? = nil
    ) throws -> FileFacts? {
        guard let facts = try files.look(at: source, in: folder) else { return nil }
        if facts.kind == .link {
            guard let target = try files.readLink(source, in: folder), files.contentHash(ofLinkTarget: target) == hash
            else { return nil }
            return try files.stageLink(name, target: target, modified: attributes?.modified ?? facts.modified)
        }
        guard let reader = try files.read(source, in: folder) else { return nil }
        let attributes =
            try attributes
            ?? files.attributes(facts, of: source, in: folder)
        do {
            if let copy = try stageClone(of: source, in: folder, hash, attributes, as: name, progress) { return copy }
            if let copy = try stageBytes(of: reader, hash, attributes, as: name, progress) { return copy }
        } catch {
            try? files.discard(name, in: .incoming)
            throw error
        }
        try files.discard(name, in: .incoming)
        return nil
    }

    /// The bytes are read from the copy: only exactly this content is staged.
    private func stageClone(
        of source: FileName, in folder: OpenFolder, _ hash: ContentHash, _ attributes: Attributes, as name: FileName,
        _ progress: FileProgress?
    ) throws -> FileFacts? {
        guard let clone = try files.stageClone(of: source, in: folder, as: name) else { return nil }
        let incoming = try files.open(.incoming)
        guard try files.contentHash(of: name, in: incoming, progress) == hash,
            try files.setAttributes(attributes, of: name, in: incoming, expecting: clone.identity)
        else {
            try files.discard(name, in: .incoming)
            return nil
        }
        return try files.look(at: name, in: incoming)
    }

    private func stageBytes(
        of reader: any FileReader, _ hash: ContentHash, _ attributes: Attributes, as name: FileName,
        _ progress: FileProgress?
    ) throws -> FileFacts? {
        let writer = try files.stageFile(name, size: reader.facts.size)
        let copied = try reader.hash { bytes throws(DriveError) in
            try writer.write(bytes)
            progress?.add(bytes.count)
        }
        let facts = try writer.finish(attributes)
        return copied?.0 == hash ? facts : nil
    }
}
