public import DriveCore
import Glibc

/// How a drive's device signs in to the store; kept in `.docdrive/credentials`, which only its owner may read.
public struct StoreLogin {
    private let drive: FolderPath
    public let url: StoreURL

    /// Throws `usage` where the drive has no store, and where its store wants no credentials of its own.
    public init(drive: FolderPath) throws(DriveError) {
        self.drive = drive
        guard let store = try DriveSettings.load(from: drive).store else {
            throw DriveError(
                .usage,
                "the drive has no store yet; `docdrive sync --to URL` connects it, and asks for the password at a terminal; "
                    + "without one, give it in DOCDRIVE_STORE_PASSWORD or in ~/.netrc, or for S3 in AWS_ACCESS_KEY_ID and "
                    + "AWS_SECRET_ACCESS_KEY or the shared credentials file", path: drive.description)
        }
        guard case .remote(let url) = store, url.takesCredentials else {
            throw DriveError(
                .usage,
                "the store of this drive wants no password: folders have none, and SFTP uses the keys that ssh uses",
                path: drive.description)
        }
        self.url = url
    }

    /// Keeps them if the store accepts them. Whoever watches the drive tries again with them.
    public func save(_ credentials: StoreCredentials) async throws {
        let access = try StoreAccess(.remote(url), StoreAccess.Means(credentials: credentials))
        _ = try await access.location.look()
        try CredentialFile.save(credentials, in: drive)
        await tellWatch()
    }

    /// Removes what is kept. False where nothing was. Whoever watches the drive signs in with it no more.
    public func forget() async throws(DriveError) -> Bool {
        let path = CredentialFile.path(in: drive)
        if path.withPointer({ unlink($0) }) == 0 {
            await tellWatch()
            return true
        }
        guard errno == ENOENT else { throw SmallFile.failure("remove", path) }
        return false
    }

    /// A watch of another version does not know how; it takes the change up with its next try.
    private func tellWatch() async { try? await DriveClient(drive)?.tryAgain() }
}

extension StoreURL {
    /// Whether somebody may give a name and a secret for it.
    public var takesCredentials: Bool { scheme != .sftp }
}
