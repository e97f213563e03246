/// Reads an answer to PROPFIND (RFC 4918, section 13) without a tree, so that memory grows with what is kept only. Elements
/// are known by their namespace, whatever their prefix; depths and lengths are limited.
final class MultiStatusParser {
    /// Why the bytes are no answer to PROPFIND, to complete "something else answers: ...".
    struct Flaw: Error, Hashable {
        var text: String
    }

    private static let deepest = 64
    /// A path is at most as long as this; whatever else is read is shorter.
    private static let longestText = 16 << 10

    private var flaw: Flaw?
    private var open: [Element] = []
    private var text: [UInt8] = []
    private var response = Response()
    private var properties = Properties()
    private var resources: [DAVResource] = []

    /// The resources of an answer, in its order. Those that it reports as failed are left out.
    static func resources(_ bytes: [UInt8]) throws(Flaw) -> [DAVResource] {
        let parser = MultiStatusParser()
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

    private func feed(_ bytes: [UInt8]) throws(Flaw) {
        if bytes.isEmpty { throw Flaw(text: "its answer is empty") }
        do {
            try XMLReader.read(bytes, self)
        } catch {
            throw flaw ?? Flaw(text: Self.text(error))
        }
    }

    private static func text(_ flaw: XMLFlaw) -> String {
        switch flaw {
        case .malformed, .refused: "its XML is damaged or cut"
        case .documentType: "its answer declares a document type, which WebDAV never does"
        case .memory: "there is no memory to read its answer"
        }
    }

    private func refuse(_ text: String) -> Bool {
        flaw = Flaw(text: text)
        return false
    }
}

extension MultiStatusParser: XMLHandler {
    func started(_ name: String, space: String?) -> Bool {
        let element = element(space == "DAV:" ? name : "")
        guard !open.isEmpty || element == .multistatus else {
            return refuse("it does not speak WebDAV")
        }
        open.append(element)
        if open.count > Self.deepest { return refuse("the elements of its answer lie too deep in each other") }
        if name.utf8.count > Self.longestText { return refuse("a name in its answer is too long") }
        text = []
        switch element {
        case .response: response = Response()
        case .propstat: properties = Properties()
        case .collection: properties.isCollection = true
        default: break
        }
        return true
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

    func found(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard open.last?.hasText == true else { return true }
        text += bytes
        return text.count <= Self.longestText || refuse("a name in its answer is too long")
    }

    func ended() -> Bool {
        guard let element = open.popLast() else { return true }
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
        return true
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
