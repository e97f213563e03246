public import DriveCore
import Synchronization

/// A store in a collection of a WebDAV server (RFC 4918): each object is a resource, each `/` in a key a collection.
///
/// Objects are put directly under their names. Some servers keep what arrived of an upload that was cut, under that name:
/// readers verify, and the next upload replaces it. The store's collection itself is never made by `put`.
public final class WebDAVObjectStore: RemoteStore, SigningStore {
    public let url: StoreURL
    let exchange: HTTPExchange
    /// The path of the store's collection, encoded, with a slash at both ends.
    let root: String
    /// The URL without options, for messages.
    let place: String
    private let logins: WebDAVLogins
    let isKnown: Bool
    let memory = Mutex(Memory())
    let turns = CollectionTurns()

    /// More than this a server may answer and close without reading all of it.
    static let smallBody = 64 << 10
    static let longestObject = 1 << 30
    /// Some hundred thousand resources.
    static let longestListing = 64 << 20

    /// What is worth knowing about the server for a while.
    struct Memory: Sendable {
        /// Beginnings of keys, with their last slash, whose collections were there.
        var collections: Set<String> = []
        /// Those in which all collections are known.
        var searched: Set<String> = []
        var rest: ListRest?
    }

    /// Connects to nothing yet. Throws `usage` where the URL cannot be one of WebDAV.
    public init(_ url: StoreURL, _ options: RemoteStoreOptions) throws(DriveError) {
        guard url.scheme == .webdav || url.scheme == .webdavs else {
            throw DriveError(.usage, "this is no WebDAV URL; write webdavs://USER@HOST/PATH", path: url.text)
        }
        try url.checkOptions(["ca"])
        self.url = url
        root = Self.path(of: url.path)
        var plain = url
        plain.options = [:]
        place = plain.text
        let logins = try WebDAVLogins(url, options)
        self.logins = logins
        isKnown = options.isKnown
        exchange = try HTTPExchange(
            HTTPOrigin(url.scheme == .webdavs ? .https : .http, host: url.host, port: url.port), options,
            authorities: url.options["ca"].map { AuthorityFile($0) }
        ) { request throws(DriveError) in logins.current?.signed(request) ?? request }
    }

    var hasCredentials: Bool { logins.current != nil }

    package func renewLogin() -> Bool { logins.renew() }

    // Nextcloud's server gives each chunk of an upload a lock; more at once would mostly wait.
    public var capabilities: StoreCapabilities { StoreCapabilities(concurrentRequests: 4) }

    public func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        let key = try StoreKey(key).text
        var request = request("GET", key)
        // HTTP knows no empty range (RFC 9110, section 14.1.2), but whether there is an object is to be said.
        request.range = range.map { $0.isEmpty ? min($0.lowerBound, .max - 1)..<min($0.lowerBound, .max - 1) + 1 : $0 }
        let answer = try await exchange.answer(to: request, limit: Self.longestObject)
        switch answer.status {
        case 206 where range != nil, 200:
            // Some servers show a page where a collection is; others might show one anywhere.
            if answer.saysPage {
                guard try await isObject(key) else { return nil }
                throw HTTPStatus.somethingElse("it answers with a page", exchange.origin, subject: request.subject)
            }
            return range?.isEmpty == true ? [] : answer.body
        case 416 where range != nil: return []
        case 404, 410:
            try await checkPlace()
            return nil
        default:
            // A collection cannot be read, and servers say so in many ways.
            if Self.mayMeanCollection(answer.status), try await !isObject(key) { return nil }
            throw refusal(answer, "read the object", request.subject)
        }
    }

    public func delete(_ key: ObjectKey) async throws(DriveError) {
        let key = try StoreKey(key).text
        // Deleting a collection would remove all that is in it (RFC 4918, section 9.6.1), and Sabre and rclone heed no
        // header that forbids it.
        guard try await isObject(key) else { return }
        let request = request("DELETE", key)
        let answer = try await exchange.answer(to: request, limit: Self.longestListing)
        if Self.isRemoved(answer) { return }
        // For what is in a collection (RFC 4918, section 9.6.1); what it says of an object only a look tells.
        if answer.status == 207, try await !isObject(key) { return }
        throw refusal(answer, HTTPStatus.removeAction, request.subject)
    }
}

extension WebDAVObjectStore {
    /// A request about what a key, or the beginning of one, names.
    func request(_ method: String, _ key: String, _ body: ArraySlice<UInt8> = []) -> HTTPRequest {
        // Keys need no encoding.
        HTTPRequest(method, root + key, body: body, subject: key.isEmpty ? place : "\(place)/\(key)")
    }

    static func path(of path: String) -> String {
        path.isEmpty ? "/" : "/\(PercentEncoding.text(path.utf8))/"
    }

    /// RFC 9110, section 9.3.5; or it had gone before.
    static func isRemoved(_ answer: HTTPAnswer) -> Bool {
        answer.status == 200 && !answer.isPage || [202, 204, 404, 410].contains(answer.status)
    }

    /// Whether a refusal may come of a slash too many or too few.
    static func mayMeanCollection(_ status: Int) -> Bool {
        switch status {
        case 301, 302, 307, 308, 400, 403, 405, 409, 501: true
        default: false
        }
    }

    /// Whether there is a resource that is no collection.
    private func isObject(_ key: String) async throws(DriveError) -> Bool {
        try await collection(key).map { !$0.isCollection } ?? false
    }

    /// Throws where the store's own collection is gone: then nothing is said of what it held.
    func checkPlace() async throws(DriveError) {
        if try await collection("") == nil {
            throw DriveError(
                .unreachable, "the store's collection is not there; make it, or correct the address", path: place)
        }
    }
}
