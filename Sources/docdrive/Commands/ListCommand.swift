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
            S synced, U uploading, D downloading, W waiting, C conflict copy, H delete held.

            EXAMPLES
              docdrive ls
              docdrive ls -lR Letters
              docdrive ls -R --state conflict,held
            """)

    @Argument(help: ArgumentHelp("The folder; the current one if left out.", valueName: "dir"))
    var folder: PathArgument?

    @Flag(name: .short, help: "With size and date.")
    var long = false

    @Flag(name: [.customShort("R"), .long], help: "With everything in its folders.")
    var recursive = false

    @Option(help: "Only these states, such as conflict,held or CH; `pending` is what is on its way.")
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
        let place = folder?.folder ?? .currentFolder
        let reader = try DriveReader(DrivePlace(folder).found())
        let root = reader.path(of: place) ?? .root
        let items = try reader.items(in: root).filter { item in
            (recursive || item.path.parent == root) && (state.map { $0.states.contains(item.state) } ?? true)
        }
        ItemPrinter(output: output, nul: nul, long: long, base: root).print(items)
        return .done
    }
}

/// Prints items as a list, as JSON, or as bare paths.
struct ItemPrinter {
    let output: OutputOptions
    let nul: Bool
    let long: Bool
    /// Paths are printed relative to it.
    let base: DrivePath

    func print(_ items: [FoundItem]) {
        if output.printJSON(items.map(ItemJSON.init)) { return }
        if nul {
            for item in items { Output.bytes(relative(item.path).bytes + [0]) }
            return
        }
        for item in items {
            let end = item.kind == .folder ? "/" : ""
            let size = item.kind == .folder ? "-" : Quantity.bytes(item.size)
            let padded = String(repeating: " ", count: max(0, 10 - size.count)) + size
            let detail = long ? "\(padded)  \(Moment.minute(item.modified))  " : ""
            Output.line("\(output.color.letter(item.state))  \(detail)\(Escaped.path(relative(item.path)))\(end)")
        }
    }

    private func relative(_ path: DrivePath) -> DrivePath {
        path.isInside(base) ? DrivePath(Array(path.components.dropFirst(base.components.count))) : path
    }
}
