import ArgumentParser
import DocumentDrive
import DriveCore
import FileCoordination

struct WhyCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Why an item is as it is, what it waits for, and the one command that helps.",
        discussion: """
            Of everything in the drive, ignored items too, and of what was deleted or moved: who did it, when, and how to get it \
            back. docs/why.md lists all causes. Of a folder also what in it is not in step.

            In JSON, `remedy` is the command as it is to be run in the drive's folder.

            Reads only: works with nothing running and no store at hand. Exits with 1 where there never was such an item.

            EXAMPLES
              docdrive why Letters/Budget.ods
              docdrive why ~/Documents
              docdrive why --json *.odt
            """)

    @Argument(help: ArgumentHelp("The items, whether they are there or not.", valueName: "path"))
    var paths: [PathArgument]

    @OptionGroup var output: OutputOptions

    func work() async throws -> ExitStatus {
        let folder = try DrivePlace.holding(paths[0])
        let reader = try DriveReader(folder)
        let holder = try await DriveHolder.of(folder)
        var running: RunningStatus?
        if case .watch(_, let status) = holder { running = status }
        var found: [Explanation] = []
        // Once, also what is named again, or lies in a folder that is.
        var told: Set<DrivePath> = []
        let named = try paths.map { try $0.path(beneath: folder) }.filter { told.insert($0).inserted }
        for path in named {
            let explanation = try reader.explanation(of: path, running: running)
            found.append(explanation)
            guard (explanation.last ?? explanation.here)?.kind == .folder || path.isRoot else { continue }
            var inside = try reader.waiting(in: path, running: running).filter { $0.path != path && !$0.path.isRoot }
            if running == nil || running?.trouble != nil {
                let known = Set(inside.map(\.path))
                inside += try await reader.unseenExplanations(in: path, running: running)
                    .filter { !known.contains($0.path) }
            }
            found += inside.filter { !told.contains($0.path) }
            told.formUnion(inside.map(\.path))
        }
        if !output.printJSON(found.map { ExplanationJSON($0) }) {
            let advice = Advice(folder)
            for explanation in found { ExplanationText(explanation, advice, output.color).print() }
        }
        Output.flush()
        if let reason = holder.sentence { Output.error("docdrive: \(reason)") }
        return found.contains { $0.cause == .unknown } ? .no : .done
    }
}
