import DriveImporting
import DriveTypes

/// XML of any kind: the text between its tags. What is damaged is read as plain text.
struct XMLImporter: Importer {
    let types = ["public.xml", "public.svg-image"]

    func `import`(from file: ImportFile, as type: ContentType, limits: ImportLimits) throws(ImportFailure)
        -> ImportedMetadata
    {
        let reader = XMLTextReader(limits: limits)
        do {
            try Self.parse(file, reader, limits: limits)
        } catch {
            guard error.kind == .malformed else { throw error }
            return try TextImporter().import(from: file, as: type, limits: limits)
        }
        var metadata = ImportedMetadata()
        if !reader.title.isEmpty { metadata.set(.title, reader.title.finished().text) }
        if file.size > limits.inputBytes { reader.text.endsEarly() }
        metadata.set(reader.text)
        return metadata
    }

    /// Feeds a reader with a whole file, or with as much of it as may be read.
    static func parse(_ file: ImportFile, _ reader: any MarkupReader, limits: ImportLimits) throws(ImportFailure) {
        let parser = try MarkupParser(.xml, reader, limits: limits)
        let end = min(file.size, limits.inputBytes)
        for offset in stride(from: 0, to: end, by: 64 << 10) where !parser.isStopped {
            let bytes = try file.read(at: offset, count: min(64 << 10, end - offset))
            try parser.feed(bytes)
        }
        if end == file.size { try parser.finish() }
    }
}

extension MarkupParser {
    func feed(_ bytes: [UInt8]) throws(ImportFailure) {
        var failure: ImportFailure?
        bytes.withUnsafeBufferPointer { buffer in
            do throws(ImportFailure) { try feed(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}

/// Gathers all characters.
final class XMLTextReader: MarkupReader {
    var text: TextGatherer
    private(set) var title: TextGatherer
    private var isInTitle = false
    private var isTitleOver = false

    init(limits: ImportLimits) {
        text = TextGatherer(limit: limits.textBytes)
        title = TextGatherer(limit: limits.attributeBytes)
    }

    func start(_ name: String, _ attributes: MarkupAttributes) {
        text.space()
        if name == "title", !isTitleOver { isInTitle = true }
    }

    func end(_ name: String) {
        text.line()
        if name == "title", isInTitle { (isInTitle, isTitleOver) = (false, true) }
    }

    func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        if isInTitle { title.append(bytes, collapsing: true) }
        text.append(bytes, collapsing: true)
    }
}
