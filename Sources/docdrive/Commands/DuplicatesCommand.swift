import ArgumentParser
import DocumentDrive
import DriveCore

struct DuplicatesCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "dupes",
        abstract: "Lists files of equal contents, from the index.",
        discussion: """
            Reads no file: contents are equal where their SHA-256 is (without a store, where the fingerprint with the \
            drive's own key is), and each file is looked at whether it is still the one that was read. Several names of one file (hard links) count once. Empty files are left out. What would free \
            most comes first; nothing is removed.

            EXAMPLES
              docdrive dupes
              docdrive dupes Pictures --min-size 1mb
              docdrive dupes --jsonl
            """)

    @Argument(help: ArgumentHelp("Only in this folder.", valueName: "dir"))
    var folder: PathArgument?

    @Option(help: ArgumentHelp("Only files of at least this size: 10kb, 5MiB.", valueName: "size"))
    var minSize: SizeArgument?

    @OptionGroup var output: OutputOptions

    func work() async throws -> ExitStatus {
        let drive = try DrivePlace(folder).found()
        let place = try folder?.folder(in: drive, for: "dupes")
        let reader = try DriveReader(drive)
        let found = try Duplicates(reader, in: place ?? .root, minimumSize: max(1, minSize?.bytes ?? 1))
        // What is new since is not among them.
        _ = try SearchNotes.tellAge(of: reader)
        if !output.printJSON(found.groups.map(GroupJSON.init)), try !reader.isUnseen {
            print(found, ShellPaths(drive, base: reader.path(of: .currentFolder)))
        }
        if found.changed > 0 {
            Output.error(
                "docdrive: \(Quantity.count(found.changed, "file")) changed since the index was written, and "
                    + "\(found.changed == 1 ? "is" : "are") left out; `docdrive sync` looks again")
        }
        if let first = found.closed.first {
            let (others, verb) =
                found.closed.count == 1
                ? ("", "is") : (" and \(Quantity.count(found.closed.count - 1, "other file"))", "are")
            Output.error(
                "docdrive: \(Escaped.path(first))\(others) \(verb) left out: a folder above may not be entered; "
                    + "`\(Advice(drive).command("docdrive why \(first.shellText)"))` tells more")
        }
        return found.closed.isEmpty ? .done : .partly
    }

    private func print(_ found: Duplicates, _ places: ShellPaths) {
        for group in found.groups {
            Output.line("\(Quantity.count(group.paths.count)) equal files of \(Quantity.bytes(group.size)):")
            for path in group.paths { Output.line("  ", listing: places.bytes(path)) }
        }
        let surplus = found.groups.reduce(0) { $0 + $1.surplus }
        Output.line(
            found.groups.isEmpty
                ? "No two files are equal"
                : "\(Quantity.count(found.groups.count, "group")); keeping one of each would free \(Quantity.bytes(surplus))"
        )
    }

    private struct GroupJSON: Encodable {
        var v = 1
        var type = "duplicates"
        var size: UInt64
        var hash: String
        var paths: [String]
        /// Where a path is not UTF-8, all of them in the same order.
        var pathsBase64: [String?]?

        init(_ group: Duplicates.Group) {
            size = group.size
            hash = group.hash.description
            paths = group.paths.map(\.description)
            pathsBase64 = group.paths.base64IfNeeded
        }
    }
}

/// 10, 10kb (1,000), 10KiB (1,024) and so on.
struct SizeArgument: ExpressibleByArgument, Sendable {
    let bytes: UInt64

    init?(argument: String) {
        guard let bytes = SizeRange.size(argument) else { return nil }
        self.bytes = bytes
    }
}
