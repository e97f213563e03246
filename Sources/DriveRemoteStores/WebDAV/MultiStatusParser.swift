import CXML2
import Glibc

/// Reads an answer to PROPFIND (RFC 4918, section 13) with libxml2 and without a tree, so that memory grows with what is
/// kept only. Elements are known by their namespace, whatever their prefix.
///
/// No document type is borne, so there are no entities; nothing else is fetched; depths and lengths are limited.
final class MultiStatusParser {
    /// Why the bytes are no answer to PROPFIND, to complete "something else answers: ...".
    struct Flaw: Error, Hashable {
        var text: String
    }

    private static let deepest = 64
    /// A path is at most as long as this; whatever else is read is shorter.
    private static let longestText = 16 << 10

    private var context: xmlParserCtxtPtr?
    private var flaw: Flaw?
    private var open: [Element] = []
    private var text: [UInt8] = []
    private var response = Response()
    private var properties = Properties()
    private var resources: [DAVResource] = []

    /// The resources of an answer, in its order. Those that it reports as failed are left out.
    static func resources(_ bytes: [UInt8]) throws(Flaw) -> [DAVResource] {
        let parser = try MultiStatusParser()
        try parser.feed(bytes)
        return parser.resources
    }

    private enum Element {
        case multistatus, response, href, status, propstat, prop, resourcetype, collection, getcontentlength, other

        var hasText: Bool { self == .href || self == .status || self == .getcontentlength }
    }

    private struct Response {
        var path: [UInt8]?
        var isFailed = false
        var properties = Properties()
    }

    private struct Properties {
        var isFailed = false
        var isCollection = false
        var size: UInt64?
    }

    private init() throws(Flaw) {
        xmlInitParser()
        var handler = xmlSAXHandler()
        handler.initialized = UInt32(0xDEED_BEAF)
        handler.startElementNs = started
        handler.endElementNs = ended
        handler.characters = characters
        handler.cdataBlock = characters
        handler.internalSubset = documentType
        let own = Unmanaged.passUnretained(self).toOpaque()
        context = xmlCreatePushParserCtxt(&handler, own, nil, 0, nil)
        guard context != nil else { throw Flaw(text: "there is no memory to read its answer") }
        let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
        xmlCtxtUseOptions(context, Int32(options))
    }

    deinit { xmlFreeParserCtxt(context) }

    private func feed(_ bytes: [UInt8]) throws(Flaw) {
        var rest = bytes[...]
        while !rest.isEmpty, flaw == nil {
            let piece = rest.prefix(64 << 10)
            rest = rest.dropFirst(piece.count)
            parse(piece, isEnd: rest.isEmpty)
            if context?.pointee.wellFormed == 0 { refuse("its XML is damaged or cut") }
        }
        if let flaw { throw flaw }
        if bytes.isEmpty { throw Flaw(text: "its answer is empty") }
    }

    private func parse(_ piece: ArraySlice<UInt8>, isEnd: Bool) {
        piece.withUnsafeBufferPointer { buffer in
            _ = buffer.withMemoryRebound(to: CChar.self) {
                xmlParseChunk(context, $0.baseAddress, Int32($0.count), isEnd ? 1 : 0)
            }
        }
    }

    private func refuse(_ text: String) {
        guard flaw == nil else { return }
        flaw = Flaw(text: text)
        xmlStopParser(context)
    }
}

// What libxml2 calls.
extension MultiStatusParser {
    fileprivate func refuseDocumentType() { refuse("its answer declares a document type, which WebDAV never does") }

    fileprivate func start(_ name: String, isDAV: Bool) {
        guard flaw == nil else { return }
        let element = element(isDAV ? name : "")
        guard !open.isEmpty || element == .multistatus else {
            return refuse("it does not speak WebDAV")
        }
        open.append(element)
        if open.count > Self.deepest { return refuse("the elements of its answer lie too deep in each other") }
        text = []
        switch element {
        case .response: response = Response()
        case .propstat: properties = Properties()
        case .collection: properties.isCollection = true
        default: break
        }
    }

    /// What an element means depends on where it stands.
    private func element(_ name: String) -> Element {
        switch (open.last, name) {
        case (nil, "multistatus"): .multistatus
        case (.multistatus, "response"): .response
        case (.response, "href"): .href
        case (.response, "status"), (.propstat, "status"): .status
        case (.response, "propstat"): .propstat
        case (.propstat, "prop"): .prop
        case (.prop, "resourcetype"): .resourcetype
        case (.prop, "getcontentlength"): .getcontentlength
        case (.resourcetype, "collection"): .collection
        default: .other
        }
    }

    fileprivate func found(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard flaw == nil, open.last?.hasText == true else { return }
        text += bytes
        if text.count > Self.longestText { refuse("a name in its answer is too long") }
    }

    fileprivate func end() {
        guard flaw == nil, let element = open.popLast() else { return }
        let content = element.hasText ? String(decoding: text, as: UTF8.self).trimmed : ""
        switch element {
        case .href: response.path = response.path ?? DAVResource.path(ofHref: content)
        case .status:
            if open.last == .propstat { properties.isFailed = !Self.isFine(content) }
            if open.last == .response { response.isFailed = !Self.isFine(content) }
        case .getcontentlength: properties.size = UInt64(content)
        case .propstat: if !properties.isFailed { take(properties) }
        case .response: finishResponse()
        default: break
        }
        text = []
    }

    /// A status line, as in `HTTP/1.1 200 OK` (RFC 4918, section 14.28).
    private static func isFine(_ line: String) -> Bool {
        let words = line.split(separator: " ")
        return words.count > 1 && words[1].hasPrefix("2")
    }

    private func take(_ properties: Properties) {
        if properties.isCollection { response.properties.isCollection = true }
        if let size = properties.size { response.properties.size = size }
    }

    private func finishResponse() {
        guard let path = response.path, !response.isFailed else { return }
        let properties = response.properties
        resources.append(DAVResource(path: path, isCollection: properties.isCollection, size: properties.size))
    }
}

extension String {
    fileprivate var trimmed: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}

private func parser(_ context: UnsafeMutableRawPointer?) -> MultiStatusParser {
    Unmanaged<MultiStatusParser>.fromOpaque(context!).takeUnretainedValue()
}

private let characters: charactersSAXFunc = { context, bytes, count in
    parser(context).found(UnsafeBufferPointer(start: bytes, count: Int(count)))
}

private let started: startElementNsSAX2Func = { context, name, _, space, _, _, _, _, _ in
    guard let name else { return }
    let isDAV = space.map { String(cString: $0) == "DAV:" } ?? false
    parser(context).start(String(cString: name), isDAV: isDAV)
}

private let ended: endElementNsSAX2Func = { context, _, _, _ in parser(context).end() }

private let documentType: internalSubsetSAXFunc = { context, _, _, _ in parser(context).refuseDocumentType() }
