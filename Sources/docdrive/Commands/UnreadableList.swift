import DocumentDrive
import DriveCore
import DriveIndex

/// A document that cannot be read, in JSON.
struct UnreadableJSON: Encodable {
    var v = 1
    var type = "unreadable"
    var path: String
    var pathBase64: String?
    var reason: String
    /// Milliseconds since 1970.
    var since: UInt64
    var attempts: Int
    /// When it is tried again; left out where that is when it changes.
    var retry: UInt64?

    init(_ document: UnreadableDocument) {
        path = document.path.description
        pathBase64 = document.path.base64IfNeeded
        reason = document.failure.reason
        since = document.failure.since
        attempts = document.failure.attempts
        retry = document.failure.retry
    }
}

/// `status --documents`.
struct UnreadableList {
    let report: StatusReport
    let output: OutputOptions

    func print() {
        if output.printJSON(report.unreadable) { return }
        for document in report.unreadable {
            let next = document.retry.map { "again after \(Moment.minute($0))" } ?? "not before it changes"
            Output.line("\(Escaped.text(document.path)): \(Escaped.text(document.reason)) (\(next))")
        }
        if report.unreadable.isEmpty { Output.line("All documents that were read could be read.") }
        if report.unread > 0 {
            Output.line(
                Advice.text(
                    "\(Quantity.count(report.unread, "file")) not read yet; `docdrive find --refresh` reads them"))
        }
    }
}
