import DriveCore

extension S3ObjectStore {
    /// Lists of more pages than that are no drive's: 20 million keys.
    private static let mostPages = 20_000

    public func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        var result: [StoredObject] = []
        var isSorted = true
        guard limit > 0 else { return [] }
        let first = S3List.Query(
            prefix: address.prefix + prefix, after: after.map { address.prefix + $0 }, limit: limit)
        try await forEachPage(first) { page in
            for object in page.objects {
                guard let found = stored(object, prefix: prefix, after: after) else { continue }
                if let last = result.last, !last.key.utf8.lexicographicallyPrecedes(found.key.utf8) { isSorted = false }
                result.append(found)
            }
            return !isSorted || result.count < limit
        }
        // Directory buckets list in no order (S3 API Reference, "ListObjectsV2"): then everything was read.
        if !isSorted {
            result.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            result = result.reduce(into: []) { if $0.last?.key != $1.key { $0.append($1) } }
        }
        return Array(result.prefix(limit))
    }

    /// Nil where it is none of a store's or not asked for: some servers know no `start-after`.
    private func stored(_ object: S3List.Object, prefix: String, after: ObjectKey?) -> StoredObject? {
        guard object.name.hasPrefix(address.prefix) else { return nil }
        let key = String(object.name.dropFirst(address.prefix.count))
        guard (try? StoreKey(key)) != nil, key.hasPrefix(prefix) else { return nil }
        if let after, !after.utf8.lexicographicallyPrecedes(key.utf8) { return nil }
        return StoredObject(key: key, size: object.size)
    }

    /// Until `body` returns false or nothing is left.
    func forEachPage(_ first: S3List.Query, _ body: (S3List) throws(DriveError) -> Bool) async throws(DriveError) {
        var query = first
        for _ in 0..<Self.mostPages {
            let page = try await page(query)
            guard try body(page), page.isTruncated else { return }
            let next = query.next(page)
            guard let next, next != query else { throw badList("a list that does not go on") }
            query = next
        }
        throw badList("a list without end")
    }

    private func page(_ query: S3List.Query) async throws(DriveError) -> S3List {
        let request = HTTPRequest("GET", address.bucketPath, query: query.text, subject: place)
        let answer = try await answer(to: request, limit: Self.longestPage)
        try check(answer, "list the store", subject: place)
        guard let root = S3XMLParser.parse(answer.body), let page = S3List(root) else {
            throw badList("a list that cannot be read")
        }
        return page
    }

    private func badList(_ what: String) -> DriveError { somethingElse(what, subject: place) }

    /// The store as messages name it.
    var place: String { "s3://\(address.bucket)/\(address.prefix)" }
    /// An object as messages name it: a machine may have several stores.
    func name(of key: ObjectKey) -> String { place + key }
}
