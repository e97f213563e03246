import ArgumentParser
import DocumentDrive
import DriveCore

struct ConflictsShow: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Tells of one conflict what both sides are to each other.",
        discussion: """
            EXAMPLES
              docdrive conflicts show 3fa2b1-a12
              docdrive conflicts show Budget.ods
              docdrive conflicts show Budget.ods --json
            """)

    @Argument(
        help: ArgumentHelp(
            "An id from `docdrive conflicts`, or the path of the file or its copy.", valueName: "conflict"))
    var conflict: PathArgument

    @OptionGroup var output: OutputOptions

    private struct DetailJSON: Encodable {
        var v = 1
        var type = "conflict-detail"
        var id: String
        var path: String
        var pathBase64: String?
        var copy: String
        var copyBase64: String?
        var device: String?
        var time: String?
        var currentSize: UInt64?
        var copySize: UInt64?
        /// identical, copy-has-all, current-has-all, both-differ, other-bytes, unknown
        var comparison: String
    }

    func work() async throws -> ExitStatus {
        let reader = try DriveReader(DrivePlace(nil).found())
        let found = try ConflictArgument(reader).find(conflict).map { ($0, reader.comparison(of: $0)) }
        let objects = found.map { conflict, comparison in
            DetailJSON(
                id: conflict.id, path: conflict.current.description, pathBase64: conflict.current.base64IfNeeded,
                copy: conflict.copy.description, copyBase64: conflict.copy.base64IfNeeded, device: conflict.device,
                time: conflict.time, currentSize: conflict.currentFacts?.size, copySize: conflict.copyFacts?.size,
                comparison: comparison.word)
        }
        if output.printJSON(objects) { return .done }
        for (conflict, comparison) in found {
            ConflictText(conflict).print()
            Output.line("  \(comparison.sentence)")
            Output.line("  \(comparison.advice(conflict.id))")
        }
        return .done
    }
}

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

extension ConflictComparison {
    fileprivate var word: String {
        switch self {
        case .identical: "identical"
        case .copyHasAll: "copy-has-all"
        case .currentHasAll: "current-has-all"
        case .bothDiffer: "both-differ"
        case .otherBytes: "other-bytes"
        case .unknown: "unknown"
        }
    }

    fileprivate var sentence: String {
        switch self {
        case .identical: "Both have the same bytes."
        case .copyHasAll: "The copy has all lines of the file, and more."
        case .currentHasAll: "The file has all lines of the copy, and more."
        case .bothDiffer: "Each has lines that the other has not: `docdrive conflicts diff` shows them."
        case .otherBytes: "Their bytes differ; they are no texts, or too large to be compared by lines."
        case .unknown: "One of them is not here, or cannot be read."
        }
    }

    fileprivate func advice(_ id: String) -> String {
        switch self {
        case .identical, .currentHasAll: "`docdrive conflicts resolve \(id) --keep current` loses nothing."
        case .copyHasAll: "`docdrive conflicts resolve \(id) --keep copy` loses no line."
        case .bothDiffer:
            "Put into one what is missing, then `docdrive conflicts resolve \(id) --keep current` or `copy`."
        case .otherBytes: "Open both, then `docdrive conflicts resolve \(id) --keep current`, `copy` or `both`."
        case .unknown: "`docdrive sync` brings what is missing."
        }
    }
}
