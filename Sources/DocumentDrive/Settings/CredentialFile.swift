import DriveCore
import DriveFiles

/// What a drive's store knows this device by: `.docdrive/credentials`, readable by its owner alone.
enum CredentialFile {
    static let name: FileName = "credentials"

    static func path(in drive: FolderPath) -> FolderPath {
        drive.appending(DriveLayout.state).appending(name)
    }

    /// Nil where the drive keeps none: then they come from where users of this kind of store have theirs.
    static func load(from drive: FolderPath) throws(DriveError) -> StoreCredentials? {
        guard let bytes = try SmallFile.read(path(in: drive)) else { return nil }
        do throws(DriveError) {
            return try credentials(bytes)
        } catch {
            throw DriveError(error.kind, error.message, path: path(in: drive).description)
        }
    }

    static func save(_ credentials: StoreCredentials, in drive: FolderPath) throws(DriveError) {
        var lines = ["# DocumentDrive: how this device signs in to the store of this drive. Show it to nobody."]
        lines.append("user = \(SettingsText.quoted(credentials.user))")
        lines.append("secret = \(SettingsText.quoted(credentials.secret.text))")
        if let token = credentials.token { lines.append("token = \(SettingsText.quoted(token.text))") }
        try SmallFile.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: path(in: drive))
    }

    /// The messages name a line and what is wrong there, never what stands in it.
    private static func credentials(_ bytes: [UInt8]) throws(DriveError) -> StoreCredentials {
        guard let values = try? SettingsText(parsing: bytes).values, case .text(let user) = values["user"],
            case .text(let secret) = values["secret"]
        else {
            throw DriveError(
                .needsDecision,
                "the store's credentials cannot be read: `user` and `secret` are texts in quotes; sign in anew with "
                    + "`docdrive store login`")
        }
        var token: Secret?
        if case .text(let text) = values["token"] { token = Secret(text) }
        return StoreCredentials(user: user, secret: Secret(secret), token: token)
    }
}
