import DriveCore

/// What a refusal means, the same for every store that speaks HTTP. What a store knows beyond the status it says by
/// `explanation`, or by errors of its own before it comes here.
enum HTTPStatus {
    /// `action` completes "cannot ...", as in "store the object". 404 is for the store: of an object it is no error, of
    /// a place it has its own remedy.
    static func error(_ answer: HTTPAnswer, _ action: String, subject: String, explanation: String? = nil) -> DriveError
    {
        var (kind, remedy) = meaning(answer.status)
        // As a firewall says of some bytes.
        if kind == .unreachable, action == putAction, mayBeOfObject(answer.status) { kind = .refused }
        if [.unreachable, .usage].contains(kind), action == removeAction, removesNothing(answer.status) {
            return noRemoval(answer, action, subject: subject, explanation: explanation)
        }
        let delay = kind == .temporary ? RetryAfter.seconds(answer) : nil
        if let delay { remedy = again(after: delay) }
        return DriveError(
            kind, "cannot \(action); the server answered \(detail(answer, explanation)); \(remedy)", path: subject,
            retryAfter: delay)
    }

    /// What to do where the server says when it may be asked again.
    static func again(after seconds: Double) -> String {
        let (text, unit) = seconds < 120 ? (seconds, "second") : (seconds / 60, "minute")
        let count = Int(text.rounded(.up))
        return "try again in \(count) \(unit)\(count == 1 ? "" : "s"), as it asks"
    }

    static let later = "try again later"

    static let putAction = "store the object"
    static let removeAction = "remove the object"

    /// Refusals of a removal by a server that takes everything else, as nginx does by `dav_methods`, and gateways that know no
    /// DELETE (RFC 9110, section 15.6.2).
    static func removesNothing(_ status: Int) -> Bool { status == 405 || status == 501 || mayBeOfObject(status) }

    /// It is in reach all the same.
    static func noRemoval(
        _ answer: HTTPAnswer, _ action: String, subject: String, explanation: String? = nil
    ) -> DriveError {
        DriveError(
            .permissionDenied,
            "cannot \(action); the server answered \(detail(answer, explanation)); ask whoever runs the server to allow "
                + "DELETE", path: subject)
    }

    private static func detail(_ answer: HTTPAnswer, _ explanation: String?) -> String {
        let said = explanation ?? answer.excerpt
        return said.isEmpty ? "\(answer.status)" : "\(answer.status): \(said)"
    }

    /// Refusals of a body, which say nothing of the next one.
    static func mayBeOfObject(_ status: Int) -> Bool {
        (400..<500).contains(status) && ![401, 404, 405, 407, 408, 409, 410, 413, 423, 425, 429].contains(status)
    }

    static func meaning(_ status: Int) -> (DriveError.Kind, remedy: String) {
        switch status {
        case 401: (.notAuthenticated, "check name and password or keys")
        case 403: (.permissionDenied, "ask whoever runs the server for the right to do this")
        case 404, 410: (.unreachable, "check the store's address")
        case 407: (.notAuthenticated, "the proxy wants a login; write it into its URL in HTTPS_PROXY, or HTTP_PROXY")
        case 413:
            (
                .tooLarge,
                "it takes no object of this size: raise its limit (nginx: client_max_body_size, Apache: LimitRequestBody)"
            )
        case 507: (.noSpace, "make room there, or ask for more")
        // 409 and 423 are what others' requests and locks do (RFC 9110, section 15.5.10; RFC 4918, section 11.3).
        case 409: (.temporary, "somebody else may be changing the same; try again")
        case 423: (.temporary, "somebody holds a lock on it; try again once they let it go")
        case 408, 425, 429: (.temporary, later)
        case 501, 505: (.usage, "this server cannot be used as a store")
        // RFC 6585, section 6: not the store, but a network that lets nobody through.
        case 511: (.unreachable, "this network wants a login first; open any page in a browser")
        case 500...599: (.temporary, "\(later); if it stays so, whoever runs the server finds more in its log")
        default: (.unreachable, "check the store's address")
        }
    }

    /// For answers that are none of the protocol.
    static func somethingElse(_ what: String, _ origin: HTTPOrigin, subject: String) -> DriveError {
        DriveError(
            .unreachable,
            "something else than a store answers at \(origin): \(what); check the address, and whether this network "
                + "wants a login first", path: subject)
    }
}
