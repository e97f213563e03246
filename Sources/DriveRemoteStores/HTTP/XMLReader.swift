import CExpat
import Glibc

/// What is told of a document, in its order. What a call returns says whether to go on.
protocol XMLHandler: AnyObject {
    /// `name` is without its prefix; `space` is the namespace that the prefix stands for.
    func started(_ name: String, space: String?) -> Bool
    func ended() -> Bool
    /// UTF-8, in as many pieces as it comes.
    func found(_ text: UnsafeBufferPointer<UInt8>) -> Bool
}

/// Why a document was not read to its end.
enum XMLFlaw: Error, Hashable {
    /// Not well-formed XML with namespaces, or cut.
    case malformed
    /// A document type is declared. No answer of a server needs one, and without one there are no entities that could grow
    /// or name other documents.
    case documentType
    /// The handler did not go on.
    case refused
    case memory
}

/// Reads XML with Expat, without a tree. Nothing else is fetched. How deep a document may be is up to the handler.
final class XMLReader {
    /// Between namespace and name: no URI has it (RFC 3986, section 2), and Expat refuses those that do.
    fileprivate static let separator = CChar(bitPattern: UInt8(ascii: "\n"))

    private let handler: any XMLHandler
    private let parser: XML_Parser
    private var flaw: XMLFlaw?

    static func read(_ bytes: [UInt8], _ handler: any XMLHandler) throws(XMLFlaw) {
        guard let parser = XML_ParserCreateNS(nil, separator) else { throw .memory }
        let reader = XMLReader(parser, handler)
        try reader.read(bytes)
    }

    private init(_ parser: XML_Parser, _ handler: any XMLHandler) {
        self.parser = parser
        self.handler = handler
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(parser, elementStarted, elementEnded)
        XML_SetCharacterDataHandler(parser, textFound)
        XML_SetStartDoctypeDeclHandler(parser, documentTypeStarted)
    }

    deinit { XML_ParserFree(parser) }

    /// All at once: in pieces, a tag that spans many would be looked at from its start with each (CVE-2023-52425).
    private func read(_ bytes: [UInt8]) throws(XMLFlaw) {
        guard let length = Int32(exactly: bytes.count) else { throw .malformed }
        let status = bytes.withUnsafeBytes { XML_Parse(parser, $0.bindMemory(to: CChar.self).baseAddress, length, 1) }
        if let flaw { throw flaw }
        guard status == XML_STATUS_OK else {
            throw XML_GetErrorCode(parser) == XML_ERROR_NO_MEMORY ? .memory : .malformed
        }
    }

    /// Expat may still tell of what it had begun with; none of that is passed on.
    private func stop(_ why: XMLFlaw) {
        guard flaw == nil else { return }
        flaw = why
        XML_StopParser(parser, XML_FALSE)
    }

    fileprivate func tell(_ goesOn: (any XMLHandler) -> Bool) {
        if flaw == nil, !goesOn(handler) { stop(.refused) }
    }

    fileprivate func refuseDocumentType() { stop(.documentType) }
}

// What Expat calls.

private func reader(_ context: UnsafeMutableRawPointer?) -> XMLReader {
    Unmanaged<XMLReader>.fromOpaque(context!).takeUnretainedValue()
}

private let elementStarted: XML_StartElementHandler = { context, name, _ in
    guard let name else { return }
    let parts = UnsafeBufferPointer(start: name, count: strlen(name)).split(separator: XMLReader.separator)
    let texts = parts.map { String(decoding: $0.lazy.map(UInt8.init(bitPattern:)), as: UTF8.self) }
    guard let last = texts.last else { return }
    reader(context).tell { $0.started(last, space: texts.count > 1 ? texts[0] : nil) }
}

private let elementEnded: XML_EndElementHandler = { context, _ in reader(context).tell { $0.ended() } }

private let textFound: XML_CharacterDataHandler = { context, text, count in
    guard let text else { return }
    text.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { bytes in
        reader(context).tell { $0.found(UnsafeBufferPointer(start: bytes, count: Int(count))) }
    }
}

private let documentTypeStarted: XML_StartDoctypeDeclHandler = { context, _, _, _, _ in
    reader(context).refuseDocumentType()
}
