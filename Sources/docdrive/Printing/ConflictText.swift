import DocumentDrive
import DriveCore

/// A conflict as people read it.
struct ConflictText {
    private let conflict: Conflict

    init(_ conflict: Conflict) { self.conflict = conflict }

    func print() {
        Output.line("\(conflict.id)  \(Escaped.path(conflict.current))")
        Output.line("  current  \(Self.side(conflict.currentFacts))")
        let author = conflict.device.map { ", by \(Escaped.text($0))" } ?? ""
        Output.line("  copy     \(Self.side(conflict.copyFacts))\(author)")
        Output.line("           \(Escaped.path(conflict.copy))")
    }

    private static func side(_ facts: FileFacts?) -> String {
        guard let facts else { return "not here" }
        return "\(Moment.minute(facts.modified)), \(Quantity.bytes(facts.size))"
    }
}

/// A conflict as programs read it.
struct ConflictJSON: Encodable {
    var v = 1
    var type = "conflict"
    var id: String
    var path: String
    var pathBase64: String?
    var copy: String
    var copyBase64: String?
    var device: String?
    var time: String?
    var currentSize: UInt64?
    var copySize: UInt64?
    /// identical, copy-has-all, current-has-all, both-differ, other-bytes, unknown; only where both files were read.
    var comparison: String?

    init(_ conflict: Conflict, comparison: String? = nil) {
        id = conflict.id
        path = conflict.current.description
        pathBase64 = conflict.current.base64IfNeeded
        copy = conflict.copy.description
        copyBase64 = conflict.copy.base64IfNeeded
        device = conflict.device
        time = conflict.time
        currentSize = conflict.currentFacts?.size
        copySize = conflict.copyFacts?.size
        self.comparison = comparison
    }
}
