import DriveCore

/// Keeps what is wanted of a body that arrives in pieces, and never more.
struct HTTPBodyCollector {
    private let origin: HTTPOrigin
    private let subject: String
    private let isSuccess: Bool
    private let limit: Int
    /// Bytes of the body that come before the wanted part: where a server ignores ranges.
    private var skipped: UInt64 = 0
    /// How long the wanted part is at most; nil where the whole is wanted.
    private var wanted: UInt64?
    /// How long a part must be that the server says it sends.
    private var promised: UInt64?
    private var bytes: [UInt8] = []
    private var isOverlong = false

    init(
        _ answer: HTTPAnswer, range: Range<UInt64>?, limit: Int, _ origin: HTTPOrigin, subject: String
    ) throws(DriveError) {
        self.origin = origin
        self.subject = subject
        self.limit = limit
        isSuccess = answer.isSuccess
        if let range, isSuccess {
            wanted = range.upperBound - range.lowerBound
            // rclone sends the part with status 200.
            if answer.status == 206 || answer["Content-Range"] != nil {
                promised = try part(answer, range)
            } else {
                skipped = range.lowerBound
            }
        }
        if let length = answer["Content-Length"].flatMap({ Int($0) }), length > 0 {
            if isSuccess, wanted == nil, length > limit { throw tooLong }
            bytes.reserveCapacity(min(length, limit, wanted.flatMap { Int(exactly: $0) } ?? length))
        }
    }

    private var tooLong: DriveError {
        HTTPStatus.somethingElse(
            "it sends more than \(limit) bytes, which nothing of a drive has", origin, subject: subject)
    }

    /// The length of the part that is sent (RFC 9110, section 14.4), which must be the one that was asked for.
    private func part(_ answer: HTTPAnswer, _ range: Range<UInt64>) throws(DriveError) -> UInt64 {
        let words = (answer["Content-Range"] ?? "").split { $0 == " " || $0 == "-" || $0 == "/" }
        guard words.count == 4, words[0].lowercased() == "bytes", let first = UInt64(words[1]),
            let last = UInt64(words[2]), first == range.lowerBound, last >= first, last < range.upperBound
        else { throw HTTPStatus.somethingElse("it sends another part than was asked for", origin, subject: subject) }
        return last - first + 1
    }

    /// False when no more is wanted. True up to the very end of a body, so that its connection can be kept.
    mutating func take(_ piece: some RandomAccessCollection<UInt8>) throws(DriveError) -> Bool {
        let drop = min(skipped, UInt64(piece.count))
        skipped -= drop
        let rest = piece.dropFirst(Int(drop))
        let room = min(wanted ?? promised ?? .max, UInt64(limit)) - UInt64(bytes.count)
        bytes += rest.prefix(Int(room))
        guard UInt64(rest.count) > room else { return true }
        if isSuccess, (wanted ?? .max) > UInt64(limit) { throw tooLong }
        isOverlong = true
        return false
    }

    func finish() throws(DriveError) -> [UInt8] {
        if let promised, promised != UInt64(bytes.count) || isOverlong {
            throw HTTPStatus.somethingElse("it sends another part than it says", origin, subject: subject)
        }
        return bytes
    }
}
