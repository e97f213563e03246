import DocumentDrive
import DriveCore

/// What `store check` found, did and left, as text and as JSON.
struct StoreCheckReport {
    let found: StoreReport
    /// What is still not as it should be.
    let left: StoreReport
    let isRepair: Bool
    /// Objects that no file needs any more, since the files were given up.
    var givenUp: Set<String> = []

    func print(_ output: OutputOptions) {
        if output.json { Output.line(JSONText.document(DocumentJSON(findings: findings, summary: summary))) }
        if output.jsonl {
            for finding in findings { Output.line(JSONText.line(finding)) }
            Output.line(JSONText.line(summary))
        }
        if !output.isJSON { printPlain() }
    }

    private func printPlain() {
        for finding in findings {
            let mended = isRepair ? Self.mark(finding) : ""
            Output.line("\(finding.fault) \(Escaped.text(finding.object)): \(Escaped.text(finding.reason))\(mended)")
        }
        let done = found.isQuick ? "compared by size" : "read"
        var parts = ["\(Quantity.count(found.objects, "object")) \(done), \(Quantity.bytes(found.bytes))"]
        if found.isWell { parts.append("no damage") }
        if !found.damage.isEmpty { parts.append("\(Quantity.count(found.damage.count)) damaged or missing") }
        if !found.unread.isEmpty { parts.append("\(Quantity.count(found.unread.count)) not read") }
        if isRepair, !found.damage.isEmpty {
            parts.append("\(Quantity.count(found.damage.count - stillDamaged)) repaired")
        }
        if found.unreferencedObjects > 0 {
            parts.append(
                "\(Quantity.count(found.unreferencedObjects)) that nothing refers to, "
                    + Quantity.bytes(found.unreferencedBytes))
        }
        Output.line(parts.joined(separator: "; "))
        if let advice { Output.line(Advice.text(advice)) }
    }

    private static func mark(_ finding: FindingJSON) -> String {
        if finding.repaired {
            return finding.fault == "unread" ? " (stored again, or read at a second look)" : " (repaired)"
        }
        return finding.filesRepaired ? " (repaired for all files)" : ""
    }

    /// What to do about what is left.
    private var advice: String? {
        guard !left.damage.isEmpty else {
            return left.unread.isEmpty
                ? nil
                : "What the store failed to read may be whole: look again later"
                    + (isRepair ? "" : ", or store again what a device has whole: `docdrive store check --repair`")
                    + ". Nothing of it is given up."
        }
        if left.damage.contains(where: { $0.kind != "content" || !$0.paths.isEmpty }) {
            return "`docdrive store check --repair` stores again what a device has whole"
                + (isRepair ? "; run it on the others too. What none of them has, --give-up gives up." : ".") + gone
        }
        return
            "No file that is there needs it: only contents of deleted or replaced files are damaged, which a device may "
            + "still have in its trash."
    }

    /// Nobody else writes in a device's journal.
    private var gone: String {
        let devices = Set(
            left.damage.filter { ["head", "segment"].contains($0.kind) && !$0.isOwn }.compactMap(\.deviceArgument))
        guard isRepair, !devices.isEmpty else { return "" }
        let names = devices.sorted().map { "`docdrive device forget \($0.shellWord)`" }.joined(separator: ", ")
        return " Is it a device that is gone for good: \(names)."
    }

    /// Which need a content that is left damaged or missing. What a journal that cannot be read now says of them nobody knows.
    var lostFiles: Set<DrivePath> {
        if left.unread.contains(where: { $0.kind != "content" }) { return [] }
        return Set(left.damage.filter { $0.kind == "content" }.flatMap(\.paths))
    }

    private func isLeft(_ damage: StoreReport.Damage) -> Bool {
        (left.damage + left.unread).contains { $0.object == damage.object }
    }

    /// No file needs what is left of it any more.
    private func isLeftForNoFile(_ damage: StoreReport.Damage) -> Bool {
        !damage.paths.isEmpty && left.damage.contains { $0.object == damage.object && $0.paths.isEmpty }
    }

    private var stillDamaged: Int { found.damage.count(where: isLeft) }
}

// As JSON.
extension StoreCheckReport {
    private struct FindingJSON: Encodable {
        var v = 1
        var type = "finding"
        var object: String
        /// `format`, `head`, `segment`, `content`.
        var kind: String
        /// `missing`, `damaged`, or `unread`, which may be whole.
        var fault: String
        var device: String?
        var paths: [String]
        var pathsBase64: [String?]?
        /// Contents of deleted or replaced files that need it.
        var kept: Int
        var reason: String
        var repaired: Bool
        /// What files that are there need of it is stored again; contents of deleted or replaced ones are not.
        var filesRepaired: Bool
        /// The files that needed it were given up.
        var givenUp: Bool
    }

    private struct SummaryJSON: Encodable {
        var v = 1
        var type = "checked"
        var isQuick: Bool
        var objects: Int
        var bytes: UInt64
        var damaged: Int
        var unread: Int
        var repaired: Int
        var unreferencedObjects: Int
        var unreferencedBytes: UInt64
    }

    private struct DocumentJSON: Encodable {
        var v = 1
        var type = "store-check"
        var findings: [FindingJSON]
        var summary: SummaryJSON
    }

    private var findings: [FindingJSON] {
        found.damage.map { finding($0, $0.isMissing ? "missing" : "damaged") }
            + found.unread.map { finding($0, "unread") }
    }

    private func finding(_ damage: StoreReport.Damage, _ fault: String) -> FindingJSON {
        let encoded = damage.paths.map(\.base64IfNeeded)
        return FindingJSON(
            object: damage.object, kind: damage.kind, fault: fault,
            device: damage.device, paths: damage.paths.map(\.description),
            pathsBase64: encoded.allSatisfy { $0 == nil } ? nil : encoded, kept: damage.kept,
            reason: reason(damage), repaired: isRepair && !isLeft(damage),
            filesRepaired: isRepair && (!isLeft(damage) || isLeftForNoFile(damage)),
            givenUp: fault != "unread" && givenUp.contains(damage.object))
    }

    private func reason(_ damage: StoreReport.Damage) -> String {
        switch damage.kind {
        case "format": return "says which store this is"
        case "head", "segment":
            return damage.isOwn
                ? "part of this device's journal" : "part of the journal of \(damage.device ?? "another device")"
        default:
            let kept = "kept of \(Quantity.count(damage.kept, "deleted or replaced file"))"
            if damage.paths.isEmpty { return kept }
            let named = damage.paths.prefix(3).map(\.description).joined(separator: ", ")
            let more = damage.paths.count > 3 ? " and \(Quantity.count(damage.paths.count - 3)) more" : ""
            return "needed by \(named)\(more)" + (damage.kept > 0 ? ", and \(kept)" : "")
        }
    }

    private var summary: SummaryJSON {
        SummaryJSON(
            isQuick: found.isQuick, objects: found.objects, bytes: found.bytes, damaged: found.damage.count,
            unread: found.unread.count, repaired: isRepair ? found.damage.count - stillDamaged : 0,
            unreferencedObjects: found.unreferencedObjects, unreferencedBytes: found.unreferencedBytes)
    }
}
