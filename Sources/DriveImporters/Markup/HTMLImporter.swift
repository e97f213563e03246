import DriveImporting
import DriveTypes

/// HTML: title, what its meta elements say, and the text that people see.
struct HTMLImporter: Importer {
    let types = ["public.html", "public.xhtml"]

    func `import`(from file: ImportFile, as type: ContentType, limits: ImportLimits) throws(ImportFailure)
        -> ImportedMetadata
    {
        let bytes = try file.read(at: 0, count: limits.inputBytes)
        let isCut = file.size > bytes.count
        let declared = Self.declaredEncoding(bytes)
        guard let html = TextDecoder.decode(bytes, declared: declared, isCut: isCut) else {
            throw ImportFailure(.malformed, "its bytes are no text, whatever its name says")
        }
        return try Self.read(html, isCut: isCut, limits: limits).metadata()
    }

    static func read(_ html: String, isCut: Bool, limits: ImportLimits) throws(ImportFailure) -> HTMLReader {
        // libxml2 takes a NUL for the end.
        var html = html.utf8.contains(0) ? html.replacing("\0", with: " ") : html
        let reader = HTMLReader(limits: limits)
        let parser = try MarkupParser(.html, reader, limits: limits)
        try Self.parse(&html, with: parser)
        if isCut || parser.isStopped { reader.text.endsEarly() }
        return reader
    }

    private static func parse(_ html: inout String, with parser: MarkupParser) throws(ImportFailure) {
        var failure: ImportFailure?
        html.withUTF8 { bytes in
            do throws(ImportFailure) {
                try parser.feed(bytes)
                try parser.finish()
            } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// What `<meta charset=...>` says near the beginning.
    static func declaredEncoding(_ bytes: [UInt8]) -> String? {
        let head = String(decoding: bytes.prefix(4096), as: UTF8.self).lowercased()
        var rest = head[...]
        while let start = rest.firstRange(of: "<meta") {
            rest = rest[start.upperBound...]
            guard let found = rest.prefix(while: { $0 != ">" }).firstRange(of: "charset=") else { continue }
            let value = rest[found.upperBound...].drop { $0 == "\"" || $0 == "'" || $0 == " " }
            let name = value.prefix { $0.isLetter || $0.isNumber || "-_.:".contains($0) }
            return name.isEmpty ? nil : String(name)
        }
        return nil
    }
}

/// Gathers what an HTML document says.
final class HTMLReader: MarkupReader {
    private static let silent: Set<String> = ["script", "style", "template", "noframes", "svg"]
    private static let inline: Set<String> = [
        "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i",
        "ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u",
        "var", "wbr", "nobr", "label", "ruby", "rb", "rbc", "rt", "rtc", "rp",
    ]

    var text: TextGatherer
    private var title: TextGatherer
    private var gathered = ImportedMetadata()
    private var silence = 0
    private var preformatted = 0
    private var isInTitle = false
    /// Readings of words, which stand above them and would part them.
    private var isReading = false
    private var rubies = 0

    init(limits: ImportLimits) {
        text = TextGatherer(limit: limits.textBytes)
        title = TextGatherer(limit: limits.attributeBytes)
    }

    func metadata() -> ImportedMetadata {
        var metadata = gathered
        if !title.isEmpty { metadata.set(.title, title.finished().text) }
        metadata.set(text)
        return metadata
    }

    func start(_ name: String, _ attributes: MarkupAttributes) {
        if Self.silent.contains(name) { silence += 1 }
        switch name {
        case "title": isInTitle = title.isEmpty && silence == 0
        case "pre", "textarea": preformatted += 1
        case "meta": read(meta: attributes)
        case "html": if let language = attributes["lang"] { gathered.add(.languages, language) }
        case "img", "area":
            if let words = attributes["alt"] {
                text.space()
                text.append(words, collapsing: true)
                text.space()
            }
        case "td", "th": text.space()
        case "rt", "rp": isReading = rubies > 0
        case "rb": isReading = false
        case "ruby":
            rubies += 1
            isReading = false
        default: break
        }
        leaveLine(name)
    }

    func end(_ name: String) {
        if Self.silent.contains(name) { silence = max(0, silence - 1) }
        switch name {
        case "title": isInTitle = false
        case "pre", "textarea": preformatted = max(0, preformatted - 1)
        case "td", "th": text.space()
        case "rt", "rp": isReading = false
        case "ruby":
            rubies = max(0, rubies - 1)
            isReading = false
        default: break
        }
        leaveLine(name)
    }

    private func leaveLine(_ name: String) {
        if Self.inline.contains(name) || name == "td" || name == "th" { return }
        text.line()
        isReading = false
    }

    func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        if silence > 0 || isReading { return }
        if isInTitle { title.append(bytes, collapsing: true) }
        text.append(bytes, collapsing: preformatted == 0)
    }

    private func read(meta attributes: MarkupAttributes) {
        guard let name = attributes["name"] ?? attributes["property"], let content = attributes["content"],
            !content.isEmpty
        else { return }
        switch name.lowercased() {
        case "author", "dc.creator", "dcterms.creator": gathered.add(.authors, content)
        case "description", "dc.description", "og:description":
            if gathered[.description] == nil { gathered.set(.description, content) }
        case "keywords", "dc.subject":
            for word in content.split(whereSeparator: { $0 == "," || $0 == ";" }) {
                gathered.add(.keywords, String(word.drop { $0 == " " }))
            }
        case "dc.title", "og:title": if gathered[.title] == nil { gathered.set(.title, content) }
        case "generator": gathered.add(.encodingApplications, content)
        case "publisher", "dc.publisher", "dcterms.publisher": gathered.add(.publishers, content)
        case "copyright", "dc.rights": gathered.set(.copyright, content)
        case "date", "dc.date", "dcterms.created", "article:published_time":
            gathered.set(.contentCreationDate, DateText.parse(content))
        default: break
        }
    }
}
