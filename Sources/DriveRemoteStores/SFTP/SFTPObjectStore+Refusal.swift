import DriveCore

// From what a server answers to what happened.
extension SFTPObjectStore {
    /// What is there under a name, itself and not what a link points to; nil where nothing is. Throws where the store's own
    /// folder is not there either.
    func attributes(
        _ name: [UInt8], _ session: SFTPSession, _ act: String
    ) async throws(DriveError) -> SFTPAttributes? {
        switch try await session.attributes(.look(path: root.path(of: name))) {
        case .success(let attributes): return attributes
        case .failure(let status) where status.code == .noSuchFile:
            try await checkRoot(session)
            return nil
        case .failure(let status):
            // Beneath a file there is nothing, which version 3 has no code for.
            guard status.code == .failure, let slash = name.lastIndex(of: 0x2F),
                try await attributes(Array(name[..<slash]), session, act)?.isFolder != true
            else { throw refusal(status, act, name) }
            return nil
        }
    }

    /// Throws where the store's folder is not there.
    func checkRoot(_ session: SFTPSession) async throws(DriveError) {
        switch try await session.attributes(.lookThroughLinks(path: root.path)) {
        case .success(let facts) where facts.isFolder != false: return
        case .failure(let status) where status.code != .noSuchFile: throw refusal(status, "open the store's folder", [])
        default:
            throw DriveError(
                .unreachable, "the store's folder is not there; is the disk of \(host) mounted, and the path right?",
                path: root.display)
        }
    }

    /// The error for a refusal that is one.
    func refusal(_ status: SFTPStatus, _ act: String, _ name: [UInt8]) -> DriveError {
        let said = Excerpt.short(status.message)
        let words = said.lowercased()
        let place = root.display(of: name)
        // Numbers from 9 on are of later versions; servers use them here too.
        if [14, 15].contains(status.code.rawValue)
            || ["no space", "quota", "disk full", "disk is full", "file system full"].contains(where: words.contains)
        {
            return DriveError(.noSpace, "cannot \(act), \(host) has no room left (\(said)); make some", path: place)
        }
        switch status.code {
        case .noSuchFile: return DriveError(.temporary, "cannot \(act), its folder just went away", path: place)
        case .permissionDenied:
            return DriveError(
                .permissionDenied, "\(host) does not let you \(act); look at the permissions there", path: place)
        case .noConnection, .connectionLost:
            return DriveError(.unreachable, "\(host) lost its connection to the files (\(said))", path: place)
        case .unsupported:
            return DriveError(.usage, "cannot \(act), the server cannot do that (\(said)); use another", path: place)
        default:
            return DriveError(
                .temporary,
                "\(host) could not \(act) (status \(status.code.rawValue), \"\(said)\"); its log may say why",
                path: place)
        }
    }

    /// The same where `count` bytes were to be stored: version 3 has no code for a full disk, nor for a read-only one.
    func refusal(
        _ status: SFTPStatus, _ act: String, _ key: SFTPKey, storing count: Int, _ session: SFTPSession
    ) async -> DriveError {
        let error = refusal(status, act, key.bytes)
        guard status.code == .failure, error.kind == .temporary, let room = try? await session.room(root.path) else {
            return error
        }
        if room.isReadOnly {
            return DriveError(
                .permissionDenied, "cannot \(act), the file system of \(host) is read-only; mount it for writing there",
                path: error.path)
        }
        guard !room.hasFiles || room.bytes < UInt64(count) else { return error }
        return DriveError(.noSpace, "cannot \(act), the disk of \(host) is full; make room there", path: error.path)
    }
}
