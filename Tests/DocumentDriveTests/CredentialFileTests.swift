import DriveCore
import DriveTransport
import Foundation
import Testing

@testable import DocumentDrive

@Suite struct CredentialFileTests {
    private func drive() throws -> (FolderPath, () -> Void) {
        let path = NSTemporaryDirectory() + "docdrive-credentials-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: "\(path)/.docdrive", withIntermediateDirectories: true)
        return (FolderPath(Array(path.utf8)), { try? FileManager.default.removeItem(atPath: path) })
    }

    @Test func whatIsKeptComesBackAndIsTheOwnersAlone() throws {
        let (drive, remove) = try drive()
        defer { remove() }
        #expect(try CredentialFile.load(from: drive) == nil)
        for token in [nil, Secret("t\"1\\")] {
            let credentials = StoreCredentials(user: "ada \"x\"", secret: Secret("p'ä\\ \u{1F41D}"), token: token)
            try CredentialFile.save(credentials, in: drive)
            #expect(try CredentialFile.load(from: drive) == credentials)
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(drive)/.docdrive/credentials")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test(arguments: ["user = \"ada\"\n", "secret = canary\n", "user = \"ada\"\nsecret = 5\n", "canary"])
    func whatCannotBeReadIsNamedAndNotRepeated(_ text: String) throws {
        let (drive, remove) = try drive()
        defer { remove() }
        try text.write(toFile: "\(drive)/.docdrive/credentials", atomically: true, encoding: .utf8)
        let error = #expect(throws: DriveError.self) { try CredentialFile.load(from: drive) }
        #expect(error?.kind == .needsDecision && error?.description.contains("store login") == true)
        #expect(error?.description.contains("canary") == false)
    }

    @Test func settingsKeepAddressAndRate() throws {
        var settings = DriveSettings(store: try StoreAddress(Array("s3://b/p?region=x".utf8)), deviceName: "laptop")
        settings.bandwidth = BandwidthRates(up: 2_097_152, down: nil)
        #expect(try DriveSettings(parsing: settings.written()) == settings)
        #expect(throws: DriveError.self) { try DriveSettings(parsing: Array("bwlimit = \"x\"\n".utf8)) }
    }
}

@Suite struct StoreCautionTests {
    @Test(arguments: [
        ("webdav://nas/x", true), ("webdavs://nas/x", false), ("webdav://127.0.0.1:80/x", false),
        ("webdav://localhost/x", false), ("webdav://[::1]/x", false), ("s3://b?endpoint=http://nas:9000", true),
        ("s3://b?endpoint=https://nas:9000", false), ("s3://b?endpoint=http://127.0.0.1:9000", false),
        ("s3://b", false),
        ("sftp://nas/x", false), ("/mnt/nas", false),
    ])
    func whatTravelsInTheClearIsSaid(_ address: String, _ isSaid: Bool) throws {
        #expect((try StoreAddress(Array(address.utf8)).caution != nil) == isSaid)
    }
}
