import Crypto
import DriveCore

/// Signature Version 4 of AWS, with the headers of the request: a function of its arguments.
///
/// AWS General Reference, "Create a signed AWS API request"; S3 API Reference, "Authenticating Requests: Using the
/// Authorization Header". Of S3 differ that the path is not encoded a second time, and that the hash of the body is a
/// field (`x-amz-content-sha256`), which is signed with all others.
struct S3Signature {
    var keys: StoreCredentials
    var region: String
    var service = "s3"

    static let algorithm = "AWS4-HMAC-SHA256"

    /// The request with all fields that prove who asks. `host` is what the Host field will say, `date` is seconds since
    /// 1970.
    func sign(_ request: HTTPRequest, host: String, date: Int) -> HTTPRequest {
        var request = request
        let stamp = Self.stamp(date)
        let hash = SHA256.hash(data: request.body).hex
        request.fields += [
            HTTPField("Host", host), HTTPField("x-amz-content-sha256", hash), HTTPField("x-amz-date", stamp),
        ]
        if let token = keys.token { request.fields.append(HTTPField("x-amz-security-token", token.text)) }
        let signature = self.signature(request, hash: hash, stamp: stamp)
        request.secrets += [keys.secret.text, signature] + (keys.token.map { [$0.text] } ?? [])
        request.fields.append(
            HTTPField(
                "Authorization",
                "\(Self.algorithm) Credential=\(keys.user)/\(scope(stamp)),SignedHeaders=\(Self.names(request)),"
                    + "Signature=\(signature)"))
        return request
    }

    /// All fields of the request are signed.
    func signature(_ request: HTTPRequest, hash: String, stamp: String) -> String {
        let canonical = SHA256.hash(data: Array(Self.canonical(request, hash: hash).utf8)).hex
        let text = [Self.algorithm, stamp, scope(stamp), canonical].joined(separator: "\n")
        var key = SymmetricKey(data: Array("AWS4\(keys.secret.text)".utf8))
        for part in [String(stamp.prefix(8)), region, service, "aws4_request"] {
            key = SymmetricKey(data: Self.mac(part, key))
        }
        return Self.mac(text, key).hex
    }

    private func scope(_ stamp: String) -> String { "\(stamp.prefix(8))/\(region)/\(service)/aws4_request" }

    static func canonical(_ request: HTTPRequest, hash: String) -> String {
        let fields = sorted(request).map { "\($0):\($1)\n" }.joined()
        return [request.method, request.path, canonical(query: request.query), fields, names(request), hash]
            .joined(separator: "\n")
    }

    /// Sorted by encoded name and value, every name with its equals sign.
    private static func canonical(query: String) -> String {
        query.split(separator: "&")
            .map { field in
                let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
            }
            .sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
    }

    private static func names(_ request: HTTPRequest) -> String { sorted(request).map(\.name).joined(separator: ";") }

    /// Names in lower case and byte order, values without spaces at their ends and with single ones within.
    private static func sorted(_ request: HTTPRequest) -> [(name: String, value: String)] {
        request.fields
            .map { ($0.name.lowercased(), $0.value.split(separator: " ").joined(separator: " ")) }
            .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
    }

    private static func mac(_ text: String, _ key: SymmetricKey) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key))
    }

    /// `20130524T000000Z`.
    static func stamp(_ seconds: Int) -> String {
        let (days, time) = (seconds / 86_400, seconds % 86_400)
        // Days since 0000-03-01, in years that begin in March, so that a leap day is the last one.
        let shifted = days + 719_468
        let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let day = dayOfYear - (153 * part + 2) / 5 + 1
        return padded(year, 4) + padded(month, 2) + padded(day, 2) + "T" + padded(time / 3600, 2)
            + padded(time / 60 % 60, 2) + padded(time % 60, 2) + "Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Sequence<UInt8> {
    /// In lower case.
    var hex: String {
        var result: [UInt8] = []
        let digits = Array("0123456789abcdef".utf8)
        for byte in self { result += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        return String(decoding: result, as: UTF8.self)
    }
}
