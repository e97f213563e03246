import ArgumentParser
import DocumentDrive
import DriveCore
import FileCoordination

struct RestoreCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Brings an earlier content back, or a deleted file or folder.",
        discussion: """
            Without a version: what a deleted file held last, or what an existing one held before. Behind an @ stands the \
            beginning of a version's id, or a time. What is there now goes to the drive's trash, and `docdrive undo` \
            reverses the whole.

            EXAMPLES
              docdrive restore Thesis/thesis.tex
              docdrive restore 'Thesis/thesis.tex@2 days ago' --to Thesis/thesis-old.tex
              docdrive restore Photos --dry-run
            """)

    @Argument(
        help: ArgumentHelp("Files, PATH@VERSION, or folders of which deleted files come back.", valueName: "path"))
    var paths: [PathArgument]

    @Option(help: ArgumentHelp("Where it shall be instead; what is there must not be.", valueName: "path"))
    var to: PathArgument?

    @Flag(help: "Only tell what would happen.")
    var dryRun = false

    @OptionGroup var timeout: TimeoutOption

    func validate() throws {
        if to != nil, paths.count != 1 { throw ValidationError("--to takes one path to restore.") }
    }

    func work() async throws -> ExitStatus {
        timeout.start()
        let reader = try DriveReader(DrivePlace.holding(paths[0]))
        var chosen = try Chosen(reader)
        for path in paths { try await chosen.add(path) }
        for error in chosen.unseen { Output.error(Sentence(error).text) }
        let status = chosen.unseen.isEmpty ? ExitStatus.done : .partly
        let target = try to.map { try free($0, reader) }
        if target != nil { try checkIsOneFile(chosen, reader) }
        if dryRun { return try tell(chosen, as: target, reader) ? status : .partly }
        let act = DriveAct.restore(chosen.contents(as: target).map(\.content))
        return try await DriveActing(folder: reader.folder).perform(act) ? status : .partly
    }

    /// What would happen; false where something would not come back.
    private func tell(_ chosen: Chosen, as target: DrivePath?, _ reader: DriveReader) throws -> Bool {
        let all = chosen.contents(as: target)
        let outlooks = try reader.outlook(of: all.map(\.content))
        let place = target.map { " as \(Escaped.path($0))" } ?? ""
        var isWhole = true
        for ((path, what, _), outlook) in zip(all, outlooks) {
            switch outlook {
            case .restored: Output.line("\(Escaped.path(path)): \(what)would be restored\(place)")
            case .restoredFromCopy(let copy):
                Output.line(
                    "\(Escaped.path(path)): \(what)would be restored: the copy \(Escaped.path(copy)) would take its place, "
                        + "which ends the conflict")
            case .alreadyThere: Output.line("\(Escaped.path(path)): is already as asked for")
            case .hindered(let reason):
                if all.count == 1 { throw DriveError(.notFound, reason, path: (target ?? path).description) }
                Output.line("\(Escaped.path(path)): would not be restored: \(reason)")
                isWhole = false
            }
        }
        Output.line("Nothing was changed.")
        return isWhole
    }

    private func checkIsOneFile(_ chosen: Chosen, _ reader: DriveReader) throws {
        let count = chosen.versions.count + chosen.folders.count
        guard let first = chosen.versions.first, count == 1 else {
            throw DriveError(
                .usage,
                count == 1 ? "--to takes a file, and this is a folder" : "--to takes one file, and these are \(count)",
                path: reader.folder.description)
        }
        guard try first.path == VersionArgument(paths[0], reader, chosen.lookup).path else {
            throw DriveError(
                .usage, "--to takes a file, and this is a folder, of which one file would come back; name that file",
                path: first.path.description)
        }
    }

    private func free(_ argument: PathArgument, _ reader: DriveReader) throws -> DrivePath {
        if argument.folder.exists {
            throw DriveError(.usage, "something is there already; name a new file", path: argument.folder.description)
        }
        return try argument.path(beneath: reader.folder)
    }
}

/// What comes back.
private struct Chosen {
    private(set) var versions: [FileVersion] = []
    /// In which nothing of that was.
    private(set) var folders: [DrivePath] = []
    /// Why of some files it is not known whether they are there.
    private(set) var unseen: [DriveError] = []
    private let reader: DriveReader
    let lookup: VersionLookup

    init(_ reader: DriveReader) throws {
        self.reader = reader
        lookup = try reader.versionLookup()
    }

    /// With what is said of each.
    func contents(as target: DrivePath?) -> [(path: DrivePath, what: String, content: RestoredContent)] {
        folders.map { ($0, "", RestoredContent(path: $0.bytes, content: "")) }
            + versions.map { version in
                let content = RestoredContent(
                    path: version.path.bytes, content: version.persistentIdentifier, target: target?.bytes)
                return (version.path, "version \(version.shortID) ", content)
            }
    }

    mutating func add(_ argument: PathArgument) async throws {
        let file = try VersionArgument(argument, reader, lookup)
        if let selector = file.selector {
            // What there is under the whole name comes first, also where it is a folder.
            let isFolder = argument.folder.isFolder
            if try await addDeleted(in: file.whole, isAll: isFolder) { return }
            if isFolder { throw nothingDeleted(in: argument) }
            versions.append(try file.version(selector))
            return
        }
        // An existing file: what it was before; a deleted one: what it was last.
        if let version = file.versions.first(where: { $0.kind != .current && $0.kind != .conflict }) {
            versions.append(version)
            return
        }
        if try await addDeleted(in: file.path, isAll: true) { return }
        guard file.versions.isEmpty else { throw file.noEarlier }
        if argument.folder.isFolder { throw nothingDeleted(in: argument) }
        throw try reader.nothingKnown(of: file.path, argument, "nothing is known of a file that was here")
    }

    /// What was deleted in a folder, or the folder itself; false where there is nothing of the kind. `isAll`: nothing else can be
    /// meant, so that it is told what cannot be looked at.
    private mutating func addDeleted(in folder: DrivePath, isAll: Bool) async throws -> Bool {
        var errors: [DriveError] = []
        let deleted = try await lookup.deletedItems(in: folder) { errors.append($0) }
        let isFound = !deleted.versions.isEmpty || !deleted.emptyFolders.isEmpty
        if isFound || isAll { unseen += errors }
        versions += deleted.versions
        folders += deleted.emptyFolders
        if !isFound, isAll, let error = errors.first { throw error }
        return isFound
    }

    private func nothingDeleted(in folder: PathArgument) -> DriveError {
        DriveError(
            .notFound,
            "nothing is known of something that was deleted in it; `docdrive log PATH` tells what happened there",
            path: String(decoding: folder.bytes, as: UTF8.self))
    }
}
