import ArgumentParser
import DocumentDrive
import DriveCore
import FileCoordination
import Foundation

struct TrashCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash",
        abstract: "What syncing and cleaning removed here, and how to get it back.",
        discussion: """
            EXAMPLES
              docdrive trash ls
              docdrive trash restore 17-3f0c
              docdrive trash empty --older-than 30d
            """,
        subcommands: [TrashList.self, TrashRestore.self, TrashExport.self, TrashEmpty.self],
        defaultSubcommand: TrashList.self)
}

struct TrashList: DriveCommand {
    static let configuration = CommandConfiguration(commandName: "ls", abstract: "Lists the trash.")

    @OptionGroup var output: OutputOptions

    private struct EntryJSON: Encodable {
        var v = 1
        var type = "trash"
        var id: String
        var path: String
        var pathBase64: String?
        var size: UInt64
        var reason: String
        var time: UInt64
    }

    func work() async throws -> ExitStatus {
        let entries = try DriveReader(DrivePlace(nil).found()).trash()
        let objects = entries.map { entry in
            EntryJSON(
                id: entry.name.description, path: entry.path.description, pathBase64: entry.path.base64IfNeeded,
                size: entry.size, reason: entry.reason.rawValue, time: entry.time)
        }
        if output.printJSON(objects) { return .done }
        var table = Table()
        for entry in entries {
            table.add(
                entry.name.description, Moment.minute(entry.time), entry.reason.rawValue, Quantity.bytes(entry.size),
                Escaped.path(entry.path))
        }
        table.print()
        if entries.isEmpty { Output.line("The trash is empty.") }
        return .done
    }
}

struct TrashRestore: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Puts files back where they were, under a free name.")

    @Argument(help: "Ids from `docdrive trash ls`, or paths.")
    var ids: [String]

    @OptionGroup var timeout: TimeoutOption

    func work() async throws -> ExitStatus {
        timeout.start()
        let folder = try DrivePlace(nil).found()
        let reader = try DriveReader(folder)
        let trash = try reader.trash()
        let names = try ids.map { id in
            let path = reader.path(of: FolderPath(RawArguments.bytes(id)))
            // The newest of a path; an id names one.
            let found = trash.first { $0.name.description == id } ?? trash.last { $0.path == path }
            guard let found else {
                throw DriveError(.usage, "the trash does not have it; `docdrive trash ls` lists what it has", path: id)
            }
            return found.name.description
        }
        return try await DriveActing(folder: folder).perform(.restoreTrash(names: names)) ? .done : .partly
    }
}

struct TrashExport: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Copies everything in the trash into a folder, under its old path.")

    @Argument(help: "A new or empty folder.")
    var target: PathArgument

    func work() async throws -> ExitStatus {
        let reader = try DriveReader(DrivePlace(nil).found())
        try target.refuseFile("give a new or an empty folder")
        let count = try TrashExporter(reader).export(to: target.folder)
        Output.line("\(Quantity.count(count, "file")) written to \(Escaped.text(target.folder.description))")
        return .done
    }
}

struct TrashEmpty: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "empty", abstract: "Removes what is in the trash for good.")

    @Option(
        help: ArgumentHelp("Only what has been there for longer: 30d, 6mo; m is minutes.", valueName: "time"),
        transform: Span.argument)
    var olderThan: Span?

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var timeout: TimeoutOption

    func work() async throws -> ExitStatus {
        timeout.start()
        let folder = try DrivePlace(nil).found()
        // By the dates that `trash ls` shows. Without a limit also what came while the clock was ahead.
        let limit = olderThan.map { (Date().timeIntervalSince1970 - $0.seconds) * 1000 } ?? .infinity
        let entries = try DriveReader(folder).trash().filter { Double($0.time) <= limit }
        guard !entries.isEmpty else {
            Output.line("Nothing to remove.")
            return .done
        }
        let bytes = entries.map(\.size).clampedSum()
        try Question.ask(
            "Remove \(Quantity.count(entries.count, "file")), \(Quantity.bytes(bytes)), for good?", yes: yes,
            path: folder.description)
        let act = DriveAct.emptyTrash(names: entries.map { $0.name.description })
        return try await DriveActing(folder: folder).perform(act) ? .done : .partly
    }
}
