import DriveCore

extension WebDAVObjectStore {
    /// Over the network there is no more to be had than a success. Objects are at most some 16 MiB, so Nextcloud's own way
    /// of sending large files in chunks, for what its proxies do not let through at once, is not needed.
    public func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) {
        let key = try StoreKey(key).text
        let folder = Self.folder(of: key)
        do throws(DriveError) {
            // A refusal of a large body may come as a cut connection, which does not say that a collection is missing.
            if bytes.count > Self.smallBody { try await prepare(folder) }
            try await put(key, bytes, in: folder)
            memory.withLock { _ = $0.collections.insert(folder) }
        } catch {
            // Had the collection gone, the next try would find out.
            forget(folder)
            throw error
        }
    }

    private func put(_ key: String, _ bytes: [UInt8], in folder: String) async throws(DriveError) {
        var request = request("PUT", key, bytes[...])
        request.fields = [HTTPField("Content-Type", "application/octet-stream")]
        let wasKnown = isKnown(folder)
        var answer = try await exchange.answer(to: request, limit: Self.longestListing)
        if Self.mayLackParent(answer.status) {
            if wasKnown { forget(folder) }
            if folder.isEmpty { try await checkPlace() } else { try await make(folder) }
            answer = try await exchange.answer(to: request, limit: Self.longestListing)
        }
        // A page comes with 201 from Apache, with 200 from what is no store.
        let isStored = [201, 204].contains(answer.status) || answer.status == 200 && !answer.isPage
        if !isStored { throw refusal(answer, Self.putAction, request.subject) }
    }

    /// 409 (RFC 4918, section 9.7.1); Sabre says 404, nginx 500.
    private static func mayLackParent(_ status: Int) -> Bool { [404, 409, 500].contains(status) }

    /// What the key begins with up to its last slash.
    private static func folder(of key: String) -> String {
        key.lastIndex(of: "/").map { String(key[...$0]) } ?? ""
    }

    private static func parent(of folder: String) -> String { Self.folder(of: String(folder.dropLast())) }

    /// Makes the collection unless it is known to be there. What lies beside it is learned with one request.
    private func prepare(_ folder: String) async throws(DriveError) {
        guard !folder.isEmpty, !isKnown(folder) else { return }
        let parent = Self.parent(of: folder)
        if memory.withLock({ $0.searched.insert(parent).inserted }), let found = try await collection(parent) {
            let names = found.members.filter(\.isCollection).map { String(decoding: $0.name, as: UTF8.self) }
            memory.withLock { $0.collections.formUnion(names.map { "\(parent)\($0)/" }) }
        }
        if !isKnown(folder) { try await make(folder) }
    }

    private func isKnown(_ folder: String) -> Bool { memory.withLock { $0.collections.contains(folder) } }

    /// Somebody may have removed it, and what it lies in.
    private func forget(_ folder: String) {
        memory.withLock { memory in
            memory.collections = memory.collections.filter { !folder.hasPrefix($0) }
            memory.searched = memory.searched.filter { !folder.hasPrefix($0) }
        }
    }

    /// Makes the collection and what is missing above it, but never the store's own. Nothing where another request has
    /// made it in the meantime.
    private func make(_ folder: String) async throws(DriveError) {
        await turns.take(folder)
        defer { turns.give(folder) }
        if isKnown(folder) { return }
        let (request, parent) = (request("MKCOL", folder), Self.parent(of: folder))
        let wasKnown = isKnown(parent)
        var answer = try await exchange.answer(to: request, limit: Self.longestListing)
        if Self.mayLackParent(answer.status) {
            if wasKnown { forget(parent) }
            if parent.isEmpty { try await checkPlace() } else { try await make(parent) }
            answer = try await exchange.answer(to: request, limit: Self.longestListing)
        }
        // 405: something is there (RFC 4918, section 9.3.1). Apache says 403 where two make it at once.
        let isThere = [201, 405].contains(answer.status) || answer.status == 200 && !answer.isPage
        if !isThere, try await collection(folder)?.isCollection != true {
            throw refusal(answer, Self.makeAction, request.subject)
        }
        memory.withLock { _ = $0.collections.insert(folder) }
    }
}
