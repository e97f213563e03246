import DriveImporting
import DriveTypes

/// OpenDocument: odt, ods, odp, odg and their templates.
struct OpenDocumentImporter: Importer {
    let types = ["org.oasis-open.opendocument"]

    func `import`(from file: ImportFile, as type: ContentType, limits: ImportLimits) throws(ImportFailure)
        -> ImportedMetadata
    {
        let reader = OpenDocumentReader(limits: limits)
        var isDocument = false, isEncrypted = false
        var failure: ImportFailure?
        try ZipParts.read(file, limits: limits) { (archive) throws(ImportFailure) in
            while let part = try archive.next() {
                do throws(ImportFailure) {
                    switch part.name {
                    case "meta.xml": try archive.parse(part, reader, limits: limits)
                    case "content.xml":
                        isDocument = true
                        try archive.parse(part, reader, limits: limits)
                    case "META-INF/manifest.xml":
                        let manifest = PropertyReader([], limits: limits)
                        manifest.onStart = { name, _ in if name == "encryption-data" { isEncrypted = true } }
                        try archive.parse(part, manifest, limits: limits)
                    default: continue
                    }
                } catch {
                    // Parts of an encrypted document look damaged; the manifest, which says so, comes last.
                    guard error.kind == .malformed else { throw error }
                    failure = failure ?? error
                }
            }
        }
        if isEncrypted { throw ImportFailure(.encrypted, "it is encrypted") }
        if let failure { throw failure }
        guard isDocument else { throw ImportFailure(.malformed, "it is an archive, but no OpenDocument file") }
        return reader.metadata()
    }
}

/// OpenDocument in one XML file: fodt, fods, fodp.
struct FlatOpenDocumentImporter: Importer {
    let types = ["org.oasis-open.opendocument.flat"]

    func `import`(from file: ImportFile, as type: ContentType, limits: ImportLimits) throws(ImportFailure)
        -> ImportedMetadata
    {
        let reader = OpenDocumentReader(limits: limits)
        try XMLImporter.parse(file, reader, limits: limits)
        if file.size > limits.inputBytes { reader.text.endsEarly() }
        return reader.metadata()
    }
}

/// Gathers properties from `office:meta` and text from `office:body`.
final class OpenDocumentReader: MarkupReader {
    /// Elements that hold what is not to be read as the document's text.
    private static let silent: Set<String> = ["tracked-changes", "forms", "binary-data", "scripts", "ruby-text"]
    private static let blocks: Set<String> = ["p", "h", "list-item", "table-row", "page", "line-break"]
    private static let names: Set<String> = [
        "title", "subject", "description", "keyword", "initial-creator", "creator", "creation-date", "date", "language",
        "generator",
    ]

    var text: TextGatherer
    private let properties: PropertyReader
    private var pages: Int64?
    private var isMeta = false
    private var isBody = false
    private var silence = 0

    init(limits: ImportLimits) {
        text = TextGatherer(limit: limits.textBytes)
        properties = PropertyReader(Self.names, limits: limits)
    }

    func start(_ name: String, _ attributes: MarkupAttributes) {
        switch name {
        case "meta": isMeta = true
        case "body": isBody = true
        case "document-statistic" where isMeta: pages = attributes["page-count"].flatMap { Int64($0) }
        case "s", "tab", "table-cell": text.space()
        default: break
        }
        if isMeta { properties.start(name, attributes) }
        if Self.silent.contains(name) { silence += 1 }
        if isBody, Self.blocks.contains(name) { text.line() }
    }

    func end(_ name: String) {
        if isMeta { properties.end(name) }
        if Self.silent.contains(name) { silence = max(0, silence - 1) }
        switch name {
        case "meta": isMeta = false
        case "body": isBody = false
        case "table-cell": text.space()
        default: if isBody, Self.blocks.contains(name) { text.line() }
        }
    }

    func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        if isMeta { properties.characters(bytes) }
        if isBody, silence == 0 { text.append(bytes, collapsing: true) }
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
        metadata.set(.numberOfPages, pages)
        metadata.set(text)
        return metadata
    }
}
