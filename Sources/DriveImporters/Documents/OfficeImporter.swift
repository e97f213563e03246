import DriveImporting
import DriveTypes

/// Office Open XML: docx, xlsx, pptx.
struct OfficeImporter: Importer {
    let types = ["org.openxmlformats.openxml"]

    func `import`(from file: ImportFile, as type: ContentType, limits: ImportLimits) throws(ImportFailure)
        -> ImportedMetadata
    {
        // An encrypted document is a compound file that holds the archive.
        if try file.read(at: 0, count: 4) == [0xD0, 0xCF, 0x11, 0xE0] {
            throw ImportFailure(.encrypted, "it is encrypted, or of the old binary format")
        }
        let outline = try OfficeOutline(file, limits: limits)
        var metadata = ImportedMetadata()
        var parts = DocumentParts(limits: limits)
        var isOffice = false
        try ZipParts.read(file, limits: limits) { (archive) throws(ImportFailure) in
            while let part = try archive.next() {
                if part.name == "[Content_Types].xml" { isOffice = true }
                try Self.read(part, of: outline, from: &archive, into: &metadata, &parts, limits: limits)
            }
        }
        guard isOffice else { throw ImportFailure(.malformed, "it is an archive, but no Office document") }
        metadata.set(.numberOfPages, outline.slideCount)
        metadata.set(parts.joined())
        return metadata
    }

    private static func read(
        _ part: ZipParts.Part, of outline: OfficeOutline, from archive: inout ZipParts,
        into metadata: inout ImportedMetadata, _ parts: inout DocumentParts, limits: ImportLimits
    ) throws(ImportFailure) {
        if outline.hasProperties(part.name) {
            let reader = PropertyReader(OfficeProperties.names, limits: limits)
            try archive.parse(part, reader, limits: limits)
            for (name, text) in reader.values { OfficeProperties.set(name, text, in: &metadata) }
        } else if let group = group(of: part.name), outline.isShown(part.name) {
            if parts.isFull {
                parts.isCut = true
                return
            }
            let reader = OfficeTextReader(parts.gatherer)
            try archive.parse(part, reader, limits: limits) { reader.text.isFull }
            parts.add(reader.text, at: PartOrder(group: group, name: part.name, place: outline.place(of: part.name)))
        }
    }

    /// Which parts have text, and in what order it is read.
    private static let folders: [(prefix: String, group: Int)] = [
        ("word/document", 0), ("word/header", 1), ("word/footer", 2), ("word/footnotes", 3), ("word/endnotes", 4),
        ("word/comments", 5), ("xl/workbook", 0), ("xl/sharedStrings", 1), ("xl/worksheets/sheet", 2),
        ("xl/comments", 3), ("xl/drawings/drawing", 4), ("ppt/slides/slide", 0), ("ppt/notesSlides/notesSlide", 1),
        ("ppt/comments/", 2), ("ppt/diagrams/data", 3),
    ]

    static func group(of name: String) -> Int? {
        guard name.hasSuffix(".xml"), !name.contains("_rels") else { return nil }
        return folders.first { name.hasPrefix($0.prefix) }?.group
    }
}

/// The names of core and application properties.
private enum OfficeProperties {
    static let names: Set<String> = [
        "title", "subject", "creator", "keywords", "description", "lastModifiedBy", "created", "modified", "category",
        "language", "version", "Application", "Pages", "Company",
    ]

    static func set(_ name: String, _ text: String, in metadata: inout ImportedMetadata) {
        switch name {
        case "title": metadata.set(.title, text)
        case "subject": metadata.set(.subject, text)
        case "creator": for author in split(text, at: ";") { metadata.add(.authors, author) }
        case "keywords": for word in split(text, at: ",;") { metadata.add(.keywords, word) }
        case "description": metadata.set(.comment, text)
        case "lastModifiedBy": metadata.add(.editors, text)
        case "created": metadata.set(.contentCreationDate, DateText.parse(text))
        case "modified": metadata.set(.contentModificationDate, DateText.parse(text))
        case "category": metadata.set(.headline, text)
        case "language": metadata.add(.languages, text)
        case "version": metadata.set(.version, text)
        case "Application": metadata.add(.encodingApplications, text)
        case "Pages": if let pages = Int64(text), pages > 0 { metadata.set(.numberOfPages, pages) }
        case "Company": metadata.add(.organizations, text)
        default: break
        }
    }

    private static func split(_ text: String, at separators: String) -> [String] {
        text.split { separators.contains($0) }.map { String($0.drop { $0 == " " }) }
    }
}
