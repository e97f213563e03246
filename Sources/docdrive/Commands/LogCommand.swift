import ArgumentParser
import DocumentDrive
import DriveCore
import FileCoordination

struct LogCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "What changed, when, by which device, and why.",
        discussion: """
            The newest come last. The number names the operation, which `docdrive undo` reverses. A path need not be there \
            any more. What was renamed or moved, also with its folder, is followed back to its earlier names.

            EXAMPLES
              docdrive log
              docdrive log Letters/Budget.ods
              docdrive log --since '2 days ago' --jsonl
            """)

    @Argument(help: ArgumentHelp("Only this item, and what is in it.", valueName: "path"))
    var path: PathArgument?

    @Option(
        help: ArgumentHelp(
            "Only what happened at or after: 2026-08-21, '3 days ago', 2h, 5m (minutes), 6mo.", valueName: "date"),
        transform: DateArgument.argument)
    var since: DateArgument?

    @Option(help: "At most so many, the newest.")
    var limit = 1_000

    @OptionGroup var output: OutputOptions

    func work() async throws -> ExitStatus {
        try ListLimit.check(limit)
        let reader = try DriveReader(path.map(DrivePlace.holding) ?? DrivePlace(nil).found())
        let only = try path.map { try $0.path(beneath: reader.folder) }
        let from = since?.time.milliseconds ?? 0
        let all = try reader.index.events(limit: only == nil && since == nil ? limit : .max)
        let ofItem = try only.map { try ItemLog(of: $0, isThere: reader.item(at: $0) != nil, all).newestFirst }
        let events = (ofItem ?? all).filter { $0.time >= from }.prefix(limit).reversed()
        if let only, events.isEmpty, since == nil { try checkIsKnown(only, reader) }
        if output.printJSON(events.map { EventReport($0) }) { return .done }
        for event in events {
            let number = event.operation.map { "\($0.id)" } ?? "-"
            let place = String(repeating: " ", count: max(0, 4 - number.count)) + number
            Output.line("\(Moment.minute(event.time)) \(place)  \(EventPrinter.text(event))\(Self.cause(event))")
        }
        return .done
    }

    /// A misspelled path has no history, which is no answer.
    private func checkIsKnown(_ item: DrivePath, _ reader: DriveReader) throws {
        guard let path, try reader.explanation(of: item).cause == .unknown else { return }
        throw DrivePlace.misspelled(path.folder)
            ?? DriveError(
                .usage, "nothing is known of it yet; `docdrive sync` looks at the folder", path: item.description)
    }

    /// Why, where the rest does not tell.
    private static func cause(_ event: DriveEvent) -> String {
        guard let operation = event.operation, operation.kind.isAnAct else { return "" }
        return "  by \(operation.kind.cause)" + (operation.undoes.map { " of \($0)" } ?? "")
    }
}
