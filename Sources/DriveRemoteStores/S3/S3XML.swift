/// An element of an answer: S3's have no attributes that matter, and no text beside elements.
final class S3Element {
    /// Without its prefix.
    let name: String
    fileprivate(set) var text = ""
    fileprivate(set) var children: [S3Element] = []

    fileprivate init(_ name: String) { self.name = name }

    /// The first child of the name.
    subscript(_ name: String) -> S3Element? { children.first { $0.name == name } }

    func all(_ name: String) -> [S3Element] { children.filter { $0.name == name } }
}

/// Reads an answer of S3. What is read is bounded by the length of the answer, its depth and the number of its elements.
final class S3XMLParser: XMLHandler {
    private static let maximumDepth = 16
    private static let maximumElements = 50_000

    private var open: [S3Element] = []
    private var root: S3Element?
    private var count = 0
    private var text: [UInt8] = []

    /// Nil where the bytes are not well-formed XML, declare a document type, or are more than any answer of S3 has.
    static func parse(_ bytes: [UInt8]) -> S3Element? {
        let parser = S3XMLParser()
        do { try XMLReader.read(bytes, parser) } catch { return nil }
        return parser.root
    }

    func started(_ name: String, space: String?) -> Bool {
        count += 1
        guard open.count < Self.maximumDepth, count <= Self.maximumElements else { return false }
        let element = S3Element(name)
        if let last = open.last { last.children.append(element) } else { root = element }
        open.append(element)
        text = []
        return true
    }

    func ended() -> Bool {
        if let element = open.popLast(), element.children.isEmpty {
            element.text = String(decoding: text, as: UTF8.self)
        }
        text = []
        return true
    }

    func found(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        self.text += text
        return true
    }
}
