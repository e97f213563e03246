import DriveImporting

/// The Dublin Core fields of an XMP packet, and when the picture was taken.
enum XMP {
    static func describe(_ bytes: [UInt8], _ metadata: inout ImportedMetadata, limits: ImportLimits) {
        let reader = XMPReader(limits: limits)
        // A damaged packet makes no image unreadable; what came before the damage counts.
        do throws(ImportFailure) {
            let parser = try MarkupParser(.xml, reader, limits: limits)
            try parser.feed(bytes)
        } catch {}
        for (field, text) in reader.found {
            switch field {
            case "title": metadata.set(.title, text)
            case "creator": metadata.add(.authors, text)
            case "publisher": metadata.add(.publishers, text)
            case "subject": metadata.add(.keywords, text)
            case "description": metadata.set(.description, text)
            case "rights": metadata.set(.copyright, text)
            default: break
            }
        }
        if metadata[.contentCreationDate] == nil { metadata.set(.contentCreationDate, reader.taken) }
    }
}

private final class XMPReader: MarkupReader {
    private static let fields: Set<String> = ["title", "creator", "publisher", "subject", "description", "rights"]

    /// When it was taken, by whoever knows best.
    private static let dates = ["DateTimeOriginal", "DateCreated", "CreateDate"]

    private let limit: Int
    private var date: (name: String, text: TextGatherer)?
    private var dates: [String: ImportedDate] = [:]
    private var field: String?
    private var item: TextGatherer?
    private(set) var found: [(field: String, text: String)] = []

    init(limits: ImportLimits) { limit = limits.attributeBytes }

    var taken: ImportedDate? { Self.dates.lazy.compactMap { self.dates[$0] }.first }

    func start(_ name: String, _ attributes: MarkupAttributes) {
        if Self.fields.contains(name) { field = name }
        if name == "li", field != nil { item = TextGatherer(limit: limit) }
        if Self.dates.contains(name) { date = (name, TextGatherer(limit: limit)) }
        // Simple values may be attributes of the description (ISO 16684-1, section 7.9.2.2).
        guard name == "Description" else { return }
        for date in Self.dates { dates[date] = attributes[date].flatMap(DateText.parse) ?? dates[date] }
    }

    func end(_ name: String) {
        if name == "li", let field, let text = item?.finished().text, !text.isEmpty,
            found.count < ImportLimits.listCount
        {
            found.append((field, text))
        }
        if name == "li" { item = nil }
        if name == field { field = nil }
        guard let date, date.name == name else { return }
        dates[name] = DateText.parse(date.text.finished().text) ?? dates[name]
        self.date = nil
    }

    func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        item?.append(bytes, collapsing: true)
        date?.text.append(bytes, collapsing: true)
    }
}
