import DriveCore
import Testing

@testable import DriveRemoteStores

/// The examples of the S3 API Reference, "Authenticating Requests: Using the Authorization Header", whose keys are the
/// documentation's own.
struct S3SignatureTests {
    private let signature = S3Signature(
        keys: StoreCredentials(
            user: "AKIAIOSFODNN7EXAMPLE", secret: Secret("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")),
        region: "us-east-1")
    /// 2013-05-24T00:00:00Z
    private let date = 1_369_353_600
    private let host = "examplebucket.s3.amazonaws.com"

    private func signed(_ request: HTTPRequest) -> String? {
        signature.sign(request, host: host, date: date).fields["Authorization"]
    }

    private func authorization(_ names: String, _ signature: String) -> String {
        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
            + "SignedHeaders=\(names),Signature=\(signature)"
    }

    @Test func getsAnObject() {
        let request = HTTPRequest(
            "GET", "/test.txt", fields: [HTTPField("Range", "bytes=0-9")], subject: "test")
        #expect(
            signed(request)
                == authorization(
                    "host;range;x-amz-content-sha256;x-amz-date",
                    "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"))
    }

    @Test func putsAnObject() {
        let request = HTTPRequest(
            "PUT", "/test%24file.text",
            fields: [
                HTTPField("Date", "Fri, 24 May 2013 00:00:00 GMT"),
                HTTPField("x-amz-storage-class", "REDUCED_REDUNDANCY"),
            ], body: Array("Welcome to Amazon S3.".utf8)[...], subject: "test")
        #expect(
            signed(request)
                == authorization(
                    "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
                    "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"))
    }

    @Test func asksForTheLifecycle() {
        #expect(
            signed(HTTPRequest("GET", "/", query: "lifecycle", subject: "test"))
                == authorization(
                    "host;x-amz-content-sha256;x-amz-date",
                    "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"))
    }

    @Test func listsObjects() {
        #expect(
            signed(HTTPRequest("GET", "/", query: "max-keys=2&prefix=J", subject: "test"))
                == authorization(
                    "host;x-amz-content-sha256;x-amz-date",
                    "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"))
    }

    @Test func namesAreSortedBeforeTheirValues() {
        let one = S3Signature.canonical(HTTPRequest("GET", "/", query: "a-b=1&a=2&a=10", subject: ""), hash: "")
        #expect(one.contains("\na=10&a=2&a-b=1\n"))
    }

    @Test func tokensAreSigned() throws {
        var signature = signature
        signature.keys.token = Secret("a-token")
        let request = signature.sign(HTTPRequest("GET", "/", subject: ""), host: host, date: date)
        #expect(request.fields["x-amz-security-token"] == "a-token")
        #expect(request.fields["Authorization"]?.contains("x-amz-date;x-amz-security-token,") == true)
        #expect(request.secrets.contains("a-token"))
    }

    @Test(arguments: [
        (0, "19700101T000000Z"), (951_782_399, "20000228T235959Z"), (951_782_400, "20000229T000000Z"),
        (1_369_353_600, "20130524T000000Z"), (1_709_251_199, "20240229T235959Z"), (4_102_444_800, "21000101T000000Z"),
    ])
    func dates(_ seconds: Int, _ stamp: String) { #expect(S3Signature.stamp(seconds) == stamp) }
}
