import ArgumentParser
import DocumentDrive
import DriveCore
import DriveIndex
import FileCoordination
import Foundation

struct FindCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Finds items by name, text, type, size, date, tags and state, from the index.",
        discussion: """
            A query is words (every one must occur in the name or the text, without regard to case and accents; \
            `kind:pdf`, `modified:today`, `size:>10mb`, `author:ada`, `tag:work`, `-draft`, `a | b`, "a phrase"), or \
            Spotlight's raw syntax, as mdfind takes it. With --predicate it is a predicate as in NSPredicate. \
            docs/queries-language.md tells all of it. `docdrive watch` reads documents as they change; without it, \
            --refresh does. `@papers` is the search that --save papers kept.

            EXAMPLES
              docdrive find 'kind:image size:>10mb -screenshot' --group-by camera --count
              docdrive find --refresh '"annual report" pages:>10'
              docdrive find --predicate "kMDItemFSName LIKE[c] '*.pdf' AND ANY _kMDItemUserTags == 'work'"
            """)

    @Argument(help: ArgumentHelp("Words, or a raw query in quotes.", valueName: "query"))
    var words: [String] = []

    @Option(help: ArgumentHelp("A predicate in place of words.", valueName: "format"))
    var predicate: String?

    @Option(
        name: [.customLong("name"), .customLong("name", withSingleDash: true)],
        parsing: .unconditional,
        help: ArgumentHelp("This occurs in the name, and nothing in it means anything else.", valueName: "text"))
    var name: String?

    @Flag(help: "First look at the folder, and read all documents that changed.")
    var refresh = false

    @Flag(help: "First wait until every change made before is in the index, but for the text of documents.")
    var barrier = false

    @Flag(
        name: [.customLong("live"), .customLong("live", withSingleDash: true)],
        help: "Go on, and print what is added (+), changed (~) and removed (-), or objects with --jsonl.")
    var live = false

    @Option(
        help: ArgumentHelp("With -live, the least time between two updates; 1s unless said.", valueName: "time"),
        transform: Span.argument)
    var batch: Span?

    @Option(help: ArgumentHelp("Keep what is asked under a name, and search.", valueName: "name"))
    var save: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "By this attribute, - before it for the other way round; may be given several times.",
            valueName: "attribute"))
    var sort: [String] = []

    @Option(
        help: ArgumentHelp(
            "By the values of this attribute, times by the day; with --count only how many items have each.",
            valueName: "attribute"))
    var groupBy: String?

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

    @Option(
        help: ArgumentHelp(
            "Modified at or after: 2026-08-21, '3 days ago', 2h, 5m. Here m is minutes, among words (modified:<5m) months; min is minutes everywhere.",
            valueName: "date"), transform: DateArgument.argument)
    var since: DateArgument?

    @Option(help: ArgumentHelp("Modified before.", valueName: "date"), transform: DateArgument.argument)
    var before: DateArgument?

    @Option(help: "Only these states, such as conflict,held.")
    var state: StateList?

    @Option(
        name: [.customLong("onlyin"), .customLong("onlyin", withSingleDash: true)],
        help: ArgumentHelp("Only in this folder.", valueName: "dir"))
    var folder: PathArgument?

    @Option(
        help: """
            At most so many: the first in the order of --sort, without it any. With --group-by and --count, the largest groups.
            """)
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
        if evaluate != nil, !isBare {
            throw ValidationError("--evaluate asks what its lines ask, and answers in JSON; leave out everything else")
        }
        if live, groupBy != nil || long || nul || explain {
            throw ValidationError(
                "-live prints paths, or objects with --jsonl; leave out --group-by, --explain, -l and -0")
        }
        if live, output.json {
            throw ValidationError("-live goes on, and --json is one document; use --jsonl")
        }
        if save != nil, groupBy != nil || count || long || nul {
            throw ValidationError(
                "--save keeps what is asked, not how it is shown; leave out --group-by, --count, -l and -0")
        }
        if nul, long || groupBy != nil || output.isJSON {
            throw ValidationError("-0 prints paths and nothing else; leave out -l, --group-by, --json and --jsonl")
        }
        if long, groupBy != nil { throw ValidationError("--group-by prints paths; leave out -l") }
        if explain, output.isJSON {
            throw ValidationError("--explain has no answer in JSON; leave out --json and --jsonl")
        }
        if batch != nil, !live { throw ValidationError("--batch goes with -live") }
        if predicate != nil, !words.allSatisfy(SearchName.isWord) { throw Self.wordsAndPredicate }
    }

    private static let wordsAndPredicate = ValidationError("Give words or --predicate, not both")

    func work() async throws -> ExitStatus {
        if let evaluate { return try EvaluationRun(evaluate).run() }
        if explain, !words.contains(where: SearchName.isWord), folder == nil, !isInDrive {
            try FindRequest(asked(words, in: nil), base: nil, folder: nil).explain(nil)
            return .done
        }
        let place = try DrivePlace(folder).found()
        let inside = try folder?.folder(in: place, for: "-onlyin")
        let (words, base) = try refining(SavedSearches(place))
        let search = asked(words, in: inside)
        let request = try FindRequest(search, base: base, folder: inside)
        if inside == nil { try checkFolder(of: base, in: place) }
        if save != nil, inside?.base64IfNeeded != nil {
            throw DriveError(
                .usage, "the folder's name is no text; leave out --save or -onlyin", path: inside?.description)
        }
        if let save { try keep(base.map { try $0.joined(with: search) } ?? search, as: save, place) }
        if refresh { try await DocumentRefresh(folder: place).run() }
        if barrier { try await Inherited.joining(place) { try await DriveClient.barrier(place) } }
        let reader = try MappedReader.open(place)
        if explain {
            request.explain(try reader.explanation(of: request.query))
            return .done
        }
        return try await answer(request, reader, place)
    }

    /// The saved search that a word names, and the other words. The first one names one, or it is a mistake; a later one may be
    /// a word like any other.
    private func refining(_ searches: SavedSearches) throws -> (words: [String], base: SavedSearch?) {
        guard words.contains(where: SearchName.isWord) else { return (words, nil) }
        let names = try searches.names()
        let named = words.indices.filter { place in
            SearchName.isWord(words[place]) && (place == 0 || names.contains(SearchName.plain(words[place])))
        }
        guard named.count <= 1 else { throw ValidationError("Name one saved search, and add words to it") }
        let rest = words.indices.filter { !named.contains($0) }.map { words[$0] }
        if predicate != nil, !rest.isEmpty { throw Self.wordsAndPredicate }
        return (rest, try named.first.map { place in try searches.search(SearchName.plain(words[place])) })
    }

    /// That of a saved search may be gone by now.
    private func checkFolder(of base: SavedSearch?, in drive: FolderPath) throws(DriveError) {
        guard let name = base?.folder, !name.isEmpty else { return }
        let folder = drive.appending(path: DrivePath(bytes: Array(name.utf8)))
        guard !folder.isFolder else { return }
        throw DriveError(
            .usage,
            "the folder of this saved search is not there any more; name it where it is now by -onlyin, and keep that "
                + "by --save", path: folder.description)
    }

    private func answer(_ request: FindRequest, _ first: DriveReader, _ place: FolderPath) async throws -> ExitStatus {
        var reader = first
        let printer = FoundPrinter(
            output: output, nul: nul, long: long, ShellPaths(place, base: reader.path(of: .currentFolder)))
        if live {
            if let obstacle = try DriveHolder.obstacle(place) {
                let reason = obstacle.sentence ?? "nothing watches the drive: changes come after each `docdrive sync`"
                Output.error("docdrive: \(reason)")
            }
            try await LiveFind(
                request: request, output: output, printer: printer, countsOnly: count,
                batch: batch.map { .seconds($0.seconds) } ?? .seconds(1)
            ).run(place)
            return .done
        }
        if refresh {
            // Damage shows when it is read.
            _ = try request.count(reader)
            if reader.isSearchDamaged {
                try await DocumentRefresh(folder: place, isChecked: true).run()
                reader = try MappedReader.open(place)
            }
        }
        let number = try print(request, reader, printer)
        Output.flush()
        try await SearchNotes(reader: reader, asksDocuments: request.question.asksDocuments).print()
        return failEmpty && number == 0 ? .no : .done
    }

    /// Returns how many there are.
    private func print(_ request: FindRequest, _ reader: DriveReader, _ printer: FoundPrinter) throws -> Int {
        if let groupBy {
            let groups = GroupPrinter(output: output, attribute: try AttributeWord.listing(groupBy), printer: printer)
            let items = try count ? request.all(reader) : request.results(reader)
            count ? groups.printCounts(items, limit: request.limit) : groups.printItems(items)
            return items.count
        }
        if count {
            let number = try request.count(reader)
            if !output.printJSON(CountJSON(count: number)) { Output.line("\(number)") }
            return number
        }
        if printer.needsItems {
            let found = try request.found(reader)
            printer.print(found)
            return found.count
        }
        let paths = try request.paths(reader)
        printer.print(paths)
        return paths.count
    }

    /// The arguments as they were given.
    private func asked(_ words: [String], in folder: DrivePath?) -> SavedSearch {
        var search = SavedSearch()
        search.words = words.map(RawArguments.shown)
        search.predicate = predicate.map(RawArguments.shown)
        search.name = name.map(RawArguments.shown)
        search.extensions = extensions
        search.kind = kind?.text
        search.size = size?.text
        search.since = since?.text
        search.before = before?.text
        search.state = state?.text
        search.folder = folder?.description
        search.sort = sort
        search.limit = limit
        return search
    }

    private func keep(_ search: SavedSearch, as name: String, _ place: FolderPath) throws {
        // What cannot be asked is not kept, least of all in the place of a search that can.
        _ = try FindRequest(search, base: nil, folder: nil)
        let name = SearchName.plain(name)
        let searches = SavedSearches(place)
        let replaced = try searches.names().contains(name) ? " in place of the one that had this name" : ""
        try searches.save(search, as: name)
        Output.error("docdrive: kept\(replaced); `docdrive find \(Escaped.text(SearchName.word(name)))` runs it again")
    }

    /// Nothing but `--evaluate` is said.
    private var isBare: Bool {
        !asks && groupBy == nil && !live && !explain && !refresh && !barrier && save == nil && !count && !long && !nul
            && !failEmpty && !output.isJSON
    }

    /// Something is to be found.
    private var asks: Bool {
        !words.isEmpty || predicate != nil || name != nil || extensions != nil || kind != nil || size != nil
            || since != nil || before != nil || state != nil || folder != nil || !sort.isEmpty || limit != nil
    }

    /// Then the query is explained with the indexes that are there.
    private var isInDrive: Bool { (try? DrivePlace(nil).found()) != nil }
}
