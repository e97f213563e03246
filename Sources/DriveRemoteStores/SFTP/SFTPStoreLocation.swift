import DriveCore

// The place, before it holds a store.
extension SFTPObjectStore {
    func look(_ session: SFTPSession) async throws(DriveError) -> StoreFinding {
        switch try await session.attributes(.lookThroughLinks(path: root.path)) {
        case .success(let facts) where facts.isFolder == false: return .notFolder
        case .success: break
        case .failure(let status) where status.code == .noSuchFile:
            try await checkParent(session)
            return .absent
        case .failure(let status): throw refusal(status, "open the store's folder", [])
        }
        if try await attributes(Array(storeMark.utf8), session, "open the store")?.isFolder == true { return .store }
        var finding = StoreFinding.empty
        _ = try await forEachName(in: [], session) { name in
            // Hidden ones are other tools'; mkfs makes the other.
            if name.name.first != 0x2E, name.name != Array("lost+found".utf8) { finding = .occupied }
        }
        return finding
    }

    func makeRoot(_ session: SFTPSession) async throws(DriveError) {
        let status = try await session.status(.makeFolder(path: root.path))
        if status.code == .ok {
            // Its name must last, as far as the server can make it.
            if case .success(let handle) = try await session.handle(.open(path: root.parent, .read)) {
                defer { session.send(.close(handle: handle)) }
                if session.offers(SFTPRequest.Extension.sync) { _ = try await session.status(.sync(handle: handle)) }
            }
            return
        }
        if case .success(let facts) = try await session.attributes(.lookThroughLinks(path: root.path)) {
            if facts.isFolder != false { return }
            throw DriveError(.usage, "a file is where the store should be; choose another place", path: root.display)
        }
        try await checkParent(session)
        throw refusal(status, "make the store's folder", [])
    }

    /// RMDIR refuses what is not empty, so nothing else goes.
    func removeRoot(_ session: SFTPSession) async throws(DriveError) { try await removeFolder([], session) }

    private func removeFolder(_ name: [UInt8], _ session: SFTPSession) async throws(DriveError) {
        var inner: [[UInt8]] = []
        _ = try await forEachName(in: name, session) { entry in
            if ![[0x2E], [0x2E, 0x2E]].contains(entry.name) { inner.append(entry.name) }
        }
        for entry in inner { try await removeFolder(name.isEmpty ? entry : name + [0x2F] + entry, session) }
        let status = try await session.status(.removeFolder(path: root.path(of: name)))
        if status.code != .ok { throw refusal(status, "remove the folder", name) }
    }

    /// Throws where the folder that the root lies in is not there.
    private func checkParent(_ session: SFTPSession) async throws(DriveError) {
        switch try await session.attributes(.lookThroughLinks(path: root.parent)) {
        case .success(let facts) where facts.isFolder != false: return
        case .failure(let status) where status.code != .noSuchFile:
            throw refusal(status, "look for the store's folder", [])
        default:
            throw DriveError(
                .unreachable,
                "the folder that the store should be made in is missing; is the disk of \(host) mounted, and the path "
                    + "right?", path: root.display)
        }
    }
}
