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
