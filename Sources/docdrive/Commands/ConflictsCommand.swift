import ArgumentParser
import DocumentDrive
import DriveCore
import FileCoordination

struct ConflictsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "Files that two devices wrote at once: both contents are here, one as a copy.",
        discussion: """
            EXAMPLES
              docdrive conflicts
              docdrive conflicts resolve --all --keep newest
              docdrive conflicts diff Letter.txt
            """,
        subcommands: [
            ConflictsList.self, ConflictsShow.self, ConflictsDiff.self, ConflictsResolve.self, ConflictsClean.self,
        ],
        defaultSubcommand: ConflictsList.self)
}

struct ConflictsList: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls",
        abstract: "Lists them, with what is suggested for each.",
        discussion: """
            EXAMPLES
              docdrive conflicts ls --class mergeable,superset
              docdrive conflicts ls --check
              docdrive conflicts ls --jsonl
            """)

    @Option(help: ArgumentHelp("Only of these classes: \(ConflictClassList.words).", valueName: "classes"))
    var `class`: ConflictClassList?

    @Flag(help: "Exit with 1 if there are any.")
    var check = false

    @OptionGroup var output: OutputOptions

    func work() async throws -> ExitStatus {
        let reader = try DriveReader(DrivePlace(nil).found())
        let all = try reader.conflicts()
        let conflicts = all.filter { `class`?.holds($0) ?? true }
        if !output.printJSON(conflicts.map { ConflictJSON($0) }) {
            for conflict in conflicts { ConflictText(conflict).print() }
            Output.line(
                conflicts.isEmpty
                    ? ConflictsResolve.none(but: all) : ConflictText.total(conflicts, Advice(reader.folder)))
        }
        return check && !conflicts.isEmpty ? .no : .done
    }
}

/// Classes of conflicts, by their words.
struct ConflictClassList: ExpressibleByArgument, Sendable {
    static let words = ConflictClass.words
    private let classes: Set<ConflictClass>

    init?(argument: String) {
        let found = argument.split(separator: ",").map { ConflictClass(rawValue: String($0)) }
        guard !found.isEmpty, !found.contains(nil) else { return nil }
        classes = Set(found.compactMap(\.self))
    }

    func holds(_ conflict: Conflict) -> Bool { conflict.kind.map(classes.contains) ?? false }
}

extension ConflictKeeping: ExpressibleByArgument {}

struct ConflictsResolve: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Ends conflicts; what is not kept goes to the drive's trash.",
        discussion: """
            --suggested ends what can be ended without loss: copies that add nothing go, who has all lines of the other \
            stays, and texts whose changes touch different lines are merged with the text that both come from. Of several \
            copies of one file each is compared with what the file is after the one before. Everything else stays, with \
            the reason. All that one call ends is one operation, which `docdrive undo` reverses, all but --keep both: \
            there both contents are where they were, and nothing is to be brought back.

            EXAMPLES
              docdrive conflicts resolve Letter.txt --keep copy
              docdrive conflicts resolve --all --suggested --dry-run
              docdrive conflicts resolve --all --class superset,mergeable --merge
            """)

    @Argument(help: ArgumentHelp("Ids from `docdrive conflicts`, or paths of files or copies.", valueName: "conflicts"))
    var ids: [PathArgument] = []

    @Flag(help: "Every conflict.")
    var all = false

    @Option(
        help: """
            Which content stays under the file's name; `both` makes the copy a file of its own. `newest` and `largest` \
            compare a file with all of its copies; for `copy`, name one where there are several. Where one side is a \
            delete, `current` keeps the file and `copy` deletes it.
            """)
    var keep: ConflictKeeping?

    @Flag(help: "Merge texts, by diff3(1) with the text that both sides come from.")
    var merge = false

    @Flag(help: "What loses nothing, where anything does.")
    var suggested = false

    @Option(help: ArgumentHelp("Only of these classes: \(ConflictClassList.words).", valueName: "classes"))
    var `class`: ConflictClassList?

    @Flag(help: "Only tell what would happen.")
    var dryRun = false

    @OptionGroup var timeout: TimeoutOption

    func validate() throws {
        let ways = [keep != nil, merge, suggested].count(where: \.self)
        if ways == 0 { throw ValidationError("Say how: --keep SIDE, --merge or --suggested.") }
        if ways > 1 {
            throw ValidationError("Say one way of --keep SIDE, --merge and --suggested, and leave out the others.")
        }
    }

    private var how: ConflictResolution {
        if let keep { return .keep(keep) }
        return merge ? .merge : .suggested
    }

    func work() async throws -> ExitStatus {
        timeout.start()
        let folder = try DrivePlace(nil).found()
        let reader = try DriveReader(folder)
        guard all != !ids.isEmpty else {
            throw DriveError(.usage, "name conflicts by their ids, or say --all", path: folder.description)
        }
        let named = try all ? reader.conflicts() : ConflictArgument(reader).find(ids)
        let chosen = named.filter { `class`?.holds($0) ?? true }
        if chosen.isEmpty {
            Output.line(Self.none(but: named))
            return .done
        }
        if dryRun {
            let outcomes = try reader.resolution(of: chosen, how)
            for outcome in outcomes { Output.line(Escaped.text(Advice.text(outcome.line))) }
            Output.line("Nothing was changed.")
            return outcomes.allSatisfy(\.isDone) ? .done : .partly
        }
        return try await resolve(chosen, folder)
    }

    private func resolve(_ chosen: [Conflict], _ folder: FolderPath) async throws -> ExitStatus {
        let outcomes = try await DriveActing(folder: folder).outcomes(of: .resolve(ids: chosen.map(\.id), how: how))
        // Who watches the drive has yet to look at what was done.
        try await DriveClient(folder)?.barrier()
        let after = try DriveReader(folder)
        let notDone = outcomes.count { !$0.isDone }
        if notDone < outcomes.count, try Self.canBeUndone(after) {
            Output.line(Advice.text("`docdrive undo` brings back what was."))
        }
        guard notDone > 0 else { return .done }
        let remainder = ConflictRemainder(asked: chosen, notDone: notDone, listed: try after.conflicts())
        if remainder.left > 0 { Output.line("\(Quantity.count(remainder.left, "conflict")) left.") }
        if remainder.ended > 0 {
            let ended = Quantity.count(remainder.ended, "conflict")
            Output.line(Advice.text("\(ended) ended otherwise meanwhile: `docdrive log`."))
        }
        return .partly
    }

    /// Of those that were looked at none is of the classes.
    static func none(but others: [Conflict]) -> String {
        others.isEmpty ? "No conflicts." : "None of \(Quantity.count(others.count, "conflict")) is of such a class."
    }

    /// Where all sides were kept there is nothing to bring back.
    private static func canBeUndone(_ reader: DriveReader) throws -> Bool {
        guard let last = try reader.index.operations(limit: 10).first(where: { $0.kind == .resolve }) else {
            return false
        }
        return try reader.index.events(of: last.id).contains { $0.kind != .resolved }
    }
}

/// What there is still to decide, once some of those that were asked for could not be ended.
struct ConflictRemainder {
    /// Of the whole drive, whatever was asked for.
    let left: Int
    /// They are listed no more, though nothing was done about them.
    let ended: Int

    /// What was done may be listed until the next pass has looked.
    init(asked: [Conflict], notDone: Int, listed: [Conflict]) {
        let ids = Set(asked.map(\.id))
        let still = listed.count { ids.contains($0.id) }
        let open = min(notDone, still)
        left = open + listed.count - still
        ended = notDone - open
    }
}
