import DriveImporting

/// Gathers properties from `office:meta` and text from `office:body`. Notes and comments come behind the text: they
/// stand within its sentences.
final class OpenDocumentReader: MarkupReader {
    /// What the content of an element is.
    private enum Place {
        case file, document, meta, nowhere
        /// Text where it stands, and text that comes behind all of that.
        case body, aside
        /// A note or a comment, which have texts and more.
        case note
        /// A document within the document, as a chart.
        case object
    }

    /// Elements that hold what is not to be read as the document's text, as readings of words and patterns of indexes.
    private static let silent: Set<String> = [
        "tracked-changes", "forms", "binary-data", "scripts", "ruby-text", "index-title-template", "index-entry-span",
    ]
    private static let blocks: Set<String> = [
        "p", "h", "list-item", "table-row", "page", "line-break", "header-decl", "footer-decl", "date-time-decl",
    ]
    /// What words do not go through: also pictures, whose titles and descriptions stand in them.
    private static let spaces: Set<String> = ["s", "tab", "table-cell", "number", "frame", "desc"]
    private static let names: Set<String> = [
        "title", "subject", "description", "keyword", "initial-creator", "creator", "creation-date", "date", "language",
        "generator",
    ]

    var text: TextGatherer
    private var asides: TextGatherer
    private let properties: PropertyReader
    private var pages: Int64?
    /// Slides, which statistics do not count.
    private var slides: Int64 = 0
    /// Of all elements that are open.
    private var places: [Place] = []

    init(limits: ImportLimits) {
        text = TextGatherer(limit: limits.textBytes)
        asides = TextGatherer(limit: limits.textBytes)
        properties = PropertyReader(Self.names, limits: limits)
    }

    /// By where it stands: fields of a text have the names of properties, and `text:meta` that of their element.
    private static func place(of name: String, in parent: Place) -> Place {
        switch (parent, name) {
        case (.file, _): .document
        case (.document, "meta"), (.meta, _): .meta
        case (.document, "body"), (.object, "body"): .body
        case (.note, "note-body"), (.note, "p"), (.note, "list"): .aside
        case (.body, "note"), (.body, "annotation"), (.aside, "note"), (.aside, "annotation"): .note
        case (.body, "document"), (.aside, "document"): .object
        case (.body, _), (.aside, _): silent.contains(name) ? .nowhere : parent
        default: .nowhere
        }
    }

    func start(_ name: String, _ attributes: MarkupAttributes) {
        let place = Self.place(of: name, in: places.last ?? .file)
        places.append(place)
        switch place {
        case .meta:
            if name == "document-statistic" { pages = attributes["page-count"].flatMap { Int64($0) } }
            properties.start(name, attributes)
        case .body:
            // In a document, its body and what kind it is.
            if name == "page", places.count == 4 { slides += 1 }
            Self.part(at: name, &text)
        case .aside: Self.part(at: name, &asides)
        default: break
        }
    }

    func end(_ name: String) {
        switch places.popLast() ?? .file {
        case .meta: properties.end(name)
        case .body: Self.part(at: name, &text)
        case .aside: Self.part(at: name, &asides)
        default: break
        }
    }

    private static func part(at name: String, _ text: inout TextGatherer) {
        if spaces.contains(name) { text.space() }
        if blocks.contains(name) { text.line() }
    }

    func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        switch places.last {
        case .meta: properties.characters(bytes)
        case .body: text.append(bytes, collapsing: true)
        case .aside: asides.append(bytes, collapsing: true)
        default: break
        }
    }

    func metadata() -> ImportedMetadata {
        var metadata = ImportedMetadata()
        var author: String?
        for (name, text) in properties.values {
            switch name {
            case "title": metadata.set(.title, text)
            case "subject": metadata.set(.subject, text)
            case "description": metadata.set(.comment, text)
            case "keyword": metadata.add(.keywords, text)
            case "initial-creator": author = text
            case "creator": metadata.add(.editors, text)
            case "creation-date": metadata.set(.contentCreationDate, DateText.parse(text))
            case "date": metadata.set(.contentModificationDate, DateText.parse(text))
            case "language": metadata.add(.languages, text)
            case "generator": metadata.add(.encodingApplications, text)
            default: break
            }
        }
        if case .strings(let editors) = metadata[.editors], author == nil { author = editors.first }
        if let author { metadata.add(.authors, author) }
        metadata.set(.numberOfPages, slides > 0 ? slides : pages)
        var whole = text
        whole.line()
        whole.append(asides)
        metadata.set(whole)
        return metadata
    }
}
