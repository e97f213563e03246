import AsyncHTTPClient
import DriveCore
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// The one place where errors of the network become ours.
enum HTTPFailure {
    /// `proxy` is the variable that names one.
    static func error(_ error: any Error, _ origin: HTTPOrigin, proxy: String, subject: String) -> DriveError {
        switch error {
        case let error as DriveError: error
        case is CancellationError: stopped(subject)
        case let error as ProgressWatch.Stalled:
            unreachable("\(origin) did not go on for \(Int(error.seconds)) seconds", subject)
        case let error as HTTPClientError: client(error, origin, proxy, subject)
        case let error as NIOConnectionError: connection(error, origin, proxy, subject)
        case let error as NIOSSLError: tls(error, origin, subject)
        case is NIOSSLExtraError:
            unreachable(
                "the certificate of \(origin) is for another name; use the name that it was made for", subject)
        case let error as IOError: broken(error.errnoCode, origin, subject)
        case is ChannelError, is NIOSSLCloseTimedOutError: cut(origin, subject)
        case is HTTPParserError:
            HTTPStatus.somethingElse("the answer is not HTTP, or was cut", origin, subject: subject)
        default: unreachable("\(origin): \(Excerpt.short(String(describing: type(of: error))))", subject)
        }
    }

    static func stopped(_ subject: String) -> DriveError {
        DriveError(.temporary, "the transfer was stopped", path: subject)
    }

    /// Whether the connection may have been closed before the server took the request: then once more is due.
    static func isCut(_ error: any Error) -> Bool {
        switch error {
        case let error as HTTPClientError: error == .remoteConnectionClosed || error == .uncleanShutdown
        case let error as IOError: error.errnoCode == ECONNRESET || error.errnoCode == EPIPE
        case let error as ChannelError: error == .ioOnClosedChannel || error == .eof || error == .alreadyClosed
        case let error as NIOSSLError: error == .uncleanShutdown
        default: false
        }
    }

    private static func unreachable(_ message: String, _ subject: String) -> DriveError {
        DriveError(.unreachable, message, path: subject)
    }

    private static func cut(_ origin: HTTPOrigin, _ subject: String) -> DriveError {
        unreachable("\(origin) cut the connection; if it stays so, look into the server's log", subject)
    }

    private static func client(
        _ error: HTTPClientError, _ origin: HTTPOrigin, _ proxy: String, _ subject: String
    ) -> DriveError {
        switch error {
        case .cancelled, .requestStreamCancelled: stopped(subject)
        case .connectTimeout, .tlsHandshakeTimeout, .socksHandshakeTimeout, .httpProxyHandshakeTimeout:
            unreachable(
                "\(origin) did not answer in time; is it running, and does a firewall let you through?", subject)
        case .remoteConnectionClosed, .uncleanShutdown:
            cut(origin, subject)
        case .proxyAuthenticationRequired:
            DriveError(
                .notAuthenticated, "the proxy wants a login; write it into its URL in \(proxy)",
                path: subject)
        case .invalidProxyResponse:
            unreachable(
                "the proxy gives no tunnel to \(origin.host) port \(origin.port); allow CONNECT to it there, or leave the host "
                    + "out with NO_PROXY (the proxy stands in \(proxy))", subject)
        case .readTimeout, .writeTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout:
            unreachable("\(origin) did not go on", subject)
        default: unreachable("\(origin): \(error.shortDescription)", subject)
        }
    }

    private static func connection(
        _ error: NIOConnectionError, _ origin: HTTPOrigin, _ proxyVariable: String, _ subject: String
    ) -> DriveError {
        // Where a proxy is in use this is the proxy, which was set long ago.
        let isProxy = error.host.lowercased() != origin.host || error.port != Int(origin.port)
        let proxy = isProxy ? " (the proxy in \(proxyVariable))" : ""
        let place = "\(error.host):\(error.port)\(proxy)"
        if error.connectionErrors.isEmpty {
            return unreachable(
                "the name \(error.host)\(proxy) cannot be resolved; check it, and whether you are online", subject)
        }
        let codes = error.connectionErrors.compactMap { ($0.error as? IOError)?.errnoCode }
        if codes.isEmpty {
            return unreachable("\(place) did not answer in time; does a firewall let you through?", subject)
        }
        let reason = codes.contains(ECONNREFUSED) ? ECONNREFUSED : codes[0]
        return unreachable("cannot connect to \(place): \(text(reason)); \(remedy(reason))", subject)
    }

    /// Of an address that is not looked up, a connection that cannot be made comes as this, too.
    private static func broken(_ reason: CInt, _ origin: HTTPOrigin, _ subject: String) -> DriveError {
        // Nothing that was sent has arrived for a while.
        if reason == ETIMEDOUT { return unreachable("\(origin) did not go on", subject) }
        guard [ECONNREFUSED, ENETUNREACH, EHOSTUNREACH].contains(reason) else {
            return unreachable("\(origin): \(text(reason))", subject)
        }
        return unreachable("cannot connect to \(origin): \(text(reason)); \(remedy(reason))", subject)
    }

    private static func remedy(_ reason: CInt) -> String {
        reason == ECONNREFUSED
            ? "is the server running, and is the port right?" : "are you online, and is the address right?"
    }

    private static func tls(_ error: NIOSSLError, _ origin: HTTPOrigin, _ subject: String) -> DriveError {
        guard case .handshakeFailed(let failure) = error else {
            return error == .unableToValidateCertificate
                ? untrusted(origin, subject) : cut(origin, subject)
        }
        let text = String(describing: failure)
        if text.contains("CERTIFICATE_VERIFY_FAILED") { return untrusted(origin, subject) }
        if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") {
            return unreachable("\(origin) does not speak TLS at this port; check the scheme and the port", subject)
        }
        if text.contains("ALERT") || text.contains("PROTOCOL_VERSION") {
            return unreachable("\(origin) refused the TLS connection; it may want TLS older than 1.2", subject)
        }
        return unreachable("\(origin) broke off while the TLS connection was made", subject)
    }

    private static func untrusted(_ origin: HTTPOrigin, _ subject: String) -> DriveError {
        unreachable(
            "the certificate of \(origin) is not trusted: nobody known here vouches for it, or it has run out; if it is "
                + "your own server's, name its authority with `ca=FILE` in the store's URL", subject)
    }

    private static func text(_ number: CInt) -> String { String(cString: strerror(number)).lowercased() }
}
