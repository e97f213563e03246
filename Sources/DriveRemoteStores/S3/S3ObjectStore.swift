public import DriveCore
import Foundation

/// A store in a bucket of Amazon S3 or of anything that speaks its API: `s3://BUCKET/PREFIX?endpoint=URL&region=R`.
///
/// An object is one object of the bucket, its name the prefix and the key. The bucket itself is never made here: it has
/// settings and costs that somebody must decide about.
public final class S3ObjectStore: RemoteStore, SigningStore {
    let address: S3Address
    let exchange: HTTPExchange
    private let keys: S3Keys
    private let isKnown: Bool

    /// Longer objects are put in parts.
    let partThreshold: Int
    let partSize: Int
    /// Longer than any object of a drive; see `HTTPExchange.answer(to:limit:)`.
    static let longestObject = 1 << 30
    /// A page of 1,000 keys of 1,024 bytes, each of them encoded, and the fields around them.
    static let longestPage = 8 << 20
    /// Any other answer.
    static let longestAnswer = 256 << 10

    /// Connects to nothing yet. Throws `usage` where the URL cannot be one of S3.
    public convenience init(_ url: StoreURL, _ options: RemoteStoreOptions) throws(DriveError) {
        // S3 User Guide, "Uploading and copying objects using multipart upload": parts have at least 5 MiB.
        try self.init(url, options, partThreshold: 64 << 20, partSize: 16 << 20)
    }

    init(
        _ url: StoreURL, _ options: RemoteStoreOptions, partThreshold: Int, partSize: Int
    ) throws(DriveError) {
        let address = try S3Address(url, region: S3Profile(url.options["profile"], options.environment).region)
        let keys = S3Keys(url, options)
        self.address = address
        self.keys = keys
        isKnown = options.isKnown
        self.partThreshold = partThreshold
        self.partSize = partSize
        let variable = "AWS_CA_BUNDLE"
        let authorities =
            (url.options["ca"] ?? options.authorities).map { AuthorityFile($0) }
            ?? options.environment[variable].map { AuthorityFile($0, of: variable) }
        exchange = try HTTPExchange(address.origin, options, authorities: authorities) { request throws(DriveError) in
            S3Signature(keys: try keys.current(), region: address.region)
                .sign(request, host: address.origin.authority, date: Int(Date().timeIntervalSince1970))
        } isTelling: { answer in
            S3Refusal(answer).region.map { $0 != address.region } ?? false
        }
    }

    package func renewLogin() -> Bool { keys.renew() }

    public var capabilities: StoreCapabilities { StoreCapabilities(concurrentRequests: 8) }

    public func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        let key = try StoreKey(key).text
        var request = HTTPRequest("GET", address.path(of: key), subject: name(of: key))
        if let range {
            guard !range.isEmpty else { return try await has(key) ? [] : nil }
            // Servers count in 63 bits.
            let start = min(range.lowerBound, UInt64(Int64.max) - 1)
            request.range = start..<min(range.upperBound, UInt64(Int64.max))
        }
        let answer = try await answer(to: request, limit: Self.longestObject)
        // The range lies behind the end (RFC 9110, section 15.5.17).
        if answer.status == 416, range != nil { return [] }
        if S3Refusal.isNoObject(answer) { return nil }
        try check(answer, "read the object", subject: name(of: key))
        try checkObject(answer, subject: name(of: key))
        return answer.body
    }

    private func has(_ key: ObjectKey) async throws(DriveError) -> Bool {
        let request = HTTPRequest("HEAD", address.path(of: key), subject: name(of: key))
        let answer = try await answer(to: request, limit: Self.longestAnswer)
        if S3Refusal.isNoObject(answer) { return false }
        try check(answer, "look for the object", subject: name(of: key))
        try checkObject(answer, subject: name(of: key))
        return true
    }

    public func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) {
        let key = try StoreKey(key).text
        if bytes.count > partThreshold { return try await putInParts(key, bytes) }
        var request = HTTPRequest("PUT", address.path(of: key), body: bytes[...], subject: name(of: key))
        request.fields = [HTTPField("Content-Type", "application/octet-stream")]
        let answer = try await answer(to: request, limit: Self.longestAnswer)
        try check(answer, HTTPStatus.putAction, subject: name(of: key))
        try checkObject(answer, subject: name(of: key))
    }

    public func delete(_ key: ObjectKey) async throws(DriveError) {
        let key = try StoreKey(key).text
        let request = HTTPRequest("DELETE", address.path(of: key), subject: name(of: key))
        let answer = try await answer(to: request, limit: Self.longestAnswer)
        if S3Refusal.isNoObject(answer) { return }
        try check(answer, HTTPStatus.removeAction, subject: name(of: key))
    }
}

extension S3ObjectStore {
    func answer(to request: HTTPRequest, limit: Int) async throws(DriveError) -> HTTPAnswer {
        try await exchange.answer(to: request, limit: limit)
    }

    /// Throws what a refusal means, and where a page for people is in the place of an answer.
    func check(_ answer: HTTPAnswer, _ action: String, subject: String) throws(DriveError) {
        guard answer.isSuccess else {
            let refusal = S3Refusal(answer)
            let isNoRemoval = action == HTTPStatus.removeAction && HTTPStatus.removesNothing(answer.status)
            // As of a server that is not up yet.
            if isKnown, refusal.code == nil, [501, 505].contains(answer.status), !isNoRemoval {
                throw somethingElse("it answered \(answer.status)", subject: subject)
            }
            var error = refusal.error(answer, action, address, subject: subject)
            // The address was right: another server may have answered, or the bucket is on its way.
            if isKnown, error.kind == .usage { error.kind = .unreachable }
            if error.kind == .notAuthenticated { keys.forget() }
            throw error
        }
        if answer.isPage { throw somethingElse("a page", subject: subject) }
    }

    /// Every answer about an object has its tag (S3 API Reference, "Common response headers"); what has none was
    /// written by something that knows of no objects.
    func checkObject(_ answer: HTTPAnswer, subject: String) throws(DriveError) {
        if answer["ETag"] == nil { throw somethingElse("an answer that is not S3's", subject: subject) }
    }

    func somethingElse(_ what: String, subject: String) -> DriveError {
        HTTPStatus.somethingElse(what, address.origin, subject: subject)
    }
}
