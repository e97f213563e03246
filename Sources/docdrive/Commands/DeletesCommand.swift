import ArgumentParser
import DocumentDrive
import DriveCore
import FileCoordination

struct DeletesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deletes",
        abstract: "Deletes that are held because there are so many at once.",
        discussion: """
            Deletes are held when there are, within an hour, more than ten and more than a quarter of the items, or more \
            than 1,000. What was deleted here is then not told to the other devices, and what was deleted elsewhere stays \
            here; everything else goes on. It stays so until you confirm the deletes or bring the items back. Deletes \
            that follow until then are held as well; those that came before went through, and `docdrive log` names them. \
            What was made within the hour counts only among what goes at once with it, so that files that programs make \
            and remove all the time add up to nothing.

            EXAMPLES
              docdrive deletes ls
              docdrive deletes confirm
              docdrive deletes restore d17
            """,
        subcommands: [DeletesList.self, DeletesConfirm.self, DeletesRestore.self], defaultSubcommand: DeletesList.self)
}

struct DeletesList: DriveCommand {
    static let configuration = CommandConfiguration(commandName: "ls", abstract: "Lists them.")

    @OptionGroup var output: OutputOptions

    private struct HeldJSON: Encodable {
        var v = 1
        var type = "held-delete"
        var id: String
        var path: String
        var pathBase64: String?
        var kind: String
        var size: UInt64
        var deletedHere: Bool
        var deletedBy: String?
        var since: UInt64?
    }

    func work() async throws -> ExitStatus {
        let reader = try DriveReader(DrivePlace(nil).found())
        let held = try reader.heldDeletes()
        let objects = held.map { item in
            HeldJSON(
                id: item.id, path: item.path.description, pathBase64: item.path.base64IfNeeded, kind: item.kind.word,
                size: item.size, deletedHere: item.isOwn, deletedBy: item.deleter?.label,
                since: item.since)
        }
        if !output.printJSON(objects) {
            var table = Table()
            for item in held {
                table.add(
                    item.id, who(item), Quantity.bytes(item.size), Escaped.path(item.path))
            }
            table.print()
            let advice = Advice(reader.folder)
            let passed = try held.isEmpty ? 0 : reader.passedDeletes()
            if passed > 0 {
                Output.line(
                    Advice.text(
                        "\(Quantity.count(passed, "delete")) of the last hour went through before: `docdrive log`."))
            }
            Output.line(
                held.isEmpty
                    ? "No deletes are held."
                    : "`\(advice.command("docdrive deletes confirm"))` lets them through, "
                        + "`\(advice.command("docdrive deletes restore"))` brings the files back.")
        }
        return held.isEmpty ? .done : .held
    }

    private func who(_ item: HeldDelete) -> String {
        if item.isOwn { return "deleted here" }
        return item.deleter.map { "deleted by \(Escaped.text($0.label))" } ?? "deleted elsewhere"
    }
}

/// Ids as given, or everything that is listed now: never what comes to be held later.
private func chosen(_ ids: [String], _ reader: DriveReader) throws -> [String] {
    let held = try reader.heldDeletes().map(\.id)
    guard !held.isEmpty else {
        let log = "`docdrive log` names those that went through"
        guard let id = ids.first else {
            throw DriveError(.usage, "no deletes are held; \(log)", path: reader.folder.description)
        }
        throw DriveError(.usage, "no held delete has this id, and none is held now; \(log)", path: id)
    }
    return ids.isEmpty ? held : ids
}

private func decide(
    _ ids: [String], _ timeout: TimeoutOption, _ act: ([String]) -> DriveAct
) async throws -> ExitStatus {
    timeout.start()
    let folder = try DrivePlace(nil).found()
    try await DriveActing(folder: folder).perform(act(chosen(ids, DriveReader(folder))))
    return .done
}

struct DeletesConfirm: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm", abstract: "Lets exactly these deletes through; all that are listed if none is named.")

    @Argument(help: "Ids from `docdrive deletes ls`.")
    var ids: [String] = []

    @OptionGroup var timeout: TimeoutOption

    func work() async throws -> ExitStatus {
        try await decide(ids, timeout) { .confirmDeletes(ids: $0) }
    }
}

struct DeletesRestore: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Brings these back, on all devices; all that are listed if none is named.")

    @Argument(help: "Ids from `docdrive deletes ls`.")
    var ids: [String] = []

    @OptionGroup var timeout: TimeoutOption

    func work() async throws -> ExitStatus {
        try await decide(ids, timeout) { .restoreDeletes(ids: $0) }
    }
}
