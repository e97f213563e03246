import DriveImporting
import DriveTypes

/// Markdown: its text as it is, and the title, author and keywords of its front matter or first heading.
struct MarkdownImporter: Importer {
    let types = ["net.daringfireball.markdown"]

    func `import`(from file: ImportFile, as type: ContentType, limits: ImportLimits) throws(ImportFailure)
        -> ImportedMetadata
    {
        let gathered = try TextImporter.text(of: file, limits: limits)
        var metadata = ImportedMetadata()
        metadata.set(gathered)
        // A title further down is none.
        let lines = (metadata.text ?? "").prefix(64 << 10).split(separator: "\n")
        let front = FrontMatter(lines)
        front.describe(&metadata)
        if metadata[.title] == nil { metadata.set(.title, Self.heading(lines.dropFirst(front.lineCount))) }
        return metadata
    }

    /// "# Title", or a line that is underlined twice; dashes also part sections.
    static func heading(_ lines: ArraySlice<Substring>) -> String? {
        var isCode = false
        var previous: Substring?
        for line in lines {
            if line.hasPrefix("```") || line.hasPrefix("~~~") { isCode.toggle() }
            if isCode { continue }
            let marks = line.prefix { $0 == "#" }
            if (1...6).contains(marks.count), line.dropFirst(marks.count).first == " " {
                let text = line.dropFirst(marks.count).drop { $0 == " " }
                return String(text.reversed().drop { $0 == "#" || $0 == " " }.reversed())
            }
            if let previous, line.count >= 2, line.allSatisfy({ $0 == "=" }) { return String(previous) }
            previous = line
        }
        return nil
    }
}

/// "key: value" lines between two lines of dashes, the part of YAML that people write there.
struct FrontMatter {
    private(set) var fields: [(key: String, values: [String])] = []
    /// Lines that it takes, its fences included.
    private(set) var lineCount = 0

    init(_ lines: [Substring]) {
        guard lines.first == "---" else { return }
        let inner = lines.dropFirst().prefix(256)
        guard let end = inner.firstIndex(where: { $0 == "---" || $0 == "..." }) else { return }
        lineCount = end + 1
        for line in inner[..<end] {
            let trimmed = line.drop { $0 == " " }
            if trimmed.hasPrefix("- "), !fields.isEmpty {
                fields[fields.count - 1].values.append(Self.plain(trimmed.dropFirst(2)))
            } else if let colon = trimmed.firstIndex(of: ":"), trimmed.startIndex == line.startIndex {
                let value = trimmed[trimmed.index(after: colon)...]
                fields.append((trimmed[..<colon].lowercased(), Self.list(value)))
            }
        }
    }

    func describe(_ metadata: inout ImportedMetadata) {
        for (key, values) in fields {
            switch key {
            case "title": metadata.set(.title, values.first)
            case "author", "authors": for value in values { metadata.add(.authors, value) }
            case "tags", "keywords", "categories": for value in values { metadata.add(.keywords, value) }
            case "description", "summary", "abstract": metadata.set(.description, values.first)
            case "subject", "subtitle": metadata.set(.subject, values.first)
            case "lang", "language": for value in values { metadata.add(.languages, value) }
            case "date": metadata.set(.contentCreationDate, values.first.flatMap(DateText.parse))
            default: continue
            }
        }
    }

    private static func list(_ value: Substring) -> [String] {
        let trimmed = value.drop { $0 == " " }
        if trimmed.isEmpty { return [] }
        guard trimmed.hasPrefix("["), trimmed.hasSuffix("]") else { return [plain(trimmed)] }
        return trimmed.dropFirst().dropLast().split(separator: ",").map(plain)
    }

    private static func plain(_ value: Substring) -> String {
        var value = value.drop { $0 == " " }
        while value.last == " " { value.removeLast() }
        if value.count >= 2, let quote = value.first, quote == "\"" || quote == "'", value.last == quote {
            value = value.dropFirst().dropLast()
        }
        return String(value)
    }
}
