import DriveCore
import Synchronization

/// The keys that requests are signed with.
///
/// In this order: what the drive keeps; the profile that the URL names; the variables; the profile that AWS_PROFILE
/// names, or the default one. They are read when first wanted, and again after a store refused them, because keys that
/// hold for an hour are renewed in their file.
final class S3Keys: Sendable {
    private let fixed: StoreCredentials?
    private let profile: String?
    private let environment: [String: String]
    private let place: String
    private let known = Mutex(Known())

    private struct Known {
        var keys: StoreCredentials?
        /// Those that were used last.
        var last: StoreCredentials?
    }

    init(_ url: StoreURL, _ options: RemoteStoreOptions) {
        fixed = options.credentials
        profile = url.options["profile"]
        environment = options.environment
        place = url.text
    }

    func current() throws(DriveError) -> StoreCredentials {
        if let keys = known.withLock({ $0.keys }) { return keys }
        let keys: StoreCredentials
        if let fixed { keys = fixed } else { keys = try read() }
        try check(keys)
        known.withLock { $0 = Known(keys: keys, last: keys) }
        return keys
    }

    func forget() { known.withLock { $0.keys = nil } }

    /// As of `SigningStore.renewLogin`.
    func renew() -> Bool {
        guard fixed == nil, let last = known.withLock({ $0.last }), let found = try? read(), found != last else {
            return false
        }
        forget()
        return true
    }

    private func read() throws(DriveError) -> StoreCredentials {
        let found = S3Profile(profile, environment)
        let keys = profile == nil ? found.variableKeys ?? found.profileKeys : found.profileKeys
        if let keys { return keys }
        if found.isForOthers {
            throw DriveError(
                .notAuthenticated,
                "the profile `\(found.name)` gets its keys through a login or a program; hand them over by "
                    + "`eval \"$(aws configure export-credentials --profile \(found.name) --format env)\"`", path: place
            )
        }
        let missing =
            found.isNamed
            ? "the profile `\(found.name)` has no keys in \(found.credentialsFile); add aws_access_key_id and "
                + "aws_secret_access_key there, or name another by `profile=`"
            : "there are no keys for this store; `docdrive store login` keeps them for a drive, or set AWS_ACCESS_KEY_ID "
                + "and AWS_SECRET_ACCESS_KEY, or write a profile into \(found.credentialsFile)"
        throw DriveError(.notAuthenticated, missing, path: place)
    }

    /// What cannot be in a field of a request would be an error that nobody understands.
    private func check(_ keys: StoreCredentials) throws(DriveError) {
        let texts = [keys.user, keys.secret.text, keys.token?.text ?? ""]
        guard texts.allSatisfy({ $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } }) else {
            throw DriveError(
                .notAuthenticated, "the keys of this store have characters in them that no key has; correct them",
                path: place)
        }
    }
}
