import ArgumentParser
import DocumentDrive
import DriveCore

struct ConflictsDiff: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Shows what differs between a file and its conflict copy.",
        discussion: """
            By diff(1), or by a program of your own, which gets the paths of the file and of its copy and may change both: \
            what is saved is a change like any other. Links are compared by where they lead.

            EXAMPLES
              docdrive conflicts diff 3fa2b1-a12
              docdrive conflicts diff Letter.txt --three-way --color always | less -R
              docdrive conflicts diff Letter.txt --tool meld
            """)

    @Argument(
        help: ArgumentHelp(
            "An id from `docdrive conflicts`, or the path of the file or its copy.", valueName: "conflict"))
    var conflict: PathArgument

    @Option(
        help: ArgumentHelp("A program to compare with, and its options, as a shell reads them.", valueName: "command"))
    var tool: String?

    @Option(help: "Colours: auto, always, never. With NO_COLOR set, auto is never.")
    var color = ColorChoice.auto

    @Flag(help: "One text with what both sides made of the text that they come from; overlapping changes are marked.")
    var threeWay = false

    func validate() throws {
        try Differ.check(tool: tool)
        if threeWay, tool != nil { throw ValidationError("--three-way and --tool are two things; say one of them.") }
    }

    func work() async throws -> ExitStatus {
        let reader = try DriveReader(DrivePlace(nil).found())
        var status = ExitStatus.done
        for conflict in try ConflictArgument(reader).find(conflict) {
            guard let copy = conflict.copy else {
                throw DriveError(
                    .usage, "one side is a delete; there is nothing to compare", path: conflict.current.description)
            }
            if conflict.isAgainstFolder {
                throw DriveError(
                    .usage, "a folder has the file's name; there is nothing to compare. The file is \(copy)",
                    path: conflict.current.description)
            }
            if conflict.isHeld {
                throw DriveError(.notFound, Conflict.heldReason, path: conflict.current.description)
            }
            let sides = [conflict.current, copy].map { reader.folder.appending(path: $0) }
            for side in sides where !side.exists && !side.isLink {
                throw DriveError(
                    .notFound, "this side of the conflict is not here; run `docdrive sync`", path: side.description)
            }
            if threeWay {
                try MergedText(try reader.threeWayMerge(of: conflict)).print(color)
                continue
            }
            let author = conflict.copySide?.device.map { " (by \($0))" } ?? ""
            let labels = [Escaped.path(conflict.current), Escaped.path(copy) + Escaped.text(author)]
            if try !compare(sides, labels) { status = .partly }
        }
        return status
    }

    /// Links by where they lead: diff(1) would compare what is there.
    private func compare(_ sides: [FolderPath], _ labels: [String]) throws -> Bool {
        let differ = Differ(tool: tool, color: color)
        guard sides.contains(where: \.isLink) else { return try differ.show(sides, labels: labels) }
        let targets = try TemporaryFiles()
        defer { targets.remove() }
        let texts = try sides.enumerated().map { number, side in
            try side.linkTarget.map { try targets.write($0 + [UInt8(ascii: "\n")], "link-\(number)") } ?? side
        }
        return try differ.show(texts, labels: labels)
    }
}
