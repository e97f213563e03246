import ArgumentParser

struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Which docdrive this is.",
        discussion: """
            EXAMPLES
              docdrive version
            """)

    func run() { Output.line("docdrive \(Version.text)") }
}

enum Version {
    static let text = "0.1.0"
}

/// `docdrive help exit-codes`
enum ExitCodeHelp {
    static func print() {
        var table = Table()
        for status in ExitStatus.allCases { table.add(String(status.rawValue), status.meaning) }
        table.print()
    }
}
