import DocumentDrive
import DriveCore
import Testing

/// What people type as the place of a store.
struct StoreAddressTests {
    @Test(arguments: [
        ("ada@nas:drive", "sftp://ada@nas/~/drive"), ("nas:/srv/store", "sftp://nas/srv/store"),
        ("sftp:nas", "sftp://nas"), ("S3:bucket/x", "s3://bucket/x"), ("webdavs:cloud", "webdavs://cloud"),
        ("file:x", "file://x"), ("nas:", "sftp://nas/~/"),
    ])
    func whatLooksLikeAnotherMachineIsNoFolder(_ text: String, _ url: String) {
        let error = #expect(throws: DriveError.self) { try StoreAddress(Array(text.utf8)) }
        #expect(error?.kind == .usage && error?.message.contains("`\(url)`") == true, "\(String(describing: error))")
    }

    @Test(arguments: ["./nas:drive", "/srv/a:b", "store", "a/b:c", "~/x:y"])
    func aColonBehindASlashIsAName(_ text: String) throws {
        #expect(try StoreAddress(Array(text.utf8)).folder != nil)
    }
}
