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
            Without a number, the last thing that was asked for here and is not undone yet; one of which nothing can be \
            reversed is named, and passed over; with --yes it ends there. With --since or --device, all that was changed since then, or by that device, \
            as far as the log reaches and is not undone yet. Only what still is as the operation left it is reversed; what \
            stays is named, and the exit code is 2. What is replaced goes to the trash; an undo can be undone by its own \
            number.

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
        help: ArgumentHelp(
            "Everything that was done at or after: 2026-08-21, '3 days ago', 2h, 5m (minutes).", valueName: "date"),
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
        if operation != nil, list { throw ValidationError("--list lists operations; it takes no number.") }
        if output.isJSON, !list { throw ValidationError("--json and --jsonl go with --list.") }
    }

    func work() async throws -> ExitStatus {
        try ListLimit.check(limit)
        timeout.start()
        let place = try DrivePlace(nil).found()
        // Of an act that was cut off the log tells nothing before.
        if try DriveReader(place).hasUnsettledAct, try await DriveClient.answering(place) == nil {
            try? await Drive.open(place).look()
        }
        let reader = try DriveReader(place)
        let planner = try UndoPlanner(reader)
        let operations = try OperationSummary.all(reader)
        if list { return show(try withRest(narrowed(operations, planner).prefix(limit), planner)) }
        if let operation {
            guard let found = operations.first(where: { $0.id == operation }) else {
                throw DriveError(
                    .usage, "the log has no operation of this number; `docdrive undo --list` lists them",
                    path: "\(operation)")
            }
            return try await reverse(withRest([found], planner), planner, reader)
        }
        if since != nil || device != nil {
            return try await reverse(OperationSummary.standing(narrowed(operations, planner)), planner, reader)
        }
        return try await reverseLast(operations, planner, reader)
    }

    /// With what is left of those that were undone.
    private func withRest(
        _ operations: some Sequence<OperationSummary>, _ planner: UndoPlanner
    ) throws -> [OperationSummary] {
        let rest = try planner.rest(of: operations.filter { $0.undoneBy != nil }.map(\.id))
        return operations.map { operation in
            var operation = operation
            operation.isUndoneInPart = rest[operation.id] != nil
            return operation
        }
    }

    private func show(_ operations: [OperationSummary]) -> ExitStatus {
        let shown = operations.reversed()
        if output.printJSON(shown.map(\.json)) { return .done }
        var table = Table()
        for operation in shown {
            table.add("\(operation.id)", Moment.minute(operation.time), operation.cause, operation.text)
        }
        table.print()
        if operations.isEmpty { Output.line("Nothing that could be undone is in the log.") }
        return .done
    }

    /// By time and device.
    private func narrowed(
        _ operations: [OperationSummary], _ planner: UndoPlanner
    ) throws -> [OperationSummary] {
        let from = since?.time.milliseconds ?? 0
        let recent = operations.filter { $0.time >= from }
        guard let device else { return recent }
        let names = try planner.deviceNames()
        guard names.all.contains(device) || operations.contains(where: { $0.devices.contains(device) }) else {
            throw DriveError(.usage, "no device of this name is known here; `docdrive log` names them", path: device)
        }
        return recent.filter { $0.devices.contains(device) || device == names.own && $0.kind != .sync }
    }

    /// What was asked for here, and could be undone at least in part.
    private func acts(_ operations: [OperationSummary], _ planner: UndoPlanner) throws -> [OperationSummary] {
        let acts = operations.filter { $0.kind.isAnAct && $0.kind != .undo }
        let rest = try planner.rest(of: acts.filter { $0.undoneBy != nil }.map(\.id)).filter { !$0.value.steps.isEmpty }
        return acts.compactMap { act in
            guard act.undoneBy != nil else { return act }
            var act = act
            act.isUndoneInPart = rest[act.id] != nil
            return act.isUndoneInPart ? act : nil
        }
    }

    /// What nothing of can be reversed is named, and does not stand in the way of what was before it.
    private func reverseLast(
        _ operations: [OperationSummary], _ planner: UndoPlanner, _ reader: DriveReader
    ) async throws -> ExitStatus {
        let acts = try acts(operations, planner)
        guard !acts.isEmpty else {
            throw DriveError(
                .usage,
                "nothing that was asked for here is left to undo; `docdrive undo --list` lists everything, to be undone "
                    + "by its number", path: reader.folder.description)
        }
        var status = ExitStatus.done
        for act in acts {
            let preview = UndoPreview(plan: try planner.plan([act.id], device: nil))
            guard preview.isEmpty else {
                // Nobody is asked, and meant another one perhaps.
                if yes, !dryRun, status == .partly {
                    Output.line(
                        Advice.text(
                            "Nothing was changed; `docdrive undo \(act.id)` reverses what was done before that."))
                    return status
                }
                let reversed = try await reverse([act], planner, reader)
                return reversed == .done ? status : reversed
            }
            preview.print([act])
            if preview.leavesSomething { status = .partly }
        }
        Output.line("Nothing was changed.")
        return status
    }

    private func reverse(
        _ chosen: [OperationSummary], _ planner: UndoPlanner, _ reader: DriveReader
    ) async throws -> ExitStatus {
        let preview = UndoPreview(plan: try planner.plan(chosen.map(\.id), device: device))
        preview.print(chosen)
        guard !preview.isEmpty, !dryRun else {
            Output.line("Nothing was changed.")
            return preview.leavesSomething ? .partly : .done
        }
        try Question.ask(
            "Reverse \(Quantity.count(preview.count, "change"))?", yes: yes, path: reader.folder.description)
        let isWhole = try await DriveActing(folder: reader.folder)
            .perform(.undo(operations: chosen.map(\.id), device: device))
        return isWhole ? .done : .partly
    }
}
