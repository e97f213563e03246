import DocumentDrive
import DriveCore

struct IdleRuleJSON: Encodable {
    var v = 1
    var type = "idle-rule"
    var file: String
    var fileBase64: String?
    var line: Int
    var rule: String
    var reason: String
    /// For people, with the place of the line.
    let text: String

    enum CodingKeys: CodingKey { case v, type, file, fileBase64, line, rule, reason }

    init(_ rule: IdleRule) {
        (file, fileBase64) = (rule.file.description, rule.file.base64IfNeeded)
        (line, reason) = (rule.line, rule.reason)
        self.rule = String(decoding: rule.text, as: UTF8.self)
        text = Escaped.text("\(rule.place): \(rule.sentence); \(rule.remedy)")
    }
}

/// Lines of ignore files that match nothing: what they were to keep back has just been sent, or will be. And files whose rules do
/// not count.
enum IdleRuleText {
    static func tell(of drive: FolderPath) {
        // What else is in the way of reading the drive has been told already.
        for rule in (try? DriveReader(drive).idleRules()) ?? [] {
            Output.error("docdrive: \(IdleRuleJSON(rule).text)")
        }
    }
}
