import ArgumentParser
import DocumentDrive
import DriveCore

struct TransportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transport",
        abstract: "How devices meet.",
        discussion: """
            EXAMPLES
              docdrive transport test /media/stick
              docdrive transport test sftp://nas/~/drive
              docdrive transport test 's3://letters?endpoint=https://s3.example'
            """,
        subcommands: [TransportTestCommand.self])
}

struct TransportTestCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Tries whether a place can hold a store, and prints what it keeps of what a drive relies on.",
        discussion: """
            Works in a folder of its own there, and removes it, or names it where that is not allowed; nothing else is read or \
            touched. Ends with 0 where a store is in good hands there, 1 where data or syncing would be at risk, 2 where only \
            removing is refused or leaves something, 10 where there is no room to try it.

            EXAMPLES
              docdrive transport test /media/stick
              docdrive transport test sftp://nas/~/drive
              docdrive transport test 's3://letters?endpoint=https://s3.example' --quick --json
            """)

    @Argument(
        help: ArgumentHelp(
            "The place: a folder's path, s3://BUCKET/..., webdavs://HOST/... or sftp://HOST/...", valueName: "url"))
    var url: PathArgument

    @Flag(help: "Smaller objects and fewer rounds.")
    var quick = false

    @Flag(help: "The findings as a JSON document.")
    var json = false

    @OptionGroup var timeout: TimeoutOption

    func work() async throws -> ExitStatus {
        timeout.start()
        let address = try StoreAddress(url.bytes)
        if let caution = address.caution { Output.error("docdrive: \(caution)") }
        do {
            return try await run(address, nil)
        } catch let error as DriveError where error.kind == .notAuthenticated {
            guard case .remote(let url) = address, url.takesCredentials, let credentials = SignIn(url: url).ask() else {
                throw error
            }
            return try await run(address, credentials)
        }
    }

    private func run(_ address: StoreAddress, _ credentials: StoreCredentials?) async throws -> ExitStatus {
        var trial = StoreTrial(address, credentials: credentials)
        if quick { (trial.largest, trial.commits) = (8 << 20, 5) }
        var findings: [StoreTrial.Finding] = []
        try await trial.run { finding in
            findings.append(finding)
            if !json { show(finding) }
        }
        let verdict = TrialVerdict(findings)
        if json {
            Output.line(JSONText.document(TrialReport(store: address.text, isFit: verdict.isFit, findings: findings)))
        } else {
            Output.line(sentence(verdict, address))
        }
        return switch verdict {
        case .good: .done
        case .growing, .untidy: .partly
        case .unfit: .no
        }
    }

    private func sentence(_ verdict: TrialVerdict, _ address: StoreAddress) -> String {
        let place = Escaped.text(address.text)
        return switch verdict {
        case .good: "A store is in good hands here: \(place)"
        case .growing:
            "A store can be kept here, and devices sync: \(place). It never gets smaller: contents of deleted and replaced "
                + "files stay in it, and `docdrive store gc` removes nothing. Allow deleting there to get room back."
        case .untidy: "A store can be kept here: \(place). What the trial has left there is named above; remove it."
        case .unfit(let broken): "Do not keep a store here: \(Quantity.count(broken, "promise")) broken."
        }
    }

    private func show(_ finding: StoreTrial.Finding) {
        let detail = finding.detail.map { " (\(Escaped.text($0)))" } ?? ""
        let word = finding.isKept ? "kept  " : finding.isNeeded ? "BROKEN" : "lacks "
        Output.line("\(word)  \(finding.promise)\(detail)")
        Output.flush()
    }
}

private struct TrialReport: Encodable {
    var v = 1
    var type = "transport-test"
    var store: String
    var isFit: Bool
    var findings: [StoreTrial.Finding]
}
