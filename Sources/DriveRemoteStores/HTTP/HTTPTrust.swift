import DriveCore
import Glibc
import NIOSSL

/// A file with certificates of authorities.
struct AuthorityFile: Sendable {
    let path: String
    /// What names the file, for messages.
    let source: String

    init(_ path: String, of source: String = "`ca=`") { (self.path, self.source) = (path, source) }
}

/// Whose certificates are believed.
enum HTTPTrust {
    /// The system's authorities, and those in the file. Hosts and chains are always verified. Throws `usage` where the file holds
    /// none; one that cannot be read is, where a drive has been there, on a disk that is away: `unreachable`.
    static func configuration(
        authorities file: AuthorityFile?, isKnown: Bool = false
    ) throws(DriveError) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        guard let file else { return configuration }
        let (path, name) = (file.path, "the file of \(file.source)")
        guard access(path, R_OK) == 0 else {
            let reason = String(cString: strerror(errno)).lowercased()
            throw DriveError(
                isKnown ? .unreachable : .usage,
                "\(name) cannot be read (\(reason)); mount its disk, or correct the path", path: path)
        }
        let certificates: [NIOSSLCertificate]
        do {
            certificates = try NIOSSLCertificate.fromPEMFile(path)
        } catch {
            throw DriveError(.usage, "\(name) holds no certificates in PEM form; correct it", path: path)
        }
        guard !certificates.isEmpty else {
            throw DriveError(.usage, "\(name) holds no certificate in PEM form; correct it", path: path)
        }
        configuration.additionalTrustRoots = [.certificates(certificates)]
        return configuration
    }
}
