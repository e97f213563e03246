import AsyncHTTPClient
import DriveCore
import NIOCore
import NIOSSL

/// Requests to one origin, over connections that are kept.
///
/// One attempt per call, whatever the answer; only where a kept connection had been closed before the server took the
/// request it is sent once more. Redirections are followed within the origin (RFC 9110, section 15.4), so no credential
/// ever leaves it; one that only adds a slash is one within it, whomever it names.
final class HTTPExchange: Sendable {
    let origin: HTTPOrigin
    /// Adds what proves who asks. Called anew for each time that a request is sent, so that dates are fresh.
    let sign: @Sendable (HTTPRequest) throws(DriveError) -> HTTPRequest
    let client: HTTPClient
    let pace: TransferPace
    let progressSeconds: Double
    /// For messages: where the proxy stands, if there is one.
    private let proxyVariable: String
    /// Whether a redirection says more than where to go: then it is the answer.
    private let isTelling: @Sendable (HTTPAnswer) -> Bool
    /// A drive has been there.
    private let isKnown: Bool

    static let userAgent = "docdrive/1"
    private static let mostRedirections = 3

    /// Connects to nothing yet. Throws `usage` where the file of authorities or the proxy's URL is unusable, and as `HTTPTrust`
    /// does where that file is not there.
    init(
        _ origin: HTTPOrigin, _ options: RemoteStoreOptions, authorities: AuthorityFile? = nil,
        sign: @escaping @Sendable (HTTPRequest) throws(DriveError) -> HTTPRequest = { $0 },
        isTelling: @escaping @Sendable (HTTPAnswer) -> Bool = { _ in false }
    ) throws(DriveError) {
        self.origin = origin
        self.sign = sign
        self.isTelling = isTelling
        isKnown = options.isKnown
        pace = options.pace
        progressSeconds = options.progressSeconds
        proxyVariable = HTTPProxy.variable(origin, options.environment)
        client = HTTPClient(
            eventLoopGroupProvider: .shared(HTTPClient.defaultEventLoopGroup),
            configuration: try Self.configuration(
                origin, options, authorities ?? options.authorities.map { AuthorityFile($0) }))
    }

    deinit {
        // Holds the client until its connections are closed.
        client.shutdown { [client] _ in _ = client }
    }

    /// The answer with its whole body. A body of a success that is longer than `limit` is an error, and never held.
    func answer(to request: HTTPRequest, limit: Int) async throws(DriveError) -> HTTPAnswer {
        var request = request
        for _ in 0...Self.mostRedirections {
            let answer = try await sendOnceMore(request, limit: limit)
            guard [301, 302, 307, 308].contains(answer.status), let place = answer["Location"], !isTelling(answer)
            else { return answer }
            try redirect(&request, to: place, answer)
        }
        throw HTTPStatus.somethingElse("it redirects again and again", origin, subject: request.subject)
    }

    private func redirect(_ request: inout HTTPRequest, to place: String, _ answer: HTTPAnswer) throws(DriveError) {
        var target = place
        if let (other, rest) = HTTPOrigin.parse(place) {
            guard other == origin || Self.onlyEndsInASlash(rest, request) else { throw sentOn(to: other, request) }
            target = rest.isEmpty ? "/" : rest
        }
        target = String(target.prefix { $0 != "#" })
        let isPossible = target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard target.hasPrefix("/"), !target.hasPrefix("//"), isPossible else {
            throw HTTPStatus.somethingElse(
                "it redirects to \(answer.printable(place))", origin, subject: request.subject)
        }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        request.path = String(parts[0])
        request.query = parts.count > 1 ? String(parts[1]) : ""
    }

    /// A store that was there before has seldom moved, and networks that want a login do so.
    private func sentOn(to other: HTTPOrigin, _ request: HTTPRequest) -> DriveError {
        let remedy =
            isKnown
            ? "does this network want a login first? Open any page in a browser; if the store has moved there, use that address"
            : "if that is right, use that address; or does this network want a login first?"
        return DriveError(
            .unreachable, "\(origin) sends us on to \(other), where your credentials do not go; \(remedy)",
            path: request.subject)
    }

    /// It tells of the very place that was asked for, a collection. Who stands behind a proxy names it by the name and the port that it
    /// knows of itself, as nginx does; what is asked next is the same origin as before.
    private static func onlyEndsInASlash(_ rest: String, _ request: HTTPRequest) -> Bool {
        rest.prefix { $0 != "?" && $0 != "#" }.elementsEqual("\(request.path)/")
    }

    private func sendOnceMore(_ request: HTTPRequest, limit: Int) async throws(DriveError) -> HTTPAnswer {
        for isLast in [false, true] {
            // Who refuses what is large by its header alone may close while it is written to, and the answer is lost: the second
            // time it is listened to before anything is written.
            let transfer = HTTPTransfer(self, try sign(request), limit: limit, hesitates: isLast)
            do {
                return try await transfer.run()
            } catch {
                if Task.isCancelled { throw HTTPFailure.stopped(request.subject) }
                if !isLast, HTTPFailure.isCut(error), !transfer.isTaken || request.isLargePut { continue }
                throw HTTPFailure.error(error, origin, proxy: proxyVariable, subject: request.subject)
            }
        }
        throw HTTPFailure.stopped(request.subject)
    }
}

extension HTTPExchange {
    /// TCP_NOTSENT_LOWAT and TCP_USER_TIMEOUT (tcp(7)), which no header of NIO names.
    private static let notSentLowWater = NIOBSDSocket.Option(rawValue: 25)
    private static let userTimeout = NIOBSDSocket.Option(rawValue: 18)
    /// So many bytes of an upload the kernel takes before it has sent them.
    static let lowWater = 128 << 10

    private static func configuration(
        _ origin: HTTPOrigin, _ options: RemoteStoreOptions, _ authorities: AuthorityFile?
    ) throws(DriveError) -> HTTPClient.Configuration {
        var pool = HTTPClient.Configuration.ConnectionPool(
            // Waiting for a connection would look like no progress; the store's users bound what is under way.
            idleTimeout: .seconds(55), concurrentHTTP1ConnectionsPerHostSoftLimit: 128)
        pool.retryConnectionEstablishment = false
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: try HTTPTrust.configuration(authorities: authorities, isKnown: options.isKnown),
            redirectConfiguration: .disallow,
            timeout: .init(connect: .nanoseconds(Int64(options.connectSeconds * 1e9))), connectionPool: pool,
            proxy: try HTTPProxy.forOrigin(origin, options.environment), decompression: .disabled)
        configuration.httpVersion = .http1Only
        // Who reads slowly may open its window once in more than a span, which counts as silence there.
        let (water, timeout) = (SocketOptionValue(lowWater), SocketOptionValue(options.progressSeconds * 3000))
        // The kernel would take megabytes of an upload at once, and hide for minutes whether the rest goes on. Whether what it has
        // taken does, it alone knows.
        configuration.http1_1ConnectionDebugInitializer = { channel in
            channel.setOption(ChannelOptions.tcpOption(notSentLowWater), value: water)
                .flatMap { channel.setOption(ChannelOptions.tcpOption(userTimeout), value: timeout) }
                .flatMapError { _ in channel.eventLoop.makeSucceededVoidFuture() }
                .flatMap { CertificateName.check(channel, origin) }
        }
        return configuration
    }
}
