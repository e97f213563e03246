import DocumentDrive
import FileCoordination

/// The last line of a sync: what it did and what is left.
struct SummaryLine {
    let summary: SyncSummary
    let hasStore: Bool
    let isJSON: Bool
    /// From where it is read.
    let advice: Advice

    init(_ summary: SyncSummary, hasStore: Bool, isJSON: Bool, _ folder: FolderPath) {
        self.summary = summary
        advice = Advice(folder)
        self.hasStore = hasStore
        self.isJSON = isJSON
    }

    func print() -> ExitStatus {
        if isJSON {
            Output.line(JSONText.document(SummaryJSON(summary: summary)))
            return status
        }
        Output.line(text)
        if summary.conflicts > 0 {
            Output.line(
                "\(Quantity.count(summary.conflicts, "conflict copy", "conflict copies")): `\(advice.command("docdrive conflicts"))`"
            )
        }
        if summary.held > 0 {
            Output.line(Self.held(summary.held, advice))
        }
        if summary.problems > 0 {
            Output.line(
                "\(Quantity.count(summary.problems, "item")) could not be synced: `\(advice.command("docdrive status"))`"
            )
        }
        // What could not be read is named already, and waiting does not help it.
        if summary.isUnsettled, summary.problems == 0 {
            Output.line("some files kept changing, or are in use; the next sync takes them")
        }
        return status
    }

    static func held(_ count: Int, _ advice: Advice) -> String {
        "\(Quantity.count(count, "delete")) held until you decide: `\(advice.command("docdrive deletes ls"))`"
    }

    private var status: ExitStatus {
        if summary.held > 0 { return .held }
        return summary.isComplete ? .done : .partly
    }

    private struct SummaryJSON: Encodable {
        var v = 1
        var type = "summary"
        var summary: SyncSummary
    }

    private var text: String {
        var parts: [String] = []
        if summary.sent > 0 { parts.append("\(Quantity.count(summary.sent)) sent") }
        let brought = summary.placed + summary.replaced
        if brought > 0 { parts.append("\(Quantity.count(brought)) brought (\(Quantity.bytes(summary.bytes)))") }
        if summary.moved > 0 { parts.append("\(Quantity.count(summary.moved)) moved") }
        if summary.removed > 0 { parts.append("\(Quantity.count(summary.removed)) removed") }
        if summary.attributed > 0 {
            parts.append("attributes of \(Quantity.count(summary.attributed, "item")) set")
        }
        let done = parts.isEmpty ? "nothing to do" : parts.joined(separator: ", ")
        let others = summary.devices > 1 ? ", \(Quantity.count(summary.devices, "device"))" : ""
        let state = summary.isComplete && summary.held == 0 ? "in step" : "not all in step"
        let end = "\(Quantity.count(summary.items, "item"))\(others)"
        return hasStore ? "\(state): \(done); \(end)" : "no store: \(end)"
    }
}
