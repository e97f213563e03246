import DriveCore
import NIOSSL

/// Whose certificates are believed.
enum HTTPTrust {
    /// The system's authorities, and those in the file. Hosts and chains are always verified.
    static func configuration(authorities path: String?) throws(DriveError) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        guard let path else { return configuration }
        let certificates: [NIOSSLCertificate]
        do {
            certificates = try NIOSSLCertificate.fromPEMFile(path)
        } catch {
            throw DriveError(
                .usage, "the file of `ca=` cannot be read, or holds no certificates in PEM form; correct it", path: path
            )
        }
        guard !certificates.isEmpty else {
            throw DriveError(.usage, "the file of `ca=` holds no certificate in PEM form; correct it", path: path)
        }
        configuration.additionalTrustRoots = [.certificates(certificates)]
        return configuration
    }
}
