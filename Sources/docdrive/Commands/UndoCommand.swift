import ArgumentParser
import DocumentDrive
import DriveCore
import DriveIndex
import FileCoordination

struct UndoCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Reverses what was done: a resolve, a cleaning, a restore, or what syncing brought.",
        discussion: """
            Without a number, the last thing that was asked for here and is not undone yet. With --since or --device, all \
            that was changed since then, or by that device, as far as the log reaches. Only what still is as the operation \
            left it is reversed; what is replaced goes to the trash; an undo can be undone by its own number.

            EXAMPLES
              docdrive undo --list
              docdrive undo 17 --dry-run
              docdrive undo --since '2 hours ago' --device thinkpad
            """)

    @Argument(help: ArgumentHelp("A number from `docdrive undo --list`.", valueName: "operation"))
    var operation: UInt64?

    @Flag(help: "List the operations, the newest last.")
    var list = false

    @Option(
        help: ArgumentHelp("Everything that was done at or after: 2026-08-21, '3 days ago', 2h.", valueName: "date"),
        transform: DateArgument.argument)
    var since: DateArgument?

    @Option(help: ArgumentHelp("Only what this device had changed.", valueName: "name"))
    var device: String?

    @Flag(help: "Only tell what would happen.")
    var dryRun = false

    @Flag(help: "Do not ask.")
    var yes = false

    @Option(help: "With --list: at most so many, the newest.")
    var limit = 50

    @OptionGroup var output: OutputOptions

    @OptionGroup var timeout: TimeoutOption

    func validate() throws {
        if operation != nil, since != nil || device != nil {
            throw ValidationError("Give the number of an operation, or --since and --device.")
        }
        if output.isJSON, !list { throw ValidationError("--json and --jsonl go with --list.") }
    }

    func work() async throws -> ExitStatus {
        try ListLimit.check(limit)
        timeout.start()
        let reader = try DriveReader(DrivePlace(nil).found())
        let operations = try OperationSummary.all(reader)
        if list { return show(operations) }
        let chosen = try chosen(operations, reader)
        let plan = try UndoPreview(chosen.map(\.id), device: device, reader)
        plan.print(chosen)
        guard !plan.isEmpty else {
            Output.line("Nothing was changed.")
            return .done
        }
        if dryRun {
            Output.line("Nothing was changed.")
            return .done
        }
        try Question.ask(
            "Reverse \(Quantity.count(plan.count, "change"))?", yes: yes, path: reader.folder.description)
        try await DriveActing(folder: reader.folder).perform(.undo(operations: chosen.map(\.id), device: device))
        return plan.leavesSomething ? .partly : .done
    }

    private func show(_ operations: [OperationSummary]) -> ExitStatus {
        let shown = operations.prefix(limit).reversed()
        if output.printJSON(shown.map(\.json)) { return .done }
        var table = Table()
        for operation in shown {
            table.add("\(operation.id)", Moment.minute(operation.time), operation.cause, operation.text)
        }
        table.print()
        if operations.isEmpty { Output.line("Nothing that could be undone is in the log.") }
        return .done
    }

    private func chosen(_ operations: [OperationSummary], _ reader: DriveReader) throws -> [OperationSummary] {
        if let operation {
            guard let found = operations.first(where: { $0.id == operation }) else {
                throw DriveError(
                    .usage, "the log has no operation of this number; `docdrive undo --list` lists them",
                    path: "\(operation)")
            }
            return [found]
        }
        if since != nil || device != nil {
            let from = since?.time.milliseconds ?? 0
            return operations.filter { $0.time >= from && (device == nil || $0.devices.contains(device ?? "")) }
        }
        let isUndone = Set(operations.compactMap(\.undoes))
        let last = operations.first { $0.kind.isAnAct && $0.kind != .undo && !isUndone.contains($0.id) }
        guard let last else {
            throw DriveError(
                .usage,
                "nothing that was asked for here is left to undo; `docdrive undo --list` lists everything, to be undone "
                    + "by its number", path: reader.folder.description)
        }
        return [last]
    }
}
