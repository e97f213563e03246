import DocumentDrive
import DriveCore

/// A conflict as people read it.
struct ConflictText {
    private let conflict: Conflict

    init(_ conflict: Conflict) { self.conflict = conflict }

    func print() {
        let kind = conflict.kind.map { "  \($0.rawValue)" } ?? ""
        Output.line("\(conflict.id)  \(Escaped.path(conflict.current))\(kind)")
        Output.line("  current  \(Self.side(conflict.currentSide))")
        if let copy = conflict.copy {
            Output.line("  copy     \(Self.side(conflict.copySide))")
            Output.line("           \(Escaped.path(copy))")
        } else {
            Output.line("  deleted  by \(Escaped.text(conflict.deleter ?? "another device"))")
        }
        if let suggestion = conflict.suggestion {
            Output.line("  suggested: \(suggestion.rawValue)")
        }
    }

    /// What is suggested for several copies of one file is looked at again once one of them has changed the file.
    private static func isCertain(_ suggested: [Conflict]) -> Bool {
        Dictionary(grouping: suggested, by: \.current).values.allSatisfy { conflicts in
            conflicts.count == 1 || conflicts.allSatisfy { $0.suggestion == .keepCurrent }
        }
    }

    /// What ends them.
    static func total(_ conflicts: [Conflict], _ advice: Advice) -> String {
        let suggested = conflicts.filter { $0.suggestion != nil }
        let count = Quantity.count(conflicts.count, "conflict")
        // A copy cannot take a folder's place.
        let ways = conflicts.contains(where: \.isAgainstFolder) ? "current|both" : "current|copy|both"
        if suggested.isEmpty {
            return "\(count). `\(advice.command("docdrive conflicts resolve ID")) --keep \(ways)` ends one."
        }
        let ended = (isCertain(suggested) ? "" : "up to ") + Quantity.count(suggested.count)
        return
            "\(count). `\(advice.command("docdrive conflicts resolve --all --suggested"))` ends \(ended) without loss; "
            + "--keep \(ways) ends any."
    }

    private static func side(_ side: Conflict.Side?) -> String {
        guard let side else { return "not here" }
        let author = side.device.map { ", by \(Escaped.text($0))" } ?? ""
        guard side.facts.kind != .folder else { return "a folder\(author)" }
        let held = side.isHeld ? "; deleted here, and held until you decide" : ""
        return "\(Moment.minute(side.facts.modified)), \(Quantity.bytes(side.facts.size))\(author)\(held)"
    }
}

/// A conflict as programs read it.
struct ConflictJSON: Encodable {
    var v = 1
    var type = "conflict"
    var id: String
    var path: String
    var pathBase64: String?
    /// None where the other side is a delete.
    var copy: String?
    var copyBase64: String?
    /// identical, superset, mergeable, divergent, binary, delete-vs-edit; none until both sides were compared.
    var kind: String?
    var suggestion: String?
    /// Of the copy; for a delete, who deleted.
    var device: String?
    var currentDevice: String?
    /// Milliseconds since 1970. Of the two that the list shows the later one is that of `--keep newest`; none of a folder or a delete.
    var modified: Int64?
    var currentModified: Int64?
    /// When a pass of the device found it, which says nothing of when it was written.
    var recorded: UInt64?
    var currentRecorded: UInt64?
    /// None where a folder has the name.
    var currentSize: UInt64?
    var copySize: UInt64?
    var currentHash: String?
    var copyHash: String?
    var ancestorHash: String?
    /// identical, copy-has-all, current-has-all, both-differ, other-bytes, folder, delete, held, unknown; only where both files were read.
    var comparison: String?

    enum CodingKeys: String, CodingKey {
        case v, type, id, path, pathBase64, copy, copyBase64, suggestion, device, currentDevice, modified,
            currentModified, recorded, currentRecorded, currentSize, copySize, currentHash, copyHash, ancestorHash,
            comparison
        case kind = "class"
    }

    init(_ conflict: Conflict, comparison: String? = nil) {
        id = conflict.id
        path = conflict.current.description
        pathBase64 = conflict.current.base64IfNeeded
        copy = conflict.copy?.description
        copyBase64 = conflict.copy?.base64IfNeeded
        kind = conflict.kind?.rawValue
        suggestion = conflict.suggestion?.rawValue
        device = conflict.deleter ?? conflict.copySide?.device
        currentDevice = conflict.currentSide?.device
        modified = conflict.copySide?.facts.modified.wholeMilliseconds
        currentModified = conflict.isAgainstFolder ? nil : conflict.currentSide?.facts.modified.wholeMilliseconds
        recorded = conflict.copySide?.recorded
        currentRecorded = conflict.currentSide?.recorded
        currentSize = conflict.isAgainstFolder ? nil : conflict.currentSide?.facts.size
        copySize = conflict.copySide?.facts.size
        currentHash = conflict.currentSide?.hash?.description
        copyHash = conflict.copySide?.hash?.description
        ancestorHash = conflict.ancestor?.description
        self.comparison = comparison
    }
}
