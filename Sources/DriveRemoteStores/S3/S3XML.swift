import CXML2

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

/// Reads an answer of S3 with libxml2. Nothing is fetched, and a document that declares anything is refused, so entities
/// cannot grow. What is read is bounded by the length of the answer, its depth and the number of its elements.
final class S3XMLParser {
    private static let maximumDepth = 16
    private static let maximumElements = 50_000

    private var open: [S3Element] = []
    private var root: S3Element?
    private var count = 0
    private var isRefused = false
    private var text: [UInt8] = []
    private var context: xmlParserCtxtPtr?

    /// Nil where the bytes are not well-formed XML, or more than any answer of S3 has.
    static func parse(_ bytes: [UInt8]) -> S3Element? {
        let parser = S3XMLParser()
        return parser.run(bytes)
    }

    private func run(_ bytes: [UInt8]) -> S3Element? {
        xmlInitParser()
        var handler = Self.handler
        context = xmlCreatePushParserCtxt(&handler, Unmanaged.passUnretained(self).toOpaque(), nil, 0, nil)
        guard let context else { return nil }
        defer {
            xmlFreeParserCtxt(context)
            self.context = nil
        }
        let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
        xmlCtxtUseOptions(context, Int32(options))
        bytes.withUnsafeBytes { buffer in
            let characters = buffer.bindMemory(to: CChar.self)
            for start in stride(from: 0, to: characters.count, by: 64 << 10) where !isRefused {
                let piece = characters[start..<min(start + (64 << 10), characters.count)]
                xmlParseChunk(context, UnsafeBufferPointer(rebasing: piece).baseAddress, Int32(piece.count), 0)
            }
        }
        if !isRefused { xmlParseChunk(context, nil, 0, 1) }
        return !isRefused && context.pointee.wellFormed != 0 && open.isEmpty ? root : nil
    }

    // What libxml2 calls.

    fileprivate func started(_ name: String) {
        count += 1
        guard !isRefused, open.count < Self.maximumDepth, count <= Self.maximumElements else { return refuse() }
        let element = S3Element(name)
        if let last = open.last { last.children.append(element) } else { root = element }
        open.append(element)
        text = []
    }

    fileprivate func ended() {
        guard !isRefused, let element = open.popLast() else { return }
        if element.children.isEmpty { element.text = String(decoding: text, as: UTF8.self) }
        text = []
    }

    fileprivate func found(_ bytes: UnsafeBufferPointer<UInt8>) { if !isRefused { text += bytes } }

    fileprivate func refuse() {
        isRefused = true
        xmlStopParser(context)
    }

    private static var handler: xmlSAXHandler {
        var handler = xmlSAXHandler()
        handler.initialized = UInt32(0xDEED_BEAF)
        handler.startElementNs = start
        handler.endElementNs = end
        handler.characters = characters
        handler.cdataBlock = characters
        handler.ignorableWhitespace = characters
        handler.internalSubset = subset
        return handler
    }
}

private func parser(_ context: UnsafeMutableRawPointer?) -> S3XMLParser {
    Unmanaged<S3XMLParser>.fromOpaque(context!).takeUnretainedValue()
}

private let start: startElementNsSAX2Func = { context, name, _, _, _, _, _, _, _ in
    if let name { parser(context).started(String(cString: name)) }
}

private let end: endElementNsSAX2Func = { context, _, _, _ in parser(context).ended() }

private let characters: charactersSAXFunc = { context, bytes, count in
    parser(context).found(UnsafeBufferPointer(start: bytes, count: Int(count)))
}

private let subset: internalSubsetSAXFunc = { context, _, _, _ in parser(context).refuse() }
