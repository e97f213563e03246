import DriveCore

extension WebDAVObjectStore {
    public func look() async throws(DriveError) -> StoreFinding {
        guard let found = try await collection("") else {
            try await checkParent()
            return .absent
        }
        guard found.isCollection else { return .notFolder }
        if found.members.contains(where: { $0.isCollection && $0.name.elementsEqual(storeMark.utf8) }) { return .store }
        // Hidden ones are other tools'.
        return found.members.allSatisfy { $0.name.first == 0x2E } ? .empty : .occupied
    }

    public func create() async throws(DriveError) {
        if url.path.isEmpty { return try await checkPlace() }
        let request = request("MKCOL", "")
        let answer = try await exchange.answer(to: request, limit: Self.longestListing)
        if answer.status == 201 { return }
        switch answer.status {
        // Whatever a server says where something is.
        case 200..<300, 405, 409:
            if try await collection("")?.isCollection == true { return }
            try await checkParent()
        case 404, 500: try await checkParent()
        default: break
        }
        throw refusal(answer, Self.createAction, request.subject)
    }

    public func remove() async throws(DriveError) {
        guard !url.path.isEmpty else {
            throw DriveError(.usage, "the server's own root cannot be removed", path: place)
        }
        memory.withLock { $0 = Memory() }
        try await removeEmpty("")
    }

    /// Looks into every collection before it goes, since a server would remove all that is in it.
    private func removeEmpty(_ start: String) async throws(DriveError) {
        guard let found = try await collection(start) else { return }
        let request = request("DELETE", start)
        guard found.isCollection, found.members.allSatisfy(\.isCollection), start.utf8.count <= StoreKey.longest else {
            throw DriveError(.usage, "the collection is not empty; look what is in it", path: request.subject)
        }
        for member in found.members { try await removeEmpty("\(start)\(PercentEncoding.text(member.name))/") }
        let answer = try await exchange.answer(to: request, limit: Self.longestListing)
        if !Self.isRemoved(answer) { throw refusal(answer, Self.removeCollectionAction, request.subject) }
    }

    /// Throws where the place that the store's collection lies in is not there either.
    private func checkParent() async throws(DriveError) {
        if url.path.isEmpty { try await checkPlace() }
        let above = url.components.dropLast().joined(separator: "/")
        let request = HTTPRequest("PROPFIND", Self.path(of: above), subject: place)
        do throws(DriveError) {
            if try await collection(at: request) != nil { return }
        } catch {
            // Where somebody may use one collection only: making it will tell.
            if error.kind == .permissionDenied { return }
            throw error
        }
        throw DriveError(
            .unreachable,
            "neither the store's collection nor the one that it lies in is there; correct the address, or make /\(above) "
                + "on the server", path: place)
    }
}
