import DriveCore
import Glibc
import NIOSSL

/// Whose certificates are believed.
enum HTTPTrust {
    /// The system's authorities, and those in the file. Hosts and chains are always verified. Throws `usage` where the file holds
    /// none; one that cannot be read is, where a drive has been there, on a disk that is away: `unreachable`.
    static func configuration(
        authorities path: String?, isKnown: Bool = false
    ) throws(DriveError) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        guard let path else { return configuration }
        guard access(path, R_OK) == 0 else {
            let reason = String(cString: strerror(errno)).lowercased()
            throw DriveError(
                isKnown ? .unreachable : .usage,
                "the file of `ca=` cannot be read (\(reason)); mount its disk, or correct the path", path: path)
        }
        let certificates: [NIOSSLCertificate]
        do {
            certificates = try NIOSSLCertificate.fromPEMFile(path)
        } catch {
            throw DriveError(.usage, "the file of `ca=` holds no certificates in PEM form; correct it", path: path)
        }
        guard !certificates.isEmpty else {
            throw DriveError(.usage, "the file of `ca=` holds no certificate in PEM form; correct it", path: path)
        }
        configuration.additionalTrustRoots = [.certificates(certificates)]
        return configuration
    }
}
