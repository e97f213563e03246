import ArgumentParser
import DocumentDrive
import DriveCore
import DriveIndex
import FileCoordination
import Foundation

struct FindCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Finds items by name, type, size, date, tags and state, from the index.",
        discussion: """
            A query is words (every one must occur in the name, without regard to case and accents; `kind:pdf`,
            `modified:today`, `size:>10mb`, `tag:work`, `-draft`, `a | b`), or Spotlight's raw syntax, as mdfind takes it.
            With --predicate it is a predicate as in NSPredicate. docs/queries-language.md tells all of it.

            EXAMPLES
              docdrive find 'kind:image size:>10mb -screenshot'
              docdrive find 'kMDItemFSName == "*.odt" && kMDItemFSContentChangeDate > $time.today(-7)'
              docdrive find --predicate "kMDItemFSName LIKE[c] '*.pdf' AND ANY _kMDItemUserTags == 'work'"
            """)

    @Argument(help: ArgumentHelp("Words, or a raw query in quotes.", valueName: "query"))
    var words: [String] = []

    @Option(help: ArgumentHelp("A predicate in place of words.", valueName: "format"))
    var predicate: String?

    @Option(
        name: [.customLong("name"), .customLong("name", withSingleDash: true)],
        help: ArgumentHelp("This occurs in the name, and nothing in it means anything else.", valueName: "text"))
    var name: String?

    @Flag(help: "Tell how the query is understood and what SQLite is asked, and do not search.")
    var explain = false

    @Option(
        help: ArgumentHelp(
            "Answer lines of JSON, {\"format\", \"args\", \"object\"}, each with true, false or an error; - is standard input.",
            valueName: "file"))
    var evaluate: PathArgument?

    @Option(name: .customLong("ext"), help: ArgumentHelp("One of these endings, such as pdf,odt.", valueName: "list"))
    var extensions: String?

    @Option(help: "file, folder or link.")
    var kind: KindArgument?

    @Option(help: ArgumentHelp("Sizes: 10kb.., ..5MiB, 1kb..1MiB.", valueName: "range"))
    var size: SizeRange?

    @Option(help: ArgumentHelp("Modified at or after: 2026-08-21, '3 days ago', 2h.", valueName: "date"))
    var since: DateArgument?

    @Option(help: ArgumentHelp("Modified before.", valueName: "date"))
    var before: DateArgument?

    @Option(help: "Only these states, such as conflict,held.")
    var state: StateList?

    @Option(
        name: [.customLong("onlyin"), .customLong("onlyin", withSingleDash: true)],
        help: ArgumentHelp("Only in this folder.", valueName: "dir"))
    var folder: PathArgument?

    @Option(help: "At most so many.")
    var limit: Int?

    @Flag(name: [.customLong("count"), .customLong("count", withSingleDash: true)], help: "Only how many.")
    var count = false

    @Flag(name: .short, help: "With size and date.")
    var long = false

    @Flag(name: .customShort("0"), help: "End each path with NUL.")
    var nul = false

    @Flag(help: "Exit with 1 if nothing is found.")
    var failEmpty = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if predicate != nil, !words.isEmpty { throw ValidationError("Give words or --predicate, not both") }
    }

    func work() async throws -> ExitStatus {
        if let evaluate { return try EvaluationRun(evaluate).run() }
        let question = try QueryQuestion(words: words, predicate: predicate, name: name)
        if explain {
            question.explain()
            return .done
        }
        let reader = try DriveReader(DrivePlace(folder).found())
        var query = NameQuery()
        query.predicate = question.predicate
        query.extensions = extensions?.split(separator: ",").map { String($0.drop { $0 == "." }) } ?? []
        if let kind { query.kinds = [kind.kind] }
        query.size = size?.range
        query.since = since?.time
        query.before = before?.time
        query.states = state?.states ?? []
        query.folder = folder.flatMap { reader.path(of: $0.folder) }.flatMap { $0.isRoot ? nil : $0 }
        query.limit = limit
        let found = try reader.search(query).sorted { $0.path < $1.path }
        if count {
            Output.line("\(found.count)")
        } else {
            let base = reader.path(of: .currentFolder) ?? .root
            FoundPrinter(output: output, nul: nul, long: long, drive: reader.folder, base: base).print(found)
        }
        return failEmpty && found.isEmpty ? .no : .done
    }
}

/// Prints bare paths that the shell can use, relative to the current folder where they lie in it.
private struct FoundPrinter {
    let output: OutputOptions
    let nul: Bool
    let long: Bool
    let drive: FolderPath
    let base: DrivePath

    func print(_ items: [FoundItem]) {
        if output.json || output.jsonl || long {
            ItemPrinter(output: output, nul: false, long: long, base: .root).print(items)
            return
        }
        for item in items {
            let bytes = usable(item.path)
            if nul {
                Output.bytes(bytes + [0])
            } else {
                Output.line(Escaped.text(String(decoding: bytes, as: UTF8.self)))
            }
        }
    }

    private func usable(_ path: DrivePath) -> [UInt8] {
        let here = FolderPath.currentFolder.resolved
        guard here.isInside(drive.resolved), path.isInside(base) else { return drive.bytes + [0x2F] + path.bytes }
        return DrivePath(Array(path.components.dropFirst(base.components.count))).bytes
    }
}

struct KindArgument: ExpressibleByArgument, Sendable {
    let kind: ItemKind

    init?(argument: String) {
        let kinds: [ItemKind] = [.file, .folder, .link]
        guard let kind = kinds.first(where: { $0.word == argument }) else { return nil }
        self.kind = kind
    }
}

/// `10kb..`, `..5MiB`, `1kb..2kb`, or one size exactly.
struct SizeRange: ExpressibleByArgument, Sendable {
    let range: ClosedRange<UInt64>

    init?(argument: String) {
        guard let dots = argument.range(of: "..") else {
            guard let size = Self.size(argument) else { return nil }
            range = size...size
            return
        }
        let (low, high) = (argument[..<dots.lowerBound], argument[dots.upperBound...])
        guard let least = low.isEmpty ? 0 : Self.size(low), let most = high.isEmpty ? .max : Self.size(high),
            least <= most
        else { return nil }
        range = least...most
    }

    /// 10, 10kb (1,000), 10KiB (1,024) and so on.
    static func size(_ text: some StringProtocol) -> UInt64? {
        let lower = text.lowercased()
        let digits = lower.prefix { $0.isNumber || $0 == "." }
        let units: [String: Double] = [
            "": 1, "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9, "t": 1e12, "tb": 1e12,
            "kib": 1024, "mib": 1_048_576, "gib": 1_073_741_824, "tib": 1_099_511_627_776,
        ]
        guard let number = Double(digits), let unit = units[String(lower.dropFirst(digits.count))] else { return nil }
        let value = number * unit
        return value < 1e19 ? UInt64(value) : nil
    }
}

/// 2026-08-21, 2026-08-21T14:03, `2 days ago`, or a span such as 2h, which means so long ago.
struct DateArgument: ExpressibleByArgument, Sendable {
    let time: FileTime

    init?(argument: String) {
        let now = Date().timeIntervalSince1970
        if let span = Span(argument: argument) {
            time = FileTime(seconds: Int64(now - span.seconds))
        } else if let ago = Self.ago(argument) {
            time = FileTime(seconds: Int64(now - ago))
        } else if let seconds = Self.calendar(argument) {
            time = FileTime(seconds: seconds)
        } else {
            return nil
        }
    }

    private static func ago(_ text: String) -> Double? {
        let parts = text.split(separator: " ")
        let units: [Substring: Double] = [
            "second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800, "month": 2_629_800,
            "year": 31_557_600,
        ]
        if text == "today" { return 0 }
        if text == "yesterday" { return 86_400 }
        guard parts.count == 3, parts[2] == "ago", let number = Double(parts[0]) else { return nil }
        let unit = parts[1].hasSuffix("s") ? parts[1].dropLast() : parts[1]
        return units[unit].map { $0 * number }
    }

    /// In the local time zone.
    private static func calendar(_ text: String) -> Int64? {
        let fields = text.split { $0 == "-" || $0 == "T" || $0 == " " || $0 == ":" }
        let numbers = fields.compactMap { Int32($0) }
        guard numbers.count == fields.count, [3, 5, 6].contains(numbers.count), (1...12).contains(numbers[1]),
            (1...31).contains(numbers[2])
        else { return nil }
        var parts = tm()
        parts.tm_year = numbers[0] - 1900
        parts.tm_mon = numbers[1] - 1
        parts.tm_mday = numbers[2]
        parts.tm_hour = numbers.count > 3 ? numbers[3] : 0
        parts.tm_min = numbers.count > 4 ? numbers[4] : 0
        parts.tm_sec = numbers.count > 5 ? numbers[5] : 0
        parts.tm_isdst = -1
        return Int64(mktime(&parts))
    }
}
