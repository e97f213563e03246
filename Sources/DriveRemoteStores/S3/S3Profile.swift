import DriveCore
import Foundation

/// What AWS's own tools have on this machine: the files `credentials` and `config`, and their variables (AWS SDKs and
/// Tools Reference Guide, "Shared config and credentials files").
struct S3Profile {
    private var sections: [String: [String: String]] = [:]
    private let environment: [String: String]
    /// The profile, and whether it was named or is only the usual one.
    let name: String
    let isNamed: Bool
    let credentialsFile: String

    init(_ name: String?, _ environment: [String: String]) {
        self.environment = environment
        let named = name ?? Self.variable("AWS_PROFILE", environment)
        self.name = named ?? "default"
        isNamed = named != nil
        let folder = (environment["HOME"] ?? NSHomeDirectory()) + "/.aws"
        credentialsFile = Self.variable("AWS_SHARED_CREDENTIALS_FILE", environment) ?? "\(folder)/credentials"
        read(Self.variable("AWS_CONFIG_FILE", environment) ?? "\(folder)/config", prefix: "profile ")
        // What both files have counts as the credentials file says.
        read(credentialsFile, prefix: "")
    }

    private static func variable(_ name: String, _ environment: [String: String]) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private mutating func read(_ path: String, prefix: String) {
        guard let bytes = FileManager.default.contents(atPath: path) else { return }
        for (section, fields) in Self.sections(String(decoding: bytes, as: UTF8.self)) {
            // In `config` every profile but the default one has the word before its name.
            let name = section.hasPrefix(prefix) ? String(section.dropFirst(prefix.count)) : section
            guard section.hasPrefix(prefix) || section == "default" else { continue }
            sections[name.trimmingCharacters(in: .whitespaces), default: [:]].merge(fields) { $1 }
        }
    }

    /// Names in lower case. Comments begin a line with `#` or `;`, or follow a value after a space; lines that are
    /// indented belong to the one above and say nothing that matters here.
    static func sections(_ text: String) -> [String: [String: String]] {
        var sections: [String: [String: String]] = [:]
        var current: String?
        for line in text.split(whereSeparator: \.isNewline) {
            guard let first = line.first, first != "#", first != ";", !first.isWhitespace else { continue }
            if first == "[" {
                current = line.dropFirst().firstIndex(of: "]").map { end in
                    line[line.index(after: line.startIndex)..<end].trimmingCharacters(in: .whitespaces)
                }
            } else if let current, let sign = line.firstIndex(of: "=") {
                let name = line[..<sign].trimmingCharacters(in: .whitespaces).lowercased()
                var value = line[line.index(after: sign)...]
                for mark in [" #", " ;", "\t#", "\t;"] {
                    if let comment = value.firstRange(of: mark) { value = value[..<comment.lowerBound] }
                }
                sections[current, default: [:]][name] = value.trimmingCharacters(in: .whitespaces)
            }
        }
        return sections
    }

    private func field(_ name: String) -> String? { sections[self.name]?[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// As the variables say, or else the profile.
    var region: String? {
        Self.variable("AWS_REGION", environment) ?? Self.variable("AWS_DEFAULT_REGION", environment) ?? field("region")
    }

    var variableKeys: StoreCredentials? {
        guard let user = Self.variable("AWS_ACCESS_KEY_ID", environment),
            let secret = Self.variable("AWS_SECRET_ACCESS_KEY", environment)
        else { return nil }
        let token = Self.variable("AWS_SESSION_TOKEN", environment)
        return StoreCredentials(user: user, secret: Secret(secret), token: token.map(Secret.init))
    }

    var profileKeys: StoreCredentials? {
        guard let user = field("aws_access_key_id"), let secret = field("aws_secret_access_key") else { return nil }
        return StoreCredentials(
            user: user, secret: Secret(secret), token: field("aws_session_token").map(Secret.init))
    }

    /// Whether it gets its keys in a way that only AWS's tools know.
    var isForOthers: Bool {
        ["sso_session", "sso_start_url", "role_arn", "credential_process"].contains { field($0) != nil }
    }
}
