import DriveCore
import Foundation
import Testing

@testable import DriveRemoteStores

struct S3ProfileTests {
    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "docdrive-profile-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: "\(folder)/.aws", withIntermediateDirectories: true)
        try """
        # A comment
        [default]
        aws_access_key_id=ONE
        aws_secret_access_key = secret=one # of the laptop
        [ work ]
        AWS_ACCESS_KEY_ID = TWO
        aws_secret_access_key = secret-two
        aws_session_token = token-two
        [half]
        aws_access_key_id = THREE
        """.write(toFile: "\(folder)/.aws/credentials", atomically: true, encoding: .utf8)
        try """
        [default]
        region = eu-west-1
        [profile work]
        region = eu-west-2
        s3 =
          region = not-this
        [profile login]
        sso_session = office
        """.write(toFile: "\(folder)/.aws/config", atomically: true, encoding: .utf8)
    }

    private func keys(_ profile: String? = nil, _ more: [String: String] = [:]) throws(DriveError) -> StoreCredentials {
        var options = RemoteStoreOptions(environment: more.merging(["HOME": folder]) { $1 })
        options.credentials = nil
        let url = try StoreURL("s3://bucket" + (profile.map { "?profile=\($0)" } ?? ""))
        return try S3Keys(url, options).current()
    }

    private func remove() { try? FileManager.default.removeItem(atPath: folder) }

    @Test func keysComeFromTheNearestPlace() throws {
        defer { remove() }
        let variables = ["AWS_ACCESS_KEY_ID": "V", "AWS_SECRET_ACCESS_KEY": "secret-v", "AWS_SESSION_TOKEN": "token-v"]
        #expect(try keys() == StoreCredentials(user: "ONE", secret: Secret("secret=one")))
        let two = StoreCredentials(user: "TWO", secret: Secret("secret-two"), token: Secret("token-two"))
        #expect(try keys("work") == two)
        #expect(try keys(nil, ["AWS_PROFILE": "work"]) == two)
        #expect(try keys("work", variables) == two, "who names a profile wants that one")
        let variable = StoreCredentials(user: "V", secret: Secret("secret-v"), token: Secret("token-v"))
        #expect(try keys(nil, variables) == variable)
        #expect(try keys(nil, variables.merging(["AWS_PROFILE": "work"]) { $1 }) == variable)
    }

    @Test func whatIsMissingIsSaid() throws {
        defer { remove() }
        for (profile, word) in [("half", "has no keys"), ("none", "has no keys"), ("login", "export-credentials")] {
            let error = #expect(throws: DriveError.self) { try keys(profile) }
            #expect(error?.kind == .notAuthenticated && error?.message.contains(word) == true, "\(profile)")
        }
        let broken = #expect(throws: DriveError.self) {
            try keys(nil, ["AWS_ACCESS_KEY_ID": "a\nb", "AWS_SECRET_ACCESS_KEY": "canary\n"])
        }
        #expect(broken?.kind == .notAuthenticated && broken.map { !"\($0)".contains("canary") } == true)
    }

    @Test func regionsComeFromVariablesAndTheConfiguration() {
        defer { remove() }
        let home = ["HOME": folder]
        #expect(S3Profile(nil, home).region == "eu-west-1")
        #expect(S3Profile("work", home).region == "eu-west-2")
        #expect(S3Profile("work", home.merging(["AWS_DEFAULT_REGION": "r2"]) { $1 }).region == "r2")
        #expect(
            S3Profile("work", home.merging(["AWS_DEFAULT_REGION": "r2", "AWS_REGION": "r3"]) { $1 }).region == "r3")
        #expect(S3Profile("none", home).region == nil)
    }
}
