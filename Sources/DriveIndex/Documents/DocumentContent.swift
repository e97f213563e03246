public import DriveCore
public import DrivePredicates

/// What was read out of a document.
public struct DocumentContent: Hashable, Sendable {
    /// By their names in `AttributeTable`.
    public var attributes: [String: PredicateValue]
    public var text: String?
    /// The document has more text than was read.
    public var isTextCut: Bool

    public init(attributes: [String: PredicateValue] = [:], text: String? = nil, isTextCut: Bool = false) {
        self.attributes = attributes
        self.text = text
        self.isTextCut = isTextCut
    }

    /// The attribute that is the text.
    public static let textAttribute = "kMDItemTextContent"

    /// Each run of white space as one space, as searches look at it: where lines end is an accident of the format.
    static func searched(_ text: String) -> String {
        guard text.isASCII else { return WhiteSpace.collapsed(text) }
        var text = text
        return text.withUTF8 { bytes in
            String(unsafeUninitializedCapacity: bytes.count) { result in
                var end = 0
                for byte in bytes {
                    if byte > 0x20 || (end > 0 && result[end - 1] != 0x20) {
                        result[end] = max(byte, 0x20)
                        end += 1
                    }
                }
                return end > 0 && result[end - 1] == 0x20 ? end - 1 : end
            }
        }
    }
}

/// What is known of the text of a document.
struct DocumentTraits: OptionSet {
    let rawValue: Int64

    static let hasText = DocumentTraits(rawValue: 1)
    static let isTextCut = DocumentTraits(rawValue: 2)
    /// It has words that are too long for the index, so that the index cannot say what it does not contain.
    static let hasLongWords = DocumentTraits(rawValue: 4)
    /// It has no marks by themselves, so that its words end where folded words end.
    static let hasPlainWords = DocumentTraits(rawValue: 8)
}

extension DocumentTraits {
    /// Of a text that is not empty and was not cut.
    init(ofText text: String, _ words: IndexedWords) {
        self = .hasText
        if words.hasLong { insert(.hasLongWords) }
        if text.hasPlainWords { insert(.hasPlainWords) }
    }
}

/// A document that could not be read, as the search index holds it.
public struct HeldFailure: Hashable, Sendable {
    public var row: RowID
    var version: [UInt8]
    public var failure: DocumentFailure

    /// Whether the file is still the one that could not be read.
    public func isOf(_ row: Row?) -> Bool { row.flatMap(DocumentVersion.init)?.encoded == version }
}

/// Why a document could not be read.
public struct DocumentFailure: Hashable, Sendable {
    /// The number of the kind, as the reader has it.
    public var kind: Int
    /// For people.
    public var reason: String
    /// Milliseconds since 1970: the first attempt at this version.
    public var since: UInt64
    public var attempts: Int
    /// When to try again; nil for not before it changes.
    public var retry: UInt64?

    public init(kind: Int, reason: String, since: UInt64, attempts: Int, retry: UInt64?) {
        self.kind = kind
        self.reason = reason
        self.since = since
        self.attempts = attempts
        self.retry = retry
    }
}
