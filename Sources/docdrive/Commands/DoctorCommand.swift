import ArgumentParser
import DocumentDrive
import DriveCore

struct DoctorCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks what the drive needs to work, each finding with what to do.",
        discussion: """
            Looks at the folder, the drive's own files, the file system, limits, the watcher, the indexes, store and clock. \
            Exits with 78 where there is a problem; warnings alone are none.

            EXAMPLES
              docdrive doctor
              docdrive doctor ~/Documents
              docdrive doctor --json
            """)

    @Argument(help: ArgumentHelp("The drive; found from the current folder upward if left out.", valueName: "dir"))
    var folder: PathArgument?

    @OptionGroup var output: OutputOptions
    @OptionGroup var timeout: TimeoutOption

    func work() async throws -> ExitStatus {
        timeout.start()
        let given = folder?.folder ?? .currentFolder
        // A drive that cannot even be found is what the doctor is asked about.
        let found = (try? Drive.find(from: given)).flatMap { $0 }
        // One of another user is not to be looked into.
        if found == nil, let error = Drive.refused(from: given) { throw error }
        // All is well with the drive above it, which nobody asked about.
        if found != nil || FolderPath.isNowhere(given.description), let error = DrivePlace.misspelled(given) {
            throw error
        }
        if found == nil { try folder?.refuseFile("name the drive, or the folder that is to be one") }
        let place = found ?? given
        Advice.drive = found
        let findings = [Doctor.Finding("docdrive", .ok, "version \(Version.text)")] + (await Doctor(place).run())
        if !output.printJSON(findings.map { FindingJSON($0, of: place) }) { print(findings) }
        return findings.contains { $0.level == .problem } ? .needsOperator : .done
    }

    private func print(_ findings: [Doctor.Finding]) {
        var table = Table()
        for finding in findings {
            let advice = finding.advice.map { "; \($0)" } ?? ""
            table.add(finding.level.rawValue, finding.check, Escaped.text(Advice.text(finding.message + advice)))
        }
        table.print()
    }
}

/// What was looked at, for programs.
private struct FindingJSON: Encodable {
    var v = 1
    var type = "finding"
    /// Of the drive; what is found is told of it, or of what lies in it.
    var folder: String
    var folderBase64: String?
    var check: String
    var level: Doctor.Level
    var message: String
    var advice: String?

    init(_ finding: Doctor.Finding, of folder: FolderPath) {
        (self.folder, folderBase64) = (folder.description, folder.base64IfNeeded)
        (check, level, message, advice) = (finding.check, finding.level, finding.message, finding.advice)
    }
}
