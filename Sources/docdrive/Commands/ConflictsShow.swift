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

    func work() async throws -> ExitStatus {
        let reader = try DriveReader(DrivePlace(nil).found())
        let found = try ConflictArgument(reader).find(conflict).map { ($0, reader.comparison(of: $0)) }
        let objects = found.map { ConflictJSON($0, comparison: $1.word) }
        if output.printJSON(objects) { return .done }
        for (conflict, comparison) in found {
            ConflictText(conflict).print()
            Output.line("  \(Advice.text(comparison.sentence(conflict)))")
            Output.line("  \(Advice.text(comparison.advice(conflict)))")
        }
        return .done
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
        case .folder: "folder"
        case .delete: "delete"
        case .held: "held"
        case .unknown: "unknown"
        }
    }

    fileprivate func sentence(_ conflict: Conflict) -> String {
        switch self {
        case .identical: "Both have the same bytes."
        case .copyHasAll: "The copy has all lines of the file, and more."
        case .currentHasAll: "The file has all lines of the copy, and more."
        case .bothDiffer: "Each has lines that the other has not: `docdrive conflicts diff \(conflict.id)` shows them."
        case .otherBytes:
            "Their bytes differ; they are no texts (links are none), or too large to be compared by lines."
        case .folder: "A folder has the name of the file, so the file is shown as a copy; there is nothing to compare."
        case .delete: "One device deleted the file while another edited it; there is nothing to compare."
        case .held: "One of them was deleted here, and that delete is held until you decide."
        case .unknown: "One of them is not here, or cannot be read."
        }
    }

    fileprivate func advice(_ conflict: Conflict) -> String {
        let id = conflict.id
        return switch self {
        case .identical, .currentHasAll: "`docdrive conflicts resolve \(id) --keep current` loses nothing."
        case .copyHasAll: "`docdrive conflicts resolve \(id) --keep copy` loses no line."
        case .bothDiffer where conflict.suggestion == .merge:
            "`docdrive conflicts resolve \(id) --merge` makes one of both; no line that either has added is lost."
        case .bothDiffer:
            "Put into the file what only the copy has, then `docdrive conflicts resolve \(id) --keep current`."
        case .otherBytes: "Open both, then `docdrive conflicts resolve \(id) --keep current`, `copy` or `both`."
        case .folder:
            "`docdrive conflicts resolve \(id) --keep both` makes the copy a file of its own, "
                + "`--keep current` moves it to the trash."
        case .delete:
            "`docdrive conflicts resolve \(id) --keep current` keeps the file, `--keep copy` deletes it."
        case .held: "`docdrive deletes ls` shows it: confirm it, or bring the file back."
        case .unknown: "`docdrive sync` looks again, and brings what is missing."
        }
    }
}
