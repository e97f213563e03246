import DriveImporting

/// What the parts of a document hold, put in order at the end.
///
/// All parts together keep no more than the limit of one text.
struct DocumentParts {
    private var texts: [(order: PartOrder, text: TextGatherer)] = []
    private var left: Int
    private let limit: Int

    init(limits: ImportLimits) {
        limit = limits.textBytes
        left = limits.textBytes
    }

    var isFull: Bool { left <= 0 }
    var gatherer: TextGatherer { TextGatherer(limit: max(left, 0)) }

    mutating func add(_ text: TextGatherer, at order: PartOrder) {
        texts.append((order, text))
        left -= text.count + 1
    }

    /// Parts were left out because there was no room.
    var isCut = false

    func joined() -> TextGatherer {
        var result = TextGatherer(limit: limit)
        for (_, text) in texts.sorted(by: { $0.order < $1.order }) {
            result.append(text)
            result.line()
        }
        if isCut { result.endsEarly() }
        return result
    }
}

/// Where a part stands: its group, then its place in a list of the document, then its number, so that slide 10 comes
/// after slide 9.
struct PartOrder: Comparable {
    let group: Int
    let place: Int
    let number: Int

    init(group: Int, name: String, place: Int?) {
        self.group = group
        self.place = place ?? .max
        let digits = name.split(separator: "/").last?.filter { $0.isASCII && $0.isNumber }.prefix(9) ?? ""
        number = Int(String(digits)) ?? 0
    }

    static func < (a: PartOrder, b: PartOrder) -> Bool {
        (a.group, a.place, a.number) < (b.group, b.place, b.number)
    }
}

extension ZipParts {
    /// Parses a part as XML; the parser stops where `isEnough`.
    mutating func parse(
        _ part: Part, _ reader: any MarkupReader, limits: ImportLimits, isEnough: () -> Bool = { false }
    ) throws(ImportFailure) {
        let parser = try MarkupParser(.xml, reader, limits: limits)
        try contents(of: part) { (bytes) throws(ImportFailure) -> Bool in
            try parser.feed(bytes)
            if isEnough() { parser.stop() }
            return !parser.isStopped
        }
        try parser.finish()
    }
}

/// Keeps the text of the leaf elements that it is asked for: what properties are made of.
final class PropertyReader: MarkupReader {
    private let names: Set<String>
    private let limit: Int
    private var current: (name: String, text: TextGatherer)?
    private(set) var values: [(name: String, text: String)] = []
    /// Asked at each element, for values that stand in attributes.
    var onStart: (String, MarkupAttributes) -> Void = { _, _ in }

    init(_ names: Set<String>, limits: ImportLimits) {
        self.names = names
        limit = limits.attributeBytes
    }

    func start(_ name: String, _ attributes: MarkupAttributes) {
        onStart(name, attributes)
        if names.contains(name), values.count < ImportLimits.listCount {
            current = (name, TextGatherer(limit: limit))
        }
    }

    func end(_ name: String) {
        guard let found = current, found.name == name else { return }
        current = nil
        let text = found.text.finished().text
        if !text.isEmpty { values.append((name, text)) }
    }

    func characters(_ bytes: UnsafeBufferPointer<UInt8>) { current?.text.append(bytes, collapsing: true) }
}
