import ArgumentParser
import DocumentDrive
import DriveCore
import FileCoordination

struct TagCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag",
        abstract: "Shows and changes the tags of files.",
        discussion: """
            Tags are those of your desktop (the extended attribute user.xdg.tags). They work in any folder, and travel with \
            the files of a drive. Case does not count: where there is `Work`, --add work adds nothing and --remove work \
            removes it. Accents count only where a tag has them as they are given.

            EXAMPLES
              docdrive tag thesis.odt
              docdrive tag thesis.odt --add work,urgent --remove draft
              docdrive tag *.pdf --set archive
            """)

    @Argument(help: "Files and folders.")
    var paths: [PathArgument] = []

    @Option(
        help: ArgumentHelp("Add these, separated by commas.", valueName: "tags"), transform: TagArguments.argument)
    var add: TagArguments?

    @Option(
        help: ArgumentHelp("Remove these, where they are there.", valueName: "tags"), transform: TagArguments.argument)
    var remove: TagArguments?

    @Option(help: ArgumentHelp("These and no others.", valueName: "tags"), transform: TagArguments.argument)
    var set: TagArguments?

    @Flag(help: "Remove all.")
    var clear = false

    @OptionGroup var output: OutputOptions

    @OptionGroup var timeout: TimeoutOption

    func validate() throws {
        if paths.isEmpty { throw ValidationError("Name a file: docdrive tag FILE --add TAG") }
        if set != nil, add != nil || remove != nil || clear {
            throw ValidationError("--set is all there will be; leave out --add, --remove and --clear")
        }
    }

    func work() async throws -> ExitStatus {
        timeout.start()
        if paths.count == 1 {
            show([try await change(paths[0])])
            return .done
        }
        var lines: [TagLine] = []
        for path in paths {
            // The others are independent of it.
            do { lines.append(try await change(path)) } catch let error as DriveError {
                Output.error(Sentence(error).text)
            }
        }
        show(lines)
        return lines.count < paths.count ? .partly : .done
    }

    /// What is in a drive may be used by a program that coordinates.
    private func change(_ path: PathArgument) async throws -> TagLine {
        let isShown = add == nil && remove == nil && set == nil && !clear
        guard !isShown, let drive = try Drive.find(from: path.folder.parent),
            let item = path.folder.path(beneath: drive)
        else { return try changeAtOnce(path) }
        try await DriveClient.answering(drive, within: .seconds(10))
        let coordination = try DriveCoordination.of(drive)
        let intents = [FileIntent.writing(item, options: .contentIndependentMetadataOnly)]
        return try await Inherited.joining(coordination) {
            let line = try await coordination.claiming(intents, until: .now + DriveActing.patience) { _, items in
                try changeAtOnce(path, at: FolderPath(items[0].place))
            }
            await coordination.settle()
            return line
        }
    }

    /// `place`: where it is now, if it was moved while somebody had it.
    private func changeAtOnce(_ path: PathArgument, at place: FolderPath? = nil) throws(DriveError) -> TagLine {
        let file = try Tagging(place ?? path.folder)
        let before = try file.tags()
        var tags = set != nil || clear ? TagList() : before
        for tag in set?.tags ?? [] { tags.add(word: tag) }
        for tag in remove?.tags ?? [] { tags.remove(word: tag) }
        for tag in add?.tags ?? [] { tags.add(word: tag) }
        if tags != before { try file.set(tags) }
        return TagLine(path, tags.tags)
    }

    /// After a change nothing is said, as with chmod; `--json` tells what there is now.
    private func show(_ lines: [TagLine]) {
        if output.printJSON(lines) { return }
        if add != nil || remove != nil || set != nil || clear { return }
        if lines.count == 1, paths.count == 1 {
            for tag in lines[0].tags { Output.line(Escaped.listed(tag)) }
            return
        }
        var table = Table()
        for line in lines {
            table.add(Escaped.listed(line.path), line.tags.map { Escaped.listed($0) }.joined(separator: ", "))
        }
        table.print()
    }
}

private struct TagLine: Encodable {
    let v = 1
    let type = "tags"
    var path: String
    var pathBase64: String?
    var tags: [String]

    init(_ path: PathArgument, _ tags: [String]) {
        self.path = String(decoding: path.bytes, as: UTF8.self)
        pathBase64 = path.bytes.base64IfNoText
        self.tags = tags
    }
}

/// `work,urgent`
struct TagArguments: Sendable {
    let tags: [String]

    /// As options take them.
    @Sendable static func argument(_ text: String) throws(ValidationError) -> TagArguments {
        let tags = text.split(separator: ",").map(String.init)
        // Replacement characters would stand for bytes that are no text.
        guard !tags.isEmpty, tags.allSatisfy(TagList.isValid),
            String(validating: RawArguments.bytes(text), as: UTF8.self) != nil
        else {
            throw ValidationError(
                "a tag is text in UTF-8 of 1 to 255 bytes, without control characters and blanks at its ends")
        }
        return TagArguments(tags: tags)
    }
}
