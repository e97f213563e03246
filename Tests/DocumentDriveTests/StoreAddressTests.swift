import DriveCore
import Testing

@testable import DocumentDrive

/// What people type as the place of a store.
struct StoreAddressTests {
    @Test(arguments: [
        ("ada@nas:drive", "sftp://ada@nas/~/drive"), ("nas:/srv/store", "sftp://nas/srv/store"),
        ("sftp:nas", "sftp://nas"), ("S3:bucket/x", "s3://bucket/x"), ("webdavs:cloud", "webdavs://cloud"),
        ("file:x", "file://x"), ("nas:", "sftp://nas/~/"),
        ("webdav:/cloud/x", "webdav://cloud/x"), ("file:/x", "file:///x"),
    ])
    func whatLooksLikeAnotherMachineIsNoFolder(_ text: String, _ url: String) {
        let error = #expect(throws: DriveError.self) { try StoreAddress(Array(text.utf8)) }
        #expect(error?.kind == .usage && error?.message.contains("`\(url)`") == true, "\(String(describing: error))")
    }

    @Test(arguments: [
        ("u:hunter2@host:/x", "u:...@host:/x"), ("webdavs:/u:hunter2@h/x", "webdavs:u:...@h/x"),
        ("sftp:u:hunter2@h/x", "sftp:u:...@h/x"), ("u:hun@ter2@host:x", "u:...@host:x"),
    ])
    func aPasswordIsNotRepeated(_ text: String, _ shown: String) {
        let error = #expect(throws: DriveError.self) { try StoreAddress(Array(text.utf8)) }
        #expect(error?.kind == .usage && error?.path == shown, "\(String(describing: error))")
        #expect(error?.message.contains("no place for a password") == true)
    }

    /// A service that starts at login works elsewhere than whoever connected the drive.
    @Test func aCertificateIsFoundFromEverywhere() throws {
        let given = try StoreAddress(Array("webdavs://nas/store?ca=own/ca.pem".utf8))
        guard case .remote(let url) = given.resolved else {
            Issue.record("it is a URL: \(given.resolved)")
            return
        }
        #expect(url.options["ca"] == FolderPath("own/ca.pem").description)
        #expect(StoreAddress.remote(url).resolved == .remote(url) && given.isSame(as: .remote(url)))
    }

    @Test(arguments: ["./nas:drive", "/srv/a:b", "store", "a/b:c", "~/x:y"])
    func aColonBehindASlashIsAName(_ text: String) throws {
        #expect(try StoreAddress(Array(text.utf8)).folder != nil)
    }
}
