import ArgumentParser
import DocumentDrive
import DriveCore
import DriveIndex
import FileCoordination

struct ListCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls",
        abstract: "The items of the drive with their states.",
        discussion: """
            S synced, U uploading, D downloading, W waiting, C conflict copy, H delete held: as the index has it, which \
            whoever watches the drive keeps up. `docdrive why PATH` looks at the item itself.

            EXAMPLES
              docdrive ls
              docdrive ls -lR Letters
              docdrive ls -R --state conflict,held
            """)

    @Argument(help: ArgumentHelp("A folder, or one item; the current folder if left out.", valueName: "path"))
    var path: PathArgument?

    @Flag(name: .short, help: "With size and date.")
    var long = false

    @Flag(name: [.customShort("R"), .long], help: "With everything in its folders.")
    var recursive = false

    @Option(
        help:
            "Only these states, such as conflict,held or CH; `pending` is what is on its way. With D also what is not here yet."
    )
    var state: StateList?

    @Flag(name: .customShort("0"), help: "End each path with NUL, and print nothing else.")
    var nul = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if nul, output.isJSON {
            throw ValidationError("-0 prints paths and nothing else; leave out --json and --jsonl")
        }
    }

    func work() async throws -> ExitStatus {
        let place = path?.folder ?? .currentFolder
        // What was deleted here is an item for as long as the delete is held.
        let reader = try DriveReader(path.map(DrivePlace.holding) ?? DrivePlace(nil).found())
        let target = place.resolved
        if target.isFolder, let folder = reader.path(of: target) {
            try printContents(of: folder, reader)
        } else {
            let item = try item(place, reader)
            if asksAbsent, item.kind == .folder, item.state == .downloading {
                try printContents(of: item.path, reader)
            } else {
                print([item], base: reader.path(of: .currentFolder) ?? .root)
            }
        }
        Output.flush()
        try tellNotes(reader)
        return .done
    }

    /// What is still to be brought here is listed for who asks for it, as `find` does.
    private var asksAbsent: Bool { state?.states.contains(.downloading) ?? false }

    private func printContents(of folder: DrivePath, _ reader: DriveReader) throws {
        let items =
            try recursive
            ? reader.items(in: folder, includingAbsent: asksAbsent)
            : reader.children(of: folder, includingAbsent: asksAbsent)
        print(items, base: folder)
    }

    /// What the letters do not tell.
    private func tellNotes(_ reader: DriveReader) throws {
        _ = try SearchNotes.tellAge(of: reader)
        guard let pause = try reader.pause() else { return }
        let advice = Advice(reader.folder).command("docdrive resume")
        let end = pause.until.map { "until \(Moment.minute($0)), or `\(advice)`" } ?? "until `\(advice)`"
        Output.error("docdrive: paused: nothing is sent or brought \(end)")
    }

    private func print(_ items: [FoundItem], base: DrivePath) {
        let items = items.filter { item in state.map { $0.states.contains(item.state) } ?? true }
        func relative(_ path: DrivePath) -> DrivePath {
            path.isInside(base) ? DrivePath(Array(path.components.dropFirst(base.components.count))) : path
        }
        guard nul else {
            return ItemPrinter(output: output, long: long) { relative($0).bytes }.print(items)
        }
        for item in items { Output.bytes(relative(item.path).bytes + [0]) }
    }

    /// A file, or a link that leads to no folder of the drive; links on the way to it are followed.
    private func item(_ place: FolderPath, _ reader: DriveReader) throws -> FoundItem {
        let path = place.name.flatMap { reader.path(of: place.parent.resolved.appending($0)) }
        let found = try path.flatMap { try reader.item(at: $0, includingAbsent: asksAbsent) }
        guard let found else {
            throw DrivePlace.misspelled(place)
                ?? DriveError(
                    .usage, "the drive has no such item; `docdrive why PATH` tells more", path: place.description)
        }
        return found
    }
}

/// Prints items as a list, as JSON, or as bare paths.
struct ItemPrinter {
    let output: OutputOptions
    let long: Bool
    let name: (DrivePath) -> [UInt8]

    func print(_ items: [FoundItem]) {
        if output.printJSON(items.map(ItemJSON.init)) { return }
        for item in items {
            let end = item.kind == .folder ? "/" : ""
            let size = item.kind == .folder ? "-" : Quantity.bytes(item.size)
            let date = item.modified.map { Moment.minute($0) } ?? "-"
            let detail = long ? "\(padded(size, 10))  \(padded(date, 16))  " : ""
            Output.line("\(output.color.letter(item.state))  \(detail)", listing: name(item.path), end)
        }
    }

    private func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
