import DriveCore

/// What S3 says of a request that it did not do (S3 API Reference, "Error responses"), and what it means for a drive.
struct S3Refusal {
    var code: String?
    var message: String?
    var region: String?
    /// What the server says the time is.
    private var date: String?

    /// Also of a body that has no error in it; then nothing is known.
    init(_ answer: HTTPAnswer) {
        date = answer["Date"].flatMap { HTTPDate.seconds($0) == nil ? nil : $0 }
        guard let error = S3XMLParser.parse(answer.body), error.name == "Error" else {
            region = answer["x-amz-bucket-region"]
            return
        }
        code = error["Code"].map { answer.printable($0.text) }
        message = error["Message"].map { answer.printable($0.text) }
        region = (error["Region"]?.text ?? answer["x-amz-bucket-region"]).map(answer.printable)
    }

    /// Whether the answer says that there is no such object. A page that nobody found is not that.
    static func isNoObject(_ answer: HTTPAnswer) -> Bool {
        guard answer.status == 404 else { return false }
        return switch S3Refusal(answer).code {
        case "NoSuchKey", "NoSuchVersion": true
        case nil: answer.body.isEmpty
        default: false
        }
    }

    /// `action` completes "cannot ...".
    func error(_ answer: HTTPAnswer, _ action: String, _ address: S3Address, subject: String) -> DriveError {
        if let (kind, message) = meaning(answer.status, address) {
            let delay = kind == .temporary ? RetryAfter.seconds(answer) : nil
            let remedy = delay.map { HTTPStatus.again(after: $0) } ?? (kind == .temporary ? HTTPStatus.later : nil)
            // One that says what to do needs no other.
            let message = message + (message.contains(";") ? "" : remedy.map { "; \($0)" } ?? "")
            return DriveError(kind, "cannot \(action): \(message)", path: subject, retryAfter: delay)
        }
        // A page that tells of a failure is the server's own, or its proxy's; others are of something else.
        if code == nil, answer.isPage, ![408, 413, 429].contains(answer.status), answer.status < 500,
            action != HTTPStatus.removeAction || !HTTPStatus.removesNothing(answer.status)
        {
            var error = HTTPStatus.somethingElse(
                "a page, with status \(answer.status)", address.origin, subject: subject)
            if action == HTTPStatus.putAction, HTTPStatus.mayBeOfObject(answer.status) { error.kind = .refused }
            return error
        }
        let said = [code, message].compactMap { $0 }.joined(separator: ", ")
        return HTTPStatus.error(answer, action, subject: subject, explanation: said.isEmpty ? nil : said)
    }

    private func meaning(_ status: Int, _ address: S3Address) -> (DriveError.Kind, String)? {
        if let region, region != address.region, isElsewhere(status) {
            return (.usage, "the bucket is in the region \(region); write `region=\(region)` in the store's URL")
        }
        switch code {
        case "NoSuchBucket":
            return (
                .unreachable,
                "there is no bucket \(address.bucket); make it with your provider, as by `aws s3 mb s3://\(address.bucket)`, "
                    + "or correct the store's URL"
            )
        case "InvalidAccessKeyId", "InvalidToken", "UnrecognizedClientException":
            return (
                .notAuthenticated,
                "the store does not know this access key; check it (`docdrive store login` for a drive), and the "
                    + "endpoint (\(code!))"
            )
        case "SignatureDoesNotMatch":
            return (
                .notAuthenticated,
                "the secret access key is wrong; correct it (`docdrive store login` for a drive; SignatureDoesNotMatch)"
            )
        case "ExpiredToken", "TokenRefreshRequired":
            return (.notAuthenticated, "the keys held for a while, and that is over; get new ones (\(code!))")
        case "RequestTimeTooSkewed":
            return (.temporary, "this device's clock is wrong\(clock); set it")
        case "InvalidObjectState":
            return (
                .permissionDenied,
                "the object was moved to an archive; restore it, and let no lifecycle rule archive objects of a drive"
            )
        case "QuotaExceeded", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded", "StorageQuotaExceeded":
            return (.noSpace, "the store is full; make room there, or ask for more (\(code!))")
        case "EntityTooLarge", "MaxMessageLengthExceeded":
            return (.tooLarge, "the store takes no object of this size; raise its limit (\(code!))")
        case "SlowDown", "ServiceUnavailable", "RequestTimeout", "InternalError", "OperationAborted",
            "RequestLimitExceeded",
            "Throttling", "TooManyRequests":
            return (.temporary, "the store asks us to wait (\(code!))")
        default: return nil
        }
    }

    private var clock: String { date.map { ", or the store's: there it is \($0)" } ?? " or the store's" }

    private func isElsewhere(_ status: Int) -> Bool {
        status == 301 || status == 307
            || [
                "AuthorizationHeaderMalformed", "PermanentRedirect", "TemporaryRedirect",
                "IllegalLocationConstraintException",
            ]
            .contains(code)
    }
}
