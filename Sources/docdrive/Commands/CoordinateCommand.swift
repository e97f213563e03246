import ArgumentParser
import DocumentDrive
import DriveCore
import FileCoordination

struct CoordinateCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "coordinate",
        abstract: "Runs a program while nobody gets in its way.",
        discussion: """
            Waits until syncing and other programs that coordinate let go of the items, keeps them from them while the \
            program runs, and ends with its exit code. Where docdrive watches the drive, programs that show an item let go \
            of it; with --read and --merging they save it first, with another --write what they have not saved is not in \
            the file. Programs that do not coordinate are not kept from anything.

            The program finds the item's path in DOCDRIVE_ITEM. Where docdrive watches the drive, that is the new one of \
            an item that syncing moved while it was waited for, or somebody who tells of it, as --moving with --to does. \
            Of one that is not there any more, also after any other move, nothing is run (64), unless something is to \
            take its place.

            EXAMPLES
              docdrive coordinate --read Budget.ods -- cp Budget.ods /media/stick
              docdrive coordinate --write Notes.md --timeout 30s -- sh -c 'date >> Notes.md'
              docdrive coordinate --write Old --moving --to New -- mv Old New
            """)

    @Option(help: ArgumentHelp("An item that the program reads; may be repeated.", valueName: "path"))
    var read: [PathArgument] = []

    @Option(help: ArgumentHelp("An item that the program writes; may be repeated.", valueName: "path"))
    var write: [PathArgument] = []

    @Flag(help: "What it does with the items that it writes; a plain edit if left out.")
    var writing: WritingChoice?

    @Option(help: ArgumentHelp("With --moving: where to.", valueName: "path"))
    var to: PathArgument?

    @Flag(help: "It only reads what is saved: nobody is asked to save first.")
    var withoutChanges = false

    @Flag(help: "It reads a copy, whose path is in DOCDRIVE_ITEM; a folder is one zip file. The item is free then.")
    var snapshot = false

    @Option(
        help: ArgumentHelp("Wait no longer than this for the items: 30s, 10m, 2h.", valueName: "time"),
        transform: Span.argument)
    var timeout: Span?

    @Argument(parsing: .postTerminator, help: ArgumentHelp("The program and its arguments.", valueName: "command"))
    var command: [String] = []

    func validate() throws {
        if command.isEmpty { throw ValidationError("Name a program: docdrive coordinate --read FILE -- PROGRAM") }
        if read.isEmpty, write.isEmpty { throw ValidationError("Name an item: --read FILE or --write FILE") }
        if to != nil, writing != .moving || write.count != 1 {
            throw ValidationError("--to goes with --moving and one --write")
        }
        if snapshot, !write.isEmpty { throw ValidationError("--snapshot is for reading; leave out --write") }
        if writing != nil, write.isEmpty { throw ValidationError("Name what is written: --write FILE") }
    }

    func work() async throws -> ExitStatus {
        let drive = try (read.first ?? write.first).map(DrivePlace.holding) ?? DrivePlace(nil).found()
        let intents = try intents(in: drive)
        // It says who has what: without its answer nobody would ever be let in.
        try await DriveClient.answering(drive, within: .seconds(min(max(timeout?.seconds ?? 30, 1), 30)))
        let code = try await ClaimedProgram(
            words: command.map(RawArguments.bytes), intents: intents, in: drive, patience: timeout?.seconds
        ).run(DriveCoordination.of(drive))
        // The program's own, whatever it means by it.
        Output.flush()
        Interruption.finish(rawCode: code)
    }

    private func intents(in drive: FolderPath) throws -> [FileIntent] {
        var options: ReadingOptions = []
        if withoutChanges { options.insert(.withoutChanges) }
        if snapshot { options.insert(.forUploading) }
        return try read.map { item in
            .reading(
                try item.path(beneath: drive),
                options: try target(of: item, in: drive) == nil ? options : options.union(.resolvesSymbolicLink))
        }
            + write.map { .writing(try $0.path(beneath: drive), options: writing?.options ?? .plain) }
            + [to].compactMap(\.self).map { .writing(try $0.path(beneath: drive), options: .forReplacing) }
            + written(through: write, in: drive)
    }

    /// Who writes by a link writes what it leads to; who moves or deletes it does not.
    private func written(through items: [PathArgument], in drive: FolderPath) throws -> [FileIntent] {
        guard writing == nil || writing == .merging || writing == .metadata else { return [] }
        return try items.compactMap { try target(of: $0, in: drive) }.map {
            .writing($0, options: writing?.options ?? .plain)
        }
    }

    /// What a link leads to, where that is in the drive.
    private func target(of item: PathArgument, in drive: FolderPath) throws -> DrivePath? {
        guard item.folder.isLink, item.folder.resolved.exists,
            let target = item.folder.resolved.path(beneath: drive.resolved), !target.isRoot
        else { return nil }
        return target
    }
}

/// One of them at most.
enum WritingChoice: String, EnumerableFlag, Sendable {
    case deleting, moving, replacing, merging, metadata

    var options: WritingOptions {
        switch self {
        case .deleting: .forDeleting
        case .moving: .forMoving
        case .replacing: .forReplacing
        case .merging: .forMerging
        case .metadata: .contentIndependentMetadataOnly
        }
    }

    static func help(for value: WritingChoice) -> ArgumentHelp? {
        switch value {
        case .deleting: "It deletes them: whoever shows them or something in them makes room."
        case .moving: "It moves or renames them."
        case .replacing: "It puts something else in their place."
        case .merging: "It writes on top of what others have yet to save."
        case .metadata: "It changes tags and the like."
        }
    }
}
