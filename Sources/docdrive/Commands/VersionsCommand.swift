import ArgumentParser
import DocumentDrive
import DriveCore

struct VersionsCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions",
        abstract: "Earlier contents of a file, also of one that was deleted.",
        discussion: """
            What syncing, resolving, restoring or cleaning replaced or removed is kept for 30 days, in the drive's trash or \
            on the store; so are contents that were overwritten here, if a pass had looked at them. What is current is what the \
            file holds now, whether or not it has been synced. The first column names a \
            version for `restore` and `diff`.

            EXAMPLES
              docdrive versions Thesis/thesis.tex
              docdrive restore Thesis/thesis.tex@3fa2b1c9
              docdrive versions Letter.odt --json
            """)

    @Argument(help: ArgumentHelp("The file, or where it was.", valueName: "path"))
    var path: PathArgument

    @OptionGroup var output: OutputOptions

    private struct VersionJSON: Encodable {
        var v = 2
        var type = "version"
        var id: String
        var path: String
        var pathBase64: String?
        var kind: String
        var place: String
        /// Of `store`: perhaps it is not there any more.
        var mayHaveLeftTheStore: Bool?
        var size: UInt64
        /// Milliseconds since 1970, as the two below.
        var modified: Int64
        var device: String?
        var recorded: UInt64?
        var replaced: UInt64?

        init(_ version: FileVersion) {
            id = version.persistentIdentifier
            path = version.path.description
            pathBase64 = version.path.base64IfNeeded
            kind = version.kind.rawValue
            place = version.place.rawValue
            mayHaveLeftTheStore = version.mayHaveLeftTheStore ? true : nil
            size = version.size
            modified = version.modificationDate.wholeMilliseconds
            device = version.deviceName
            recorded = version.recorded
            replaced = version.replaced
        }
    }

    func work() async throws -> ExitStatus {
        let reader = try DriveReader(DrivePlace.holding(path))
        let place = try path.path(beneath: reader.folder)
        let versions = try reader.versions(of: place)
        guard !versions.isEmpty else {
            if path.folder.isFolder {
                throw DriveError(
                    .usage,
                    Advice.text(
                        "versions takes a file, and this is a folder; `docdrive log PATH` tells what happened in it"),
                    path: path.folder.description)
            }
            throw try reader.nothingKnown(of: place, path, "no file is or was here, as far as this drive knows")
        }
        if output.printJSON(versions.map(VersionJSON.init)) { return .done }
        var table = Table()
        for version in versions {
            table.add(
                version.shortID, Moment.minute(version.recorded ?? version.modificationDate.milliseconds),
                Quantity.bytes(version.size), version.deviceName.map { Escaped.text($0) } ?? "", Self.standing(version))
        }
        table.print()
        return .done
    }

    private static func standing(_ version: FileVersion) -> String {
        let place =
            switch version.place {
            case .store: version.mayHaveLeftTheStore ? ", perhaps still on the store" : ", on the store"
            case .unsent: ", not sent yet"
            case .kept: ", kept here only"
            case .gone: ", not on the store any more"
            case .trash: ", in the trash"
            case .folder: ""
            }
        switch version.kind {
        case .current: return "current"
        case .conflict: return "conflict copy"
        case .past, .deleted:
            let word = version.kind == .past ? "replaced" : "deleted"
            return word + (version.replaced.map { " \(Moment.minute($0))" } ?? "") + place
        }
    }
}
