import ArgumentParser
import DocumentDrive
import DriveCore

struct DiffCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Shows what differs between two versions of a file.",
        discussion: """
            PATH compares the version before with the file; PATH@A compares version A with the file; PATH@A..@B compares \
            two versions. By diff(1), or by a program of your own, which gets the paths of both.

            EXAMPLES
              docdrive diff Thesis/thesis.tex
              docdrive diff Thesis/thesis.tex@3fa2b1c9..@77d0a4e1
              docdrive diff 'Thesis/thesis.tex@2 days ago' --tool meld
            """)

    @Argument(help: ArgumentHelp("PATH, PATH@A or PATH@A..@B.", valueName: "path"))
    var path: PathArgument

    @Option(
        help: ArgumentHelp("A program to compare with, and its options, as a shell reads them.", valueName: "command"))
    var tool: String?

    @Option(help: "Colours: auto, always, never. With NO_COLOR set, auto is never.")
    var color = ColorChoice.auto

    func validate() throws { try Differ.check(tool: tool) }

    func work() async throws -> ExitStatus {
        let reader = try DriveReader(DrivePlace.holding(path))
        let (old, new) = try sides(reader)
        let files = try TemporaryFiles()
        defer { files.remove() }
        let bytes = VersionBytes(reader)
        let places = [files.path("old"), files.path("new")]
        try await bytes.write(old, to: places[0])
        try await bytes.write(new, to: places[1])
        let label = { (version: FileVersion) in
            "\(Escaped.path(version.path))@\(version.kind == .current ? "current" : version.shortID)"
        }
        return try Differ(tool: tool, color: color).show(places, labels: [label(old), label(new)]) ? .done : .partly
    }

    private func sides(_ reader: DriveReader) throws -> (FileVersion, FileVersion) {
        let (file, second) = try named(reader)
        let fallback = { (isNew: Bool) throws -> FileVersion in
            let known = file.versions.filter { $0.kind != .conflict }
            guard known.count > 1 || isNew, let version = isNew ? known.first : known.dropFirst().first else {
                try file.checkIsAFile()
                throw file.noEarlier
            }
            return version
        }
        let old = try file.selector.map(file.version) ?? fallback(false)
        return (old, try second.map(file.version) ?? fallback(true))
    }

    /// With what names the second version, if anything does. A name may have all of this of its own: what there is under the whole
    /// name comes first.
    private func named(_ reader: DriveReader) throws -> (VersionArgument, String?) {
        let lookup = try reader.versionLookup()
        let whole = try VersionArgument(path, reader, lookup)
        let isOne = whole.selector.map { !$0.contains("..") } ?? true
        if isOne, !whole.versions.isEmpty { return (whole, nil) }
        let (argument, second) = Self.split(path)
        return (try VersionArgument(argument, reader, lookup), second)
    }

    /// `PATH@A..@B` is two texts; `PATH@A..B` as well.
    private static func split(_ argument: PathArgument) -> (PathArgument, String?) {
        let bytes = argument.bytes
        guard let at = bytes.firstIndex(of: UInt8(ascii: "@")),
            let dots = bytes[at...].indices.last(where: { bytes[$0...].starts(with: Array("..".utf8)) }),
            let first = PathArgument(bytes: Array(bytes[..<dots]))
        else { return (argument, nil) }
        let rest = bytes[(dots + 2)...]
        let text = String(decoding: rest.first == UInt8(ascii: "@") ? rest.dropFirst() : rest, as: UTF8.self)
        return text.isEmpty || text.contains("/") ? (argument, nil) : (first, text)
    }
}
