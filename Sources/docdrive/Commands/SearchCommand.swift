import ArgumentParser
import DocumentDrive
import DriveCore

struct SearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Saved searches.",
        discussion: """
            `docdrive find --save NAME ...` keeps a search, as it was written, for this drive on this device; \
            `docdrive find @NAME` runs it, with further words and options if you like: \
            `docdrive find --save papers 'kind:pdf modified:<30d'`, then `docdrive find @papers ada --sort -size`.

            EXAMPLES
              docdrive search ls
              docdrive search show papers
              docdrive search rm papers
            """,
        subcommands: [SearchList.self, SearchShow.self, SearchRemove.self], defaultSubcommand: SearchList.self)
}

struct SearchList: DriveCommand {
    static let configuration = CommandConfiguration(commandName: "ls", abstract: "Lists them.")

    @OptionGroup var output: OutputOptions

    func work() async throws -> ExitStatus {
        let searches = SavedSearches(try DrivePlace(nil).found())
        var found: [NamedSearch] = []
        var status = ExitStatus.done
        for name in try searches.names() {
            do { found.append(NamedSearch(name: name, search: try searches.search(name))) } catch {
                // The others are there all the same.
                Output.error(Sentence(error).text)
                status = .partly
            }
        }
        if output.printJSON(found) { return status }
        var table = Table()
        for search in found { table.add(Escaped.text("@\(search.name)"), Escaped.text(search.search.commandLine)) }
        table.print()
        return status
    }
}

struct SearchShow: DriveCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Prints what one asks.")

    @Argument(help: "Its name, with or without @.")
    var name: String

    @OptionGroup var output: OutputOptions

    func work() async throws -> ExitStatus {
        let name = SearchName.plain(name)
        let drive = try DrivePlace(nil).found()
        let found = NamedSearch(name: name, search: try SavedSearches(drive).search(name))
        if !output.printJSON(found) { Output.line(Escaped.text(Self.command(found.search, in: drive))) }
        return .done
    }

    /// For a shell in the folder that the person is in, who gets paths that can be used there.
    private static func command(_ search: SavedSearch, in drive: FolderPath) -> String {
        var search = search
        guard let here = Advice.reader.path(beneath: drive) else {
            return Advice(drive).command("docdrive find \(search.commandLine)")
        }
        let way = String(repeating: "../", count: here.components.count)
        search.folder = search.folder.map { way + $0 }
        return "docdrive find \(search.commandLine)"
    }
}

struct SearchRemove: DriveCommand {
    static let configuration = CommandConfiguration(commandName: "rm", abstract: "Forgets some.")

    @Argument(help: "Their names, with or without @.")
    var names: [String]

    func work() async throws -> ExitStatus {
        let searches = SavedSearches(try DrivePlace(nil).found())
        let known = Set(try searches.names())
        for name in names.map(SearchName.plain) where !known.contains(name) { _ = try searches.search(name) }
        for name in names { try searches.remove(SearchName.plain(name)) }
        return .done
    }
}

enum SearchName {
    static func plain(_ text: String) -> String { text.hasPrefix("@") ? String(text.dropFirst()) : text }

    /// Whether a word may name a saved search.
    static func isWord(_ word: String) -> Bool { word.hasPrefix("@") && word.count > 1 }

    /// As it is typed.
    static func word(_ name: String) -> String { "@\(name)".shellWord }
}

private struct NamedSearch: Encodable {
    var v = 1
    var type = "search"
    var name: String
    var search: SavedSearch
}

extension SavedSearch {
    /// The arguments of `find` that ask the same.
    var commandLine: String {
        var parts: [String] = []
        func add(_ option: String, _ value: String?) {
            guard let value else { return }
            // By itself it would be taken for another option.
            parts += value.utf8.first == UInt8(ascii: "-") ? ["--\(option)=\(value)"] : ["--\(option)", value]
        }
        add("predicate", predicate)
        add("name", name)
        add("ext", extensions)
        add("kind", kind)
        add("size", size)
        add("since", since)
        add("before", before)
        add("state", state)
        add("onlyin", folder)
        for key in sort { parts.append("--sort=\(key)") }
        add("limit", limit.map { "\($0)" })
        let words = plainWords
        // Words first, as people write them, unless one would be taken for an option.
        let looksLikeOption = words.contains { $0.hasPrefix("-") }
        parts = looksLikeOption ? parts + ["--"] + words : words + parts
        return parts.map(\.shellWord).joined(separator: " ")
    }

    /// Without one that would be taken for the name of a saved search, which there may be by now: all of them are read as one
    /// text, so it stands behind the word before it, or behind a blank.
    private var plainWords: [String] {
        words.reduce(into: []) { plain, word in
            guard SearchName.isWord(word) else { return plain.append(word) }
            let text = (plain.popLast().map { "\($0) " } ?? "") + word
            plain.append(SearchName.isWord(text) ? " \(text)" : text)
        }
    }
}
