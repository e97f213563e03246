import DriveImporting

/// The keys between two lines of dashes at the beginning of Markdown: the part of YAML that people write there.
struct FrontMatter {
    private(set) var fields: [FrontMatterField] = []
    /// Lines that it takes, its fences included.
    private(set) var lineCount = 0

    init(_ lines: [Substring]) {
        guard lines.first == "---" else { return }
        let inner = lines.dropFirst().prefix(256)
        guard let end = inner.firstIndex(where: { $0 == "---" || $0 == "..." }) else { return }
        lineCount = end + 1
        for line in inner[..<end] { take(line) }
    }

    private mutating func take(_ line: Substring) {
        if line.first == " " || YAMLText.isItem(line) {
            if !fields.isEmpty { fields[fields.count - 1].rest.append(line) }
        } else if line.first != "#", let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...]
            fields.append(FrontMatterField(key: line[..<colon].lowercased(), first: YAMLText.trimmed(value)))
        }
    }

    func describe(_ metadata: inout ImportedMetadata) {
        for field in fields {
            switch field.key {
            case "title": metadata.set(.title, field.text)
            case "author", "authors": for name in field.people { metadata.add(.authors, name) }
            case "tags", "keywords", "categories": for word in field.words { metadata.add(.keywords, word) }
            case "description", "summary", "abstract": metadata.set(.description, field.text)
            case "subject", "subtitle": metadata.set(.subject, field.text)
            case "lang", "language": for text in field.texts { metadata.add(.languages, text) }
            case "date": metadata.set(.contentCreationDate, field.text.flatMap(DateText.parse))
            default: continue
            }
        }
    }
}

/// What stands behind a key, in its line and in the lines that belong to it.
struct FrontMatterField {
    let key: String
    let first: Substring
    var rest: [Substring] = []

    var text: String? { texts.first }

    /// One text, or those of a list; none of a mapping.
    var texts: [String] {
        if YAMLText.isBlockHeader(first) { return [Self.joined(rest)].filter { !$0.isEmpty } }
        if isMapping { return [] }
        return items.map { YAMLText.scalar(Self.joined($0)) }.filter { !$0.isEmpty }
    }

    /// A text without quotes is a list by its commas, which YAML does not know and everybody writes.
    var words: [String] {
        guard !isOpen, let mark = first.first, !"[\"'|>".contains(mark) else { return texts }
        return texts.flatMap { $0.split(separator: ",") }.map { String(YAMLText.trimmed($0)) }.filter { !$0.isEmpty }
    }

    /// As `texts`; of whom more is said, the name.
    var people: [String] {
        if YAMLText.isBlockHeader(first) { return texts }
        return items.compactMap(name).filter { !$0.isEmpty }
    }

    /// All stands in the lines that follow.
    private var isOpen: Bool { first.isEmpty || first.first == "#" }

    private var isMapping: Bool {
        guard isOpen, let line = rest.first(where: { !YAMLText.isComment($0) }) else { return false }
        return !YAMLText.isItem(YAMLText.trimmed(line)) && YAMLText.pair(line) != nil
    }

    private var items: [[Substring]] {
        if isOpen { return YAMLText.blockItems(rest.filter { !YAMLText.isComment($0) }) }
        guard first.first == "[" else { return [[first] + rest] }
        return YAMLText.flowItems(Self.joined([first] + rest)).map { [$0] }
    }

    private func name(_ item: [Substring]) -> String? {
        if isOpen, let line = item.first, YAMLText.pair(line) != nil {
            let column = YAMLText.column(line)
            let pairs = item.filter { YAMLText.column($0) == column }.compactMap { YAMLText.pair($0) }
            return pairs.first { $0.key == "name" }.map { YAMLText.scalar($0.value) }
        }
        let text = Self.joined(item)
        guard text.first == "{" else { return YAMLText.scalar(text) }
        let pairs = YAMLText.flowItems(text).compactMap { YAMLText.pair($0) }
        return pairs.first { $0.key == "name" }.map { YAMLText.scalar($0.value) }
    }

    private static func joined(_ lines: [Substring]) -> String {
        lines.map { YAMLText.trimmed($0) }.joined(separator: " ")
    }
}
