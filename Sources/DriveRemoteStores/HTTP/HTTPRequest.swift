import DriveCore

/// One request to an origin. Path and query go over the wire as they are: they are encoded already, and a signature may
/// cover them.
struct HTTPRequest: Sendable {
    var method: String
    /// Begins with a slash.
    var path: String
    /// Without its question mark; empty for none.
    var query: String
    var fields: [HTTPField]
    /// A slice, so that the parts of a large object need no copies.
    var body: ArraySlice<UInt8>
    /// The part of the resource that is wanted; see `HTTPAnswer.body`. Not empty.
    var range: Range<UInt64>?
    /// What the request is about, for messages: the URL of an object or of a place.
    var subject: String
    /// What must not be in a message even where the server repeats it. Values of fields that carry credentials are
    /// known anyway.
    var secrets: [String] = []
    /// How many times `progressSeconds` the server may take to answer, for work that takes it long.
    var patience = 1.0

    init(
        _ method: String, _ path: String, query: String = "", fields: [HTTPField] = [], body: ArraySlice<UInt8> = [],
        range: Range<UInt64>? = nil, subject: String
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.fields = fields
        self.body = body
        self.range = range
        self.subject = subject
    }

    /// Path and query.
    var target: String { query.isEmpty ? path : "\(path)?\(query)" }
}

/// A field of a head (RFC 9110, section 5).
struct HTTPField: Hashable, Sendable {
    var name: String
    var value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Names are compared without regard to case (RFC 9110, section 5.1).
    func isNamed(_ other: String) -> Bool { name.lowercased() == other.lowercased() }
}

extension [HTTPField] {
    subscript(_ name: String) -> String? { first { $0.isNamed(name) }?.value }
}

extension HTTPRequest {
    /// Once more does no harm: the same bytes under the same name.
    var isLargePut: Bool { method == "PUT" && body.count > HTTPPieces.size }
}
