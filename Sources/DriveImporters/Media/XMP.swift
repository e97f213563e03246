import DriveImporting

/// The Dublin Core fields of an XMP packet.
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
            case "subject": metadata.add(.keywords, text)
            case "description": metadata.set(.description, text)
            case "rights": metadata.set(.copyright, text)
            default: break
            }
        }
    }
}

private final class XMPReader: MarkupReader {
    private static let fields: Set<String> = ["title", "creator", "subject", "description", "rights"]

    private let limit: Int
    private var field: String?
    private var item: TextGatherer?
    private(set) var found: [(field: String, text: String)] = []

    init(limits: ImportLimits) { limit = limits.attributeBytes }

    func start(_ name: String, _ attributes: MarkupAttributes) {
        if Self.fields.contains(name) { field = name }
        if name == "li", field != nil { item = TextGatherer(limit: limit) }
    }

    func end(_ name: String) {
        if name == "li", let field, let text = item?.finished().text, !text.isEmpty,
            found.count < ImportLimits.listCount
        {
            found.append((field, text))
        }
        if name == "li" { item = nil }
        if name == field { field = nil }
    }

    func characters(_ bytes: UnsafeBufferPointer<UInt8>) { item?.append(bytes, collapsing: true) }
}
