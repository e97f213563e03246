import DriveCore

extension FolderWalk {
    /// What is known of the folder, if all in it looks as it did then, so that comparing would find the same: nothing.
    func unchanged(_ open: OpenFolder, _ row: RowID, _ rules: Fingerprint) throws -> KnownFolder? {
        guard offered.isEmpty, let known = try rows.knownFolder(row), known.rules == rules else { return nil }
        // What cannot be looked at is told by who compares.
        guard let digest = try? files.digest(open), digest == known.digest else { return nil }
        return known
    }

    func add(to digest: inout FolderDigest?, _ name: FileName, _ facts: FileFacts) {
        guard digest != nil else { return }
        if FolderDigest.covers(facts) { digest?.add(files.fingerprint(of: name, facts)) } else { digest = nil }
    }

    /// What is ignored counts too, since a digest knows no rules; whether it may be looked at is nobody's concern.
    func add(to digest: inout FolderDigest?, _ name: FileName, of folder: OpenFolder) throws {
        guard digest != nil else { return }
        guard let facts = try? files.look(at: name, in: folder) else { return digest = nil }
        add(to: &digest, name, facts)
    }
}
