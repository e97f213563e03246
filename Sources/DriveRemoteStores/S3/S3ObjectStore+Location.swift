public import DriveCore

extension S3ObjectStore {
    /// A prefix is always there where its bucket is, so nothing is ever absent.
    public func look() async throws(DriveError) -> StoreFinding {
        var finding = StoreFinding.empty
        let mark = "\(address.prefix)\(storeMark)/"
        try await forEachPage(S3List.Query(prefix: mark, limit: 1)) { page in
            if page.objects.contains(where: { $0.name.hasPrefix(mark) }) { finding = .store }
            return false
        }
        if finding == .store { return finding }
        try await forEachPage(S3List.Query(prefix: address.prefix, isShallow: true, limit: 1_000)) { page in
            // Consoles make an object of the prefix's own name; names with a dot in front are other tools'.
            let names = (page.objects.map(\.name) + page.folders).filter { $0.hasPrefix(address.prefix) }
                .map { $0.dropFirst(address.prefix.count) }
            if names.contains(where: { !$0.isEmpty && !$0.hasPrefix(".") }) { finding = .occupied }
            return finding == .empty
        }
        return finding
    }

    /// Makes nothing. Throws `unreachable` where the bucket is not there, with how to make one.
    public func create() async throws(DriveError) { _ = try await look() }

    /// Removes nothing, as nothing was made. Throws `usage` where objects are left.
    public func remove() async throws(DriveError) {
        var isEmpty = true
        try await forEachPage(S3List.Query(prefix: address.prefix, limit: 2)) { page in
            if page.objects.contains(where: { $0.name != address.prefix }) { isEmpty = false }
            return isEmpty
        }
        if !isEmpty { throw DriveError(.usage, "there are objects left; delete them first", path: place) }
    }
}
