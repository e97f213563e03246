import DriveImporting
import CXML2
import Glibc

/// Gets the elements of a document in order.
protocol MarkupReader: AnyObject {
    func start(_ name: String, _ attributes: MarkupAttributes)
    func end(_ name: String)
    func characters(_ bytes: UnsafeBufferPointer<UInt8>)
}

/// Gives a document to a reader piece by piece, with libxml2 and without a tree: memory does not grow with the document.
///
/// No entity is ever expanded and nothing else is fetched: a document that declares entities is refused.
final class MarkupParser {
    enum Syntax { case html, xml }

    /// Elements that libxml2's own table for unclosed elements can bear.
    private static let htmlDepth = 4096

    private let syntax: Syntax
    private let reader: any MarkupReader
    private let maximumDepth: Int
    private var context: xmlParserCtxtPtr?
    private var depth = 0
    private var refusal: ImportFailure?
    private(set) var isStopped = false

    init(_ syntax: Syntax, _ reader: any MarkupReader, limits: ImportLimits) throws(ImportFailure) {
        self.syntax = syntax
        self.reader = reader
        maximumDepth = syntax == .html ? Self.htmlDepth : limits.depth
        xmlInitParser()
        var handler = Self.handler(syntax)
        let own = Unmanaged.passUnretained(self).toOpaque()
        switch syntax {
        case .html:
            context = htmlCreatePushParserCtxt(&handler, own, nil, 0, nil, XML_CHAR_ENCODING_UTF8)
            htmlCtxtUseOptions(
                context,
                Int32(
                    HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NONET.rawValue | HTML_PARSE_IGNORE_ENC.rawValue
                        | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue))
        case .xml:
            context = xmlCreatePushParserCtxt(&handler, own, nil, 0, nil)
            xmlCtxtUseOptions(
                context,
                Int32(XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue))
        }
        guard context != nil else { throw Self.noMemory }
    }

    deinit {
        switch syntax {
        case .html: htmlFreeParserCtxt(context)
        case .xml: xmlFreeParserCtxt(context)
        }
    }

    func feed(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImportFailure) {
        var rest = bytes[...]
        while !rest.isEmpty, !isStopped {
            let piece = UnsafeBufferPointer(rebasing: rest.prefix(64 << 10))
            rest = rest.dropFirst(piece.count)
            piece.withMemoryRebound(to: CChar.self) { parse($0, isEnd: false) }
            try check()
        }
    }

    func finish() throws(ImportFailure) {
        guard !isStopped else { return }
        parse(UnsafeBufferPointer(start: nil, count: 0), isEnd: true)
        try check()
    }

    /// The reader has what it wants.
    func stop() {
        isStopped = true
        xmlStopParser(context)
    }

    private func parse(_ bytes: UnsafeBufferPointer<CChar>, isEnd: Bool) {
        switch syntax {
        case .html: htmlParseChunk(context, bytes.baseAddress, Int32(bytes.count), isEnd ? 1 : 0)
        case .xml: xmlParseChunk(context, bytes.baseAddress, Int32(bytes.count), isEnd ? 1 : 0)
        }
    }

    private func check() throws(ImportFailure) {
        if let refusal { throw refusal }
        guard let context else { return }
        if context.pointee.errNo == Int32(XML_ERR_NO_MEMORY.rawValue) { throw Self.noMemory }
        if syntax == .xml, !isStopped, context.pointee.wellFormed == 0 {
            throw ImportFailure(.malformed, "it holds XML that is damaged, in line \(xmlLine(context))")
        }
    }

    private func xmlLine(_ context: xmlParserCtxtPtr) -> Int32 { context.pointee.input?.pointee.line ?? 0 }

    private static let noMemory = ImportFailure(.memory, "its markup needs more memory than a file may use")

    // What libxml2 calls.

    fileprivate func started(_ name: String, _ attributes: MarkupAttributes) {
        guard !isStopped else { return }
        depth += 1
        if depth > maximumDepth {
            // Browsers bear any HTML; what came so far is worth keeping.
            if syntax == .xml {
                refusal = ImportFailure(.tooLarge, "its elements lie more than \(maximumDepth) deep in each other")
            }
            return stop()
        }
        reader.start(name, attributes)
    }

    fileprivate func ended(_ name: String) {
        guard !isStopped else { return }
        depth -= 1
        reader.end(name)
    }

    fileprivate func found(_ bytes: UnsafeBufferPointer<UInt8>) {
        if !isStopped { reader.characters(bytes) }
    }

    fileprivate func declaredEntity() {
        refusal = ImportFailure(.malformed, "it declares XML entities, which documents of its kind never do")
        stop()
    }

    private static func handler(_ syntax: Syntax) -> xmlSAXHandler {
        var handler = xmlSAXHandler()
        switch syntax {
        case .html:
            handler.startElement = startHTML
            handler.endElement = endHTML
            handler.ignorableWhitespace = characters
        case .xml:
            handler.initialized = UInt32(0xDEED_BEAF)
            handler.startElementNs = startXML
            handler.endElementNs = endXML
            handler.entityDecl = entity
            handler.ignorableWhitespace = characters
        }
        handler.characters = characters
        return handler
    }
}

private func parser(_ context: UnsafeMutableRawPointer?) -> MarkupParser {
    Unmanaged<MarkupParser>.fromOpaque(context!).takeUnretainedValue()
}

private let characters: charactersSAXFunc = { context, bytes, count in
    parser(context).found(UnsafeBufferPointer(start: bytes, count: Int(count)))
}

private let startHTML: startElementSAXFunc = { context, name, attributes in
    guard let name else { return }
    parser(context).started(String(cString: name), MarkupAttributes(html: attributes))
}

private let endHTML: endElementSAXFunc = { context, name in
    if let name { parser(context).ended(String(cString: name)) }
}

private let startXML: startElementNsSAX2Func = { context, name, _, _, _, _, count, _, attributes in
    guard let name else { return }
    parser(context).started(String(cString: name), MarkupAttributes(xml: attributes, count: Int(count)))
}

private let endXML: endElementNsSAX2Func = { context, name, _, _ in
    if let name { parser(context).ended(String(cString: name)) }
}

private let entity: entityDeclSAXFunc = { context, _, _, _, _, _ in parser(context).declaredEntity() }
