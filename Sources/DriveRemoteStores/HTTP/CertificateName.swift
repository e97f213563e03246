import NIOCore
import NIOSSL

/// Whether a certificate is for the host that was asked for.
///
/// NIOSSL asks that too, but takes one for the address that the connection came to, though a name was asked for: whoever
/// can make a name lead to an address of their own could then show a certificate of that address, which everybody can get.
enum CertificateName {
    /// Fails where the server at the other end has no certificate for the origin's name.
    static func check(_ channel: any Channel, _ origin: HTTPOrigin) -> EventLoopFuture<Void> {
        guard origin.scheme == .https, !isAddress(origin.host) else {
            return channel.eventLoop.makeSucceededVoidFuture()
        }
        return channel.nioSSL_peerCertificate().flatMapThrowing { certificate in
            guard let certificate, isFor(origin.host, certificate) else {
                channel.close(promise: nil)
                throw NIOSSLExtraError.failedToValidateHostname
            }
        }
    }

    private static func isFor(_ host: String, _ certificate: NIOSSLCertificate) -> Bool {
        let names = certificate._subjectAlternativeNames()
        // Without any, NIOSSL has compared the common name.
        return names.isEmpty
            || names.contains { name in
                name.nameType == .dnsName
                    && matches(host, name.contents.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
            }
    }

    /// RFC 9525, section 6.3: the same but for case, or with `*` for the whole first label.
    static func matches(_ host: String, _ name: String) -> Bool {
        var host = host.lowercased()[...]
        let name = name.lowercased()
        if host.hasSuffix(".") { host = host.dropLast() }
        if host == name { return true }
        guard name.hasPrefix("*."), let dot = host.firstIndex(of: "."), dot != host.startIndex else { return false }
        return host[dot...] == name.dropFirst()
    }

    static func isAddress(_ host: String) -> Bool { (try? SocketAddress(ipAddress: host, port: 0)) != nil }
}
