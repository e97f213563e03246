import ArgumentParser
import DocumentDrive
import DriveCore

struct ConflictsDiff: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Shows what differs between a file and its conflict copy.",
        discussion: """
            By diff(1), or by a program of your own, which gets the paths of the file and of its copy and may change both: \
            what is saved is a change like any other.

            EXAMPLES
              docdrive conflicts diff 3fa2b1-a12
              docdrive conflicts diff Letter.txt --color always | less -R
              docdrive conflicts diff Letter.txt --tool meld
            """)

    @Argument(
        help: ArgumentHelp(
            "An id from `docdrive conflicts`, or the path of the file or its copy.", valueName: "conflict"))
    var conflict: PathArgument

    @Option(
        help: ArgumentHelp("A program to compare with, and its options, as a shell reads them.", valueName: "command"))
    var tool: String?

    @Option(help: "Colours: auto, always, never. NO_COLOR counts as never.")
    var color = ColorChoice.auto

    func work() async throws -> ExitStatus {
        let reader = try DriveReader(DrivePlace(nil).found())
        var status = ExitStatus.done
        for conflict in try ConflictArgument(reader).find(conflict) {
            let sides = [conflict.current, conflict.copy].map { reader.folder.appending(path: $0) }
            for side in sides where !side.exists {
                throw DriveError(
                    .notFound, "this side of the conflict is not here; run `docdrive sync`", path: side.description)
            }
            if try !show(conflict, sides.map(\.bytes)) { status = .partly }
        }
        return status
    }

    /// False where the program failed.
    private func show(_ conflict: Conflict, _ sides: [[UInt8]]) throws -> Bool {
        if let tool {
            let script = Array("\(tool) \"$@\"".utf8)
            let code = try ForegroundProgram.run("sh", [Array("-c".utf8), script, Array("docdrive".utf8)] + sides)
            if code != 0 { Output.error("docdrive: the command of --tool ended with status \(code)") }
            return code == 0
        }
        let author = conflict.device.map { " (by \($0))" } ?? ""
        let labels = [Escaped.path(conflict.current), Escaped.path(conflict.copy) + Escaped.text(author)]
        let options =
            ["-u", "--color=\(color.isOn ? "always" : "never")"] + labels.flatMap { ["--label", $0] } + ["--"]
        // 1 is what diff says of files that differ.
        return try ForegroundProgram.run("diff", options.map { Array($0.utf8) } + sides) <= 1
    }
}
