import ArgumentParser
import DocumentDrive
import DriveCore
import FileCoordination

struct PlanCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "What a sync would do now, item by item.",
        discussion: """
            Reads folder and store, and changes neither.

            EXAMPLES
              docdrive plan
              docdrive plan ~/Documents --json
              docdrive plan --check || docdrive sync
            """)

    @Argument(help: ArgumentHelp("The drive; found from the current folder upward if left out.", valueName: "dir"))
    var folder: PathArgument?

    @Flag(
        help: "Exit with 1 if there is anything to do, with 12 if nothing but what waits for a decision about deletes.")
    var check = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var timeout: TimeoutOption

    private struct StepJSON: Encodable {
        var v = 1
        var type = "step"
        var direction: String
        var action: String
        var path: String
        var pathBase64: String?
        var from: String?
        var fromBase64: String?
        var bytes: UInt64
    }

    func work() async throws -> ExitStatus {
        timeout.start()
        let plan = try await SyncPlan.make(for: DrivePlace(folder).found())
        let objects = plan.steps.map { step in
            StepJSON(
                direction: step.direction.rawValue, action: step.action, path: step.path.description,
                pathBase64: step.path.base64IfNeeded, from: step.from?.description,
                fromBase64: step.from?.base64IfNeeded, bytes: step.bytes)
        }
        if !output.printJSON(objects) { PlanPrinter(plan: plan).print() }
        guard check else { return .done }
        return !plan.isEmpty ? .no : plan.steps.isEmpty ? .done : .held
    }
}

/// A plan for people.
struct PlanPrinter {
    let plan: SyncPlan

    func print() {
        var table = Table()
        for step in plan.steps {
            let was = step.from.map { "  (was \(Escaped.path($0)))" } ?? ""
            table.add(
                step.direction.rawValue, step.action, step.bytes > 0 ? Quantity.bytes(step.bytes) : "-",
                Escaped.path(step.path) + was)
        }
        table.print()
        let waiting = plan.steps.filter(\.waitsForDelete).count
        let held = plan.steps.filter(\.isHeld).count - waiting
        if held > 0 {
            Output.line(
                "\(Quantity.count(held)) \(held == 1 ? "delete is" : "deletes are") held until you decide: "
                    + Advice.text("`docdrive deletes ls` lists what a sync held"))
        }
        if waiting > 0 {
            Output.line(
                "\(Quantity.count(waiting)) \(waiting == 1 ? "change waits" : "changes wait") for that, in folders or in places "
                    + "whose delete is held: \(Advice.text("`docdrive why PATH` names which"))")
        }
        let sent = plan.steps.filter { $0.direction == .send && !$0.isHeld }
        let brought = plan.steps.filter { $0.direction == .bring && !$0.isHeld }
        Output.line(
            plan.isEmpty
                ? "Nothing to do."
                : "\(Quantity.count(sent.count)) to send (\(Quantity.bytes(sent.map(\.bytes).clampedSum()))), "
                    + "\(Quantity.count(brought.count)) to bring (\(Quantity.bytes(brought.map(\.bytes).clampedSum())))"
        )
    }
}
