import DriveCore

extension SFTPObjectStore {
    /// Begins with a dot, so it is no key: an unfinished object is never seen.
    static let draftPrefix = ".docdrive-put-"

    func write(_ key: SFTPKey, _ bytes: [UInt8], _ session: SFTPSession) async throws(DriveError) {
        if try await store(key, bytes, session) { return }
        // The folder is missing: it is the first object there, or a tool that removes empty folders came between.
        forgetDurable()
        try await makeFolder(key.folder, session)
        if try await store(key, bytes, session) { return }
        throw DriveError(.temporary, "its folder is removed as soon as it is made", path: root.display(of: key.bytes))
    }

    /// False where its folder is not there.
    private func store(_ key: SFTPKey, _ bytes: [UInt8], _ session: SFTPSession) async throws(DriveError) -> Bool {
        let name = "\(Self.draftPrefix)\(String(UInt64.random(in: 0...(.max)), radix: 16))"
        let draft = root.path(of: key.folder) + [0x2F] + name.utf8
        async let durable: Void = syncFolders(above: key.folder, session)
        do throws(DriveError) {
            switch try await session.handle(.open(path: draft, [.write, .create, .exclusively])) {
            case .success(let handle):
                try await fill(handle, key, bytes, session)
            case .failure(let status) where status.code == .noSuchFile: return false
            case .failure(let status):
                throw await refusal(status, "store the object", key, storing: bytes.count, session)
            }
            if claimTidying(key.folder) { try? await removeAbandoned(key.folder, like: Array(name.utf8), session) }
            try await publish(draft, key, bytes, session)
        } catch {
            session.send(.remove(path: draft))
            throw error
        }
        try await syncFolder(key.folder, session)
        await durable
        return true
    }

    /// Writes a draft to the disk, as far as the server can, and closes it.
    private func fill(
        _ handle: [UInt8], _ key: SFTPKey, _ bytes: [UInt8], _ session: SFTPSession
    ) async throws(DriveError) {
        do throws(DriveError) {
            let pipeline = SFTPPipeline(session: session, pace: pace, direction: .up)
            let write: @Sendable (Range<UInt64>) -> SFTPRequest = { piece in
                let slice = bytes[Int(piece.lowerBound)..<Int(piece.upperBound)]
                return .write(handle: handle, offset: piece.lowerBound, slice)
            }
            try await pipeline.run(over: 0..<UInt64(bytes.count), write) { piece, ticket throws(DriveError) in
                try await self.expect(write(piece), key, bytes, session, ticket)
            } take: { _, _ in
                true
            }
            if session.offers(SFTPRequest.Extension.sync) {
                try await expect(.sync(handle: handle), key, bytes, session)
            }
        } catch {
            session.send(.close(handle: handle))
            throw error
        }
        // Servers that pass on what they get (rclone) store it only now.
        try await expect(.close(handle: handle), key, bytes, session)
    }

    private func expect(
        _ request: SFTPRequest, _ key: SFTPKey, _ bytes: [UInt8], _ session: SFTPSession, _ ticket: SFTPTicket? = nil
    ) async throws(DriveError) {
        let status = try await session.status(request, ticket)
        if status.code == .ok { return }
        throw await refusal(status, "store the object", key, storing: bytes.count, session)
    }

    /// Gives a finished draft its name. In version 3 that fails where something has the name (section 6.5 of the draft).
    private func publish(
        _ draft: [UInt8], _ key: SFTPKey, _ bytes: [UInt8], _ session: SFTPSession
    ) async throws(DriveError) {
        let status = try await session.status(.rename(from: draft, to: root.path(of: key.bytes)))
        if status.code == .ok { return }
        guard let present = try await read(key, nil, session) else {
            throw await refusal(status, "store the object", key, storing: bytes.count, session)
        }
        guard present == bytes else {
            throw DriveError(
                .corrupt, "the store has other bytes under a name that only this device may write; look who changed it",
                path: root.display(of: key.bytes))
        }
        session.send(.remove(path: draft))
        if case .success(let handle) = try await session.handle(.open(path: root.path(of: key.bytes), .read)) {
            defer { session.send(.close(handle: handle)) }
            if session.offers(SFTPRequest.Extension.sync) {
                try await expect(.sync(handle: handle), key, bytes, session)
            }
        }
    }

    /// Removes drafts of writers that died more than a day before the newest of the folder's, `own`, was made: by the
    /// server's own clock. Best effort.
    private func removeAbandoned(
        _ folder: [UInt8], like own: [UInt8], _ session: SFTPSession
    ) async throws(DriveError) {
        var drafts: [SFTPName] = []
        _ = try await forEachName(in: folder, session) { name in
            if name.name.starts(with: Self.draftPrefix.utf8), name.attributes.isFile == true { drafts.append(name) }
        }
        guard let now = drafts.first(where: { $0.name == own })?.attributes.modified else { return }
        for draft in drafts where Int64(draft.attributes.modified ?? now) < Int64(now) - 86_400 {
            session.send(.remove(path: root.path(of: folder) + [0x2F] + draft.name))
        }
    }
}

// Folders.
extension SFTPObjectStore {
    /// Makes a folder of the store and what is missing above it, but never the store's own.
    private func makeFolder(_ folder: [UInt8], _ session: SFTPSession) async throws(DriveError) {
        guard !folder.isEmpty else { return try await checkRoot(session) }
        var status = try await session.status(.makeFolder(path: root.path(of: folder)))
        if status.code == .noSuchFile {
            try await makeFolder(folder.lastIndex(of: 0x2F).map { Array(folder[..<$0]) } ?? [], session)
            status = try await session.status(.makeFolder(path: root.path(of: folder)))
        }
        if status.code == .ok { return }
        // Version 3 has no code for a name that is taken.
        guard let present = try await attributes(folder, session, "make the folder") else {
            throw refusal(status, "make the folder", folder)
        }
        guard present.isFolder == true else {
            throw DriveError(
                .permissionDenied, "a link or a file is in the way; remove it", path: root.display(of: folder))
        }
    }

    /// Writes the names on the way to a folder to the disk, once for each: whoever made them may not have come to it. Best
    /// effort, as `syncFolder` is.
    private func syncFolders(above folder: [UInt8], _ session: SFTPSession) async {
        var name = folder
        while !name.isEmpty, !isDurable(name) {
            let above = name.lastIndex(of: 0x2F).map { Array(name[..<$0]) } ?? []
            guard (try? await syncFolder(above, session)) == true else { return }
            setDurable(name)
            name = above
        }
    }

    /// Writes the names in a folder to the disk. False where it is not there; true also where the server cannot: OpenSSH on
    /// Linux opens a folder as it does a file, and nothing better is to be had elsewhere.
    @discardableResult
    func syncFolder(_ folder: [UInt8], _ session: SFTPSession) async throws(DriveError) -> Bool {
        guard session.offers(SFTPRequest.Extension.sync) else { return true }
        switch try await session.handle(.open(path: root.path(of: folder), .read)) {
        case .success(let handle):
            defer { session.send(.close(handle: handle)) }
            return try await session.status(.sync(handle: handle)).code != .noSuchFile
        case .failure(let status): return status.code != .noSuchFile
        }
    }
}
