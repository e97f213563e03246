import DriveCore
import Foundation
import Synchronization

/// Name and password as Basic authentication has them (RFC 7617). They are sent with every request: waiting to be asked
/// would send every upload twice.
struct WebDAVLogin: Hashable, Sendable {
    private let field: HTTPField
    private let password: String

    /// Those of the drive, else DOCDRIVE_STORE_PASSWORD for the user in the URL, else what ~/.netrc has for the host; nil
    /// where there are none.
    static func of(_ url: StoreURL, _ options: RemoteStoreOptions) throws(DriveError) -> WebDAVLogin? {
        guard let credentials = options.credentials ?? environment(url, options) ?? netrc(url, options) else {
            return nil
        }
        guard !credentials.user.contains(":") else {
            throw DriveError(.usage, "a user's name cannot have a colon in WebDAV; correct it", path: url.text)
        }
        return WebDAVLogin(credentials)
    }

    private init(_ credentials: StoreCredentials) {
        password = credentials.secret.text
        let word = Data("\(credentials.user):\(password)".utf8).base64EncodedString()
        field = HTTPField("Authorization", "Basic \(word)")
    }

    func signed(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        request.fields.append(field)
        request.secrets.append(password)
        return request
    }

    private static func environment(_ url: StoreURL, _ options: RemoteStoreOptions) -> StoreCredentials? {
        guard let user = url.user, let password = options.environment["DOCDRIVE_STORE_PASSWORD"] else { return nil }
        return StoreCredentials(user: user, secret: Secret(password))
    }

    private static func netrc(_ url: StoreURL, _ options: RemoteStoreOptions) -> StoreCredentials? {
        guard let home = options.environment["HOME"],
            let text = try? String(contentsOfFile: "\(home)/.netrc", encoding: .utf8)
        else { return nil }
        return Netrc(text).credentials(host: url.host, user: url.user)
    }
}

/// The login of a store, for as long as it is open.
final class WebDAVLogins: Sendable {
    private let read: @Sendable () throws(DriveError) -> WebDAVLogin?
    private let known: Mutex<WebDAVLogin?>

    /// Throws what `WebDAVLogin.of` throws.
    init(_ url: StoreURL, _ options: RemoteStoreOptions) throws(DriveError) {
        read = { () throws(DriveError) in try WebDAVLogin.of(url, options) }
        known = Mutex(try WebDAVLogin.of(url, options))
    }

    /// Nil where there is none.
    var current: WebDAVLogin? { known.withLock { $0 } }

    /// As of `SigningStore.renewLogin`. Who is known by a name stays so until there is another.
    func renew() -> Bool {
        guard let found = try? read() else { return false }
        return known.withLock { known in
            defer { known = found }
            return known != found
        }
    }
}
