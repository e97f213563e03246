import DriveCore

/// The rest of a list of which a page was given: the next page goes on from there, so that a large collection is not read
/// again for every page.
struct ListRest: Sendable {
    var prefix: String
    var last: ObjectKey
    var walk: CollectionWalk
    var made: ContinuousClock.Instant

    /// What was read before that is too old.
    static let lasts = Duration.seconds(60)
}

extension WebDAVObjectStore {
    public func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        guard limit > 0, var walk = rest(of: prefix, after: after) ?? CollectionWalk(prefix: prefix, after: after)
        else {
            return []
        }
        let found = try await walk.page(limit) { start throws(DriveError) in try await self.members(of: start) }
        if let last = found.last?.key, !walk.isAtEnd {
            let rest = ListRest(prefix: prefix, last: last, walk: walk, made: .now)
            memory.withLock { $0.rest = rest }
        }
        return found
    }

    private func rest(of prefix: String, after: ObjectKey?) -> CollectionWalk? {
        memory.withLock { memory in
            guard let rest = memory.rest, rest.prefix == prefix, rest.last == after else { return nil }
            memory.rest = nil
            return .now < rest.made + ListRest.lasts ? rest.walk : nil
        }
    }

    private func members(of start: String) async throws(DriveError) -> [DAVCollection.Member] {
        guard let found = try await collection(start) else {
            try await checkPlace()
            return []
        }
        return found.isCollection ? found.members : []
    }

    /// What a key, or the beginning of one, names; nil where nothing is.
    func collection(_ key: String) async throws(DriveError) -> DAVCollection? {
        try await collection(at: request("PROPFIND", key))
    }

    /// Asks with Depth 1: what Sabre answers at most, and all that others like to (RFC 4918, section 9.1).
    func collection(at request: HTTPRequest) async throws(DriveError) -> DAVCollection? {
        var request = request
        // lighttpd wants to know what the body is.
        request.fields = [HTTPField("Depth", "1"), HTTPField("Content-Type", "application/xml; charset=utf-8")]
        request.body = Self.question[...]
        let answer = try await exchange.answer(to: request, limit: Self.longestListing)
        switch answer.status {
        case 207: break
        case 404, 410: return nil
        default:
            if let other = try await otherThanCollection(request, answer.status) { return other }
            throw refusal(answer, Self.lookAction, request.subject)
        }
        let resources: [DAVResource]
        do throws(MultiStatusParser.Flaw) {
            resources = try MultiStatusParser.resources(answer.body)
        } catch {
            throw HTTPStatus.somethingElse(error.text, exchange.origin, subject: request.subject)
        }
        guard let found = DAVCollection(at: DAVResource.path(ofHref: request.path) ?? [], resources) else {
            throw HTTPStatus.somethingElse(
                "it tells of another place than it was asked for", exchange.origin, subject: request.subject)
        }
        return found
    }

    /// What has the path without the slash at its end where that is no collection: Apache answers 400 with the slash,
    /// lighttpd 403.
    private func otherThanCollection(_ request: HTTPRequest, _ status: Int) async throws(DriveError) -> DAVCollection? {
        guard Self.mayMeanCollection(status), request.path.hasSuffix("/"), request.path != "/" else { return nil }
        var request = request
        request.path.removeLast()
        let found = try await collection(at: request)
        return found?.isCollection == false ? found : nil
    }

    private static let question = Array(
        """
        <?xml version="1.0" encoding="utf-8"?>
        <D:propfind xmlns:D="DAV:"><D:prop><D:resourcetype/><D:getcontentlength/></D:prop></D:propfind>
        """.utf8)
}
