import Testing

@testable import DriveRemoteStores

/// `WebDAVTrustTests` show certificates of real servers.
struct CertificateNameTests {
    @Test(arguments: [
        ("files.example", "files.example"), ("FILES.example", "Files.Example"), ("files.example.", "files.example"),
        ("a.files.example", "*.files.example"),
    ])
    func namesThatAreTheHost(_ host: String, _ name: String) { #expect(CertificateName.matches(host, name)) }

    @Test(arguments: [
        ("files.example", "other.example"), ("files.example", "*.files.example"),
        ("a.b.files.example", "*.files.example"),
        ("files.example", "*"), ("files.example", "*.*"), (".example", "*.example"), ("files.example", "f*.example"),
        ("files.example", ""), ("localhost", "127.0.0.1"), ("files.example", "files.example.other"),
    ])
    func namesThatAreAnother(_ host: String, _ name: String) { #expect(!CertificateName.matches(host, name)) }

    @Test func addressesAreNoNames() {
        for host in ["127.0.0.1", "::1", "2001:db8::5"] { #expect(CertificateName.isAddress(host)) }
        for host in ["localhost", "1.example", "example", "127.0.0.1.example"] {
            #expect(!CertificateName.isAddress(host))
        }
    }
}
