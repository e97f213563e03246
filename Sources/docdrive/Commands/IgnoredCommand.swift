import ArgumentParser
import DocumentDrive
import DriveCore
import FileCoordination

struct IgnoredCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "ignored",
        abstract: "What is ignored, and by which rule.",
        discussion: """
            The rules stand in .driveignore files, in any folder, in the syntax of gitignore; and ./ at the beginning of a \
            line, with which git matches nothing, is the file's folder. Lines that can match nothing are told. They count for what is in \
            their folder, from when both are first seen; what was synced before stays in the store. All devices go by \
            the same rules: a .driveignore is synced whatever a rule says of it, and so are conflict copies. Of a \
            .driveignore that is in conflict, what either side hides is hidden. Of one that cannot be read the rules that were \
            read last count, as where a symbolic link has its place; if it is another one by now, all in its folder is \
            hidden until a file is there that can be read. The folder lost+found at the top of a drive is a file system's own, and never synced. A rule \
            deletes nothing. What another \
            device that does not know it yet moves to where it hides things goes there on this device too, and is \
            hidden from then on; where something else has the place, it goes to the trash.

            EXAMPLES
              docdrive ignored
              docdrive ignored Letters
              docdrive ignored --json
            """)

    @Argument(help: ArgumentHelp("Only what is here.", valueName: "path"))
    var path: PathArgument?

    @OptionGroup var output: OutputOptions

    private enum LineJSON: Encodable {
        case ignored(IgnoredJSON)
        case idle(IdleRuleJSON)

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .ignored(let line): try line.encode(to: encoder)
            case .idle(let line): try line.encode(to: encoder)
            }
        }
    }

    private struct IgnoredJSON: Encodable {
        var v = 1
        var type = "ignored"
        var path: String
        var pathBase64: String?
        var file: String
        var fileBase64: String?
        var line: Int
        var rule: String
    }

    func work() async throws -> ExitStatus {
        let folder = try DrivePlace(path).found()
        let reader = try DriveReader(folder)
        let only = path.flatMap { reader.path(of: $0.folder) } ?? .root
        let found = try IgnoredItems(reader)
        let objects = found.items.filter { $0.path.isInside(only) || only.isInside($0.path) }.map { decision in
            IgnoredJSON(
                path: decision.path.description, pathBase64: decision.path.base64IfNeeded,
                file: decision.file.description, fileBase64: decision.file.base64IfNeeded, line: decision.line,
                rule: String(decoding: decision.text, as: UTF8.self))
        }
        // Of a rule that matches nothing only its file has a place.
        let idle = found.idle.filter { $0.file.parent.isInside(only) || only.isInside($0.file.parent) }
        if output.printJSON(objects.map(LineJSON.ignored) + idle.map { .idle(IdleRuleJSON($0)) }) { return .done }
        var table = Table()
        for object in objects {
            let isUnread = object.line == 0
            table.add(
                Escaped.text(object.path), Escaped.text(object.file) + (isUnread ? "" : ":\(object.line)"),
                isUnread ? "(cannot be read)" : Escaped.text(object.rule))
        }
        table.print()
        if objects.isEmpty { Output.line("Nothing is ignored.") }
        for rule in idle { Output.line("! \(IdleRuleJSON(rule).text)") }
        return .done
    }
}
