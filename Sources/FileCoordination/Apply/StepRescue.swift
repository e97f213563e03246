import DriveCore

extension DriveParts {
    /// To the trash with what nobody has a place for, which may be a person's. What cannot be read goes there as it is.
    func rescue(_ name: FileName, from area: FileArea, path: DrivePath? = nil) throws {
        let folder = try files.open(area)
        guard let facts = try files.look(at: name, in: folder) else { return }
        if facts.kind == .folder, try files.removeFolder(name, in: folder) == .done { return }
        let entry = TrashEntry(
            name: FileName("rescued-\(entropy.nonce(16))"), path: try path ?? formerPath(ofStaged: name),
            hash: try readableHash(of: name, in: folder), size: facts.size, reason: .replaced,
            time: clock.milliseconds())
        guard try files.move(name, in: folder, to: entry.name, in: files.open(.trash)) == .done else { return }
        try state.transaction { try state.addTrash(entry) }
    }

    private func readableHash(of name: FileName, in folder: OpenFolder) throws -> ContentHash? {
        do throws(DriveError) { return try files.contentHash(of: name, in: folder) } catch {
            guard error.remedy == .skip else { throw error }
            return nil
        }
    }

    /// A step names what it stages and takes out by its row, behind the first dash.
    private func formerPath(ofStaged name: FileName) throws -> DrivePath {
        let words = name.bytes.split(separator: UInt8(ascii: "-"), maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count > 1, let number = Int64(String(decoding: words[1], as: UTF8.self)),
            let row = try state.row(RowID(rawValue: number)), row.id != .root
        else { return DrivePath([name]) }
        return try state.path(of: row)
    }
}
