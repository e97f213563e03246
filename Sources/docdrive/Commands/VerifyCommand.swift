import ArgumentParser
import DocumentDrive
import DriveCore
import FileCoordination

struct VerifyCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Reads every file and compares it with what was recorded.",
        discussion: """
            A file that was edited since the last sync is no damage: the next sync takes the edit. Damaged is a file whose \
            bytes changed while its size and dates did not: the disk has lost them, or a program wrote through a memory \
            map; the two cannot be told apart. `status` and `why` tell of it, too, until it is repaired, edited or found \
            whole. Where the inode or the change time are others (after `cp -a`, a chmod, a tag), the bytes are compared \
            all the same; if they differ, a backup was bad, or a program set the date back, and the next sync takes what is \
            there for an edit. The index is checked as well, and compared with the journals in the store where that can be \
            reached; where paths are given, only what it says of them. `docdrive store check` reads all of the store, and mends \
            it. Exits with 65 where damage is left.

            --repair fetches what was recorded from the store, and puts what was there in the trash. A file that the \
            store does not have whole is left as it is, and so is one whose inode or change time are others: it may be \
            meant, and `docdrive restore PATH` brings back what was recorded. To keep a file as it is now, save it again, or `touch` it, and \
            sync. A damaged index is put aside and made anew from folder and store.

            EXAMPLES
              docdrive verify
              docdrive verify Letters --jsonl
              docdrive verify --repair
            """)

    @Argument(help: ArgumentHelp("Only these files, and what is in these folders.", valueName: "path"))
    var paths: [PathArgument] = []

    @Flag(help: "Bring back what was recorded.")
    var repair = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var timeout: TimeoutOption

    func work() async throws -> ExitStatus {
        timeout.start()
        let folder = try DrivePlace(paths.first).found()
        let only = try paths.map { try $0.path(beneath: folder) }
        let progress = ProgressLine()
        progress.note(.phase(.check))
        let found = try await Verification(folder, only: only) { progress.note($0) }
        ProgressLine.clear()
        if found.index.isEmpty { await keep(found.files.readings, folder) }
        var report = VerifyReport(folder, found)
        if repair, !found.isWell { try await mend(found, folder, &report) }
        report.print(output)
        return report.status
    }

    /// So that others tell of it, too. What was found is told here, whether or not it can be kept.
    private func keep(_ readings: [FileReading], _ folder: FolderPath) async {
        if readings.isEmpty { return }
        do { _ = try await DriveActing(folder: folder).performed(.note(readings)) } catch {
            let reason = (error as? DriveError)?.message ?? "\(error)"
            Output.error("docdrive: `status` and `why` do not tell of it yet, since it could not be noted: \(reason)")
        }
    }

    private func mend(_ found: Verification, _ folder: FolderPath, _ report: inout VerifyReport) async throws {
        if !found.index.isEmpty {
            let aside = try Drive.rebuildIndex(folder)
            Output.error("docdrive: the damaged index lies at \(aside); a new one is made from folder and store")
            _ = try await Drive.open(folder).sync()
            // Every file was read for it, and those that were damaged are known now as what they are.
            report.isIndexRepaired = true
            return
        }
        let damaged = found.files.damaged.filter { !$0.isTouched }.map(\.path)
        if damaged.isEmpty { return }
        let acting = DriveActing(folder: folder, isTold: !output.isJSON)
        try await acting.perform(.repairFiles(damaged.map(\.bytes)), syncs: false)
        let left = try await Verification(folder, only: damaged).files.damaged.map(\.path)
        report.noteRepaired(Set(damaged).subtracting(left))
    }
}

struct VerifyReport {
    private let folder: FolderPath
    private let found: Verification
    private var repaired: Set<DrivePath> = []
    /// Whether files were to be repaired.
    private var wasTried = false
    var isIndexRepaired = false

    init(_ folder: FolderPath, _ found: Verification) {
        self.folder = folder
        self.found = found
    }

    mutating func noteRepaired(_ paths: Set<DrivePath>) {
        repaired = paths
        wasTried = true
    }

    var status: ExitStatus {
        guard found.journals.isEmpty, isRepaired else { return .corrupt }
        return found.files.unreadable.isEmpty ? .done : .partly
    }

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
            let mended = finding.repaired == true ? " (repaired)" : ""
            let name = finding.object ?? finding.path
            let place = name.isEmpty ? "" : "  \(Escaped.text(name))"
            Output.line("\(finding.what)\(place): \(Advice.text(finding.reason))\(mended)")
        }
        let files = found.files
        var parts = ["\(Quantity.count(files.files, "file")) read, \(Quantity.bytes(files.bytes))"]
        if files.changed > 0 { parts.append("\(Quantity.count(files.changed)) edited since the last sync") }
        if !files.unreadable.isEmpty { parts.append("\(Quantity.count(files.unreadable.count)) cannot be read") }
        parts.append(verdict)
        Output.line(parts.joined(separator: "; "))
        if let obstacle = found.storeObstacle {
            Output.line(Advice.text("The index was not compared with the store: \(Escaped.text(obstacle))"))
        }
        if !found.journals.isEmpty {
            Output.line(
                Advice.text(
                    "The store is damaged: `docdrive store check` names all of it; with --repair it stores again what a "
                        + "device has whole."))
        }
        for remedy in remedies { Output.line(remedy) }
    }

    private var remedies: [String] {
        if isRepaired { return [] }
        let left = found.files.damaged.filter { !repaired.contains($0.path) }
        let touched = left.first(where: \.isTouched).map { file in
            let restore = Advice(folder).command("docdrive restore \(file.path.shellText)")
            let sync = Advice(folder).command("docdrive sync")
            return
                "`\(restore)` brings back what was recorded, and puts what is there in the trash; `\(sync)` keeps what is there."
        }
        let isHealing = !found.index.isEmpty || left.contains { !$0.isTouched }
        return (isHealing ? [remedy] : []) + (touched.map { [$0] } ?? [])
    }

    private var remedy: String {
        let here = Advice.text("`docdrive verify --repair`")
        // The first command is not for this device.
        return wasTried
            ? "A device that has it whole stores it again: `docdrive store check --repair` there, then \(here) here."
            : "\(here) brings back what was recorded; what is there goes to the trash."
    }

    private var isRepaired: Bool {
        isIndexRepaired || found.index.isEmpty && repaired.count == found.files.damaged.count
    }

    private var verdict: String {
        if found.isWell { return found.journals.isEmpty ? "no damage" : "no damage here" }
        var parts: [String] = []
        if !found.files.damaged.isEmpty { parts.append("\(Quantity.count(found.files.damaged.count)) damaged") }
        if !repaired.isEmpty { parts.append("\(Quantity.count(repaired.count)) repaired") }
        if !found.index.isEmpty { parts.append("the index is \(isIndexRepaired ? "made anew" : "damaged")") }
        return parts.joined(separator: ", ")
    }
}

// As JSON.
extension VerifyReport {
    struct FindingJSON: Encodable {
        var v = 1
        var type = "finding"
        /// `damaged`, `unreadable`, `index`, or `journal`.
        var what: String
        /// In the store, of a journal.
        var object: String?
        var path: String
        var pathBase64: String?
        var reason: String
        var size: UInt64?
        /// Hashes of the contents, as in records.
        var recorded: String?
        var found: String?
        var repaired: Bool?
    }

    private struct SummaryJSON: Encodable {
        var v = 1
        var type = "verified"
        var folder: String
        var folderBase64: String?
        var files: Int
        var bytes: UInt64
        var changed: Int
        var unreadable: Int
        var damaged: Int
        var repaired: Int
        /// Objects of journals that are damaged or missing in the store.
        var journals: Int
        var isIndexWell: Bool
        var isIndexRepaired: Bool
    }

    private struct DocumentJSON: Encodable {
        var v = 1
        var type = "verification"
        var findings: [FindingJSON]
        var summary: SummaryJSON
    }

    private static func reason(_ file: DamagedFile) -> String {
        file.isTouched
            ? "its bytes changed, its size and modification time did not; another inode or change time says that it was "
                + "copied, or written and dated back"
            : "its bytes changed, its size and dates did not"
    }

    private var findings: [FindingJSON] {
        let index = found.index.map { finding in
            FindingJSON(
                what: "index", path: finding.path.isRoot ? "" : finding.path.description,
                pathBase64: finding.path.base64IfNeeded, reason: finding.reason, repaired: isIndexRepaired)
        }
        let damaged = found.files.damaged.map { file in
            FindingJSON(
                what: "damaged", path: file.path.description, pathBase64: file.path.base64IfNeeded,
                reason: Self.reason(file), size: file.size,
                recorded: file.recorded.description, found: file.found.description,
                repaired: repaired.contains(file.path))
        }
        let unreadable = found.files.unreadable.map { file in
            FindingJSON(
                what: "unreadable", path: file.path.description, pathBase64: file.path.base64IfNeeded,
                reason: file.reason)
        }
        let journals = found.journals.map { damage in
            FindingJSON(
                what: "journal", object: damage.object, path: "",
                reason: "\(damage.isMissing ? "missing" : "damaged") in the store: part of "
                    + (damage.isOwn
                        ? "this device's journal" : "the journal of \(damage.device ?? "another device")"))
        }
        return index + damaged + unreadable + journals
    }

    private var summary: SummaryJSON {
        SummaryJSON(
            folder: folder.description, folderBase64: folder.base64IfNeeded, files: found.files.files,
            bytes: found.files.bytes, changed: found.files.changed, unreadable: found.files.unreadable.count,
            damaged: found.files.damaged.count,
            repaired: repaired.count, journals: found.journals.count, isIndexWell: found.index.isEmpty,
            isIndexRepaired: isIndexRepaired)
    }
}
