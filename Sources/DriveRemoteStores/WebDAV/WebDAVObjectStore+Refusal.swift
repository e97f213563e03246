import DriveCore

extension WebDAVObjectStore {
    /// What an answer means that is not the one that was hoped for.
    func refusal(_ answer: HTTPAnswer, _ action: String, _ subject: String) -> DriveError {
        switch answer.status {
        case 401: DriveError(.notAuthenticated, Self.otherLogin(answer) ?? loginRemedy, path: subject)
        case 413:
            DriveError(
                .tooLarge,
                "cannot \(action); the server answered 413: it takes no object of this size; raise its limit (nginx: "
                    + "client_max_body_size, Apache: LimitRequestBody)", path: subject)
        // It has just said that the object is there.
        case 207 where Self.isRemoving(action), 501 where Self.isRemoving(action):
            HTTPStatus.noRemoval(answer, action, subject: subject, explanation: "")
        case 400..<500
        where Self.isRemoving(action) && answer.status != 403 && HTTPStatus.removesNothing(answer.status):
            HTTPStatus.noRemoval(answer, action, subject: subject)
        // As of a server that is not up yet, or of a network that wants a login.
        case 405 where isKnown, 501 where isKnown, 505 where isKnown:
            HTTPStatus.somethingElse("it answered \(answer.status)", exchange.origin, subject: subject)
        // RFC 4918, section 9.1: what knows no PROPFIND is no WebDAV server.
        case 405 where action == Self.lookAction, 501 where action == Self.lookAction:
            DriveError(
                .usage,
                "the server does not speak WebDAV at this address; it answered \(answer.status); correct the URL, which "
                    + "for Nextcloud is webdavs://USER@HOST/remote.php/dav/files/USER/FOLDER", path: subject)
        // The place was there for whoever looked.
        case 404 where Self.isWriting(action) && !isKnown, 405 where Self.isWriting(action):
            DriveError(
                .permissionDenied,
                "cannot \(action); the server answered \(answer.status): it takes nothing at this address; use a folder there that "
                    + "you may write to, or ask whoever runs the server to allow PUT and MKCOL", path: subject)
        case 200..<300:
            HTTPStatus.somethingElse(
                answer.isPage ? "it answers with a page" : "it answered \(answer.status)", exchange.origin,
                subject: subject)
        default: HTTPStatus.error(answer, action, subject: subject)
        }
    }

    static let lookAction = "look at the collection"
    static let putAction = HTTPStatus.putAction
    static let makeAction = "make a collection"
    static let createAction = "make the store's collection"
    static let removeCollectionAction = "remove the collection"

    private static func isWriting(_ action: String) -> Bool { [putAction, makeAction, createAction].contains(action) }

    private static func isRemoving(_ action: String) -> Bool {
        [HTTPStatus.removeAction, removeCollectionAction].contains(action)
    }

    /// Of a server that offers ways to sign in, and not the one that is known here (RFC 9110, section 11.6.1).
    private static func otherLogin(_ answer: HTTPAnswer) -> String? {
        let offered = answer.fields.filter { $0.isNamed("WWW-Authenticate") }
            .map { $0.value.prefix { $0 != " " && $0 != "," } }
        guard let first = offered.first, !offered.contains(where: { $0.lowercased() == "basic" }) else { return nil }
        let kind = answer.printable(String(first))
        return "the server lets nobody sign in with a plain name and password (it offers \(kind)); turn on Basic "
            + "authentication there, and TLS with it"
    }

    private var loginRemedy: String {
        hasCredentials
            ? "the server refused name or password (401); correct them (`docdrive store login` for a drive); "
                + "Nextcloud wants an app password where it asks for a second factor"
            : "the server wants a name and a password (401); `docdrive store login` keeps them for a drive; or "
                + (url.user == nil ? "write webdavs://USER@HOST/PATH, and " : "")
                + "give the password in DOCDRIVE_STORE_PASSWORD or in ~/.netrc"
    }
}
