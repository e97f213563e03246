/// An attribute that items may have.
public struct MetadataAttribute: Hashable, Sendable {
    /// What its values are.
    public enum Kind: Hashable, Sendable {
        case string
        /// A number.
        case number
        /// A number of bytes, which words may give as `10mb`.
        case size
        case date
        case boolean
    }

    /// Apple's name where Apple has the attribute.
    public let name: String
    /// The short names for words and options, the preferred one first.
    public let aliases: [String]
    public let kind: Kind
    /// Whether its value is a list.
    public let isMultiValued: Bool
    /// Whether a word has to be the whole value; else a part of it is enough.
    public let wordsMatchWhole: Bool
    /// Whether anything on Linux tells it; else no item ever has it.
    public let isSupplied: Bool
    /// All values that it can have; empty where those are without number.
    public let values: [String]

    public init(
        _ name: String, _ aliases: [String] = [], _ kind: Kind = .string, isMultiValued: Bool = false,
        wordsMatchWhole: Bool = false, isSupplied: Bool = true, values: [String] = []
    ) {
        self.name = name
        self.aliases = aliases
        self.kind = kind
        self.isMultiValued = isMultiValued
        self.wordsMatchWhole = wordsMatchWhole
        self.isSupplied = isSupplied
        self.values = values
    }
}

/// The attributes that queries may name.
public struct AttributeTable: Sendable {
    public let attributes: [MetadataAttribute]
    private let byName: [String: Int]
    private let byAlias: [String: Int]

    /// The first attribute with a name or alias has it.
    public init(_ attributes: [MetadataAttribute]) {
        self.attributes = attributes
        let places = attributes.enumerated()
        byName = Dictionary(places.map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        let aliases = places.flatMap { place, attribute in
            ([attribute.name] + attribute.aliases).map { ($0.lowercased(), place) }
        }
        byAlias = Dictionary(aliases, uniquingKeysWith: { first, _ in first })
    }

    /// The attribute with exactly this name.
    public func named(_ name: String) -> MetadataAttribute? { byName[name].map { attributes[$0] } }

    /// The attribute with this name or alias; aliases have no case.
    public func resolved(_ word: String) -> MetadataAttribute? {
        named(word) ?? byAlias[word.lowercased()].map { attributes[$0] }
    }

    /// The names that were probably meant by a word that is none: what it is an alias of, else the nearest.
    public func suggestions(for word: String) -> [String] {
        if let attribute = resolved(word) { return [attribute.name] }
        let short = NearestNames.nearest(to: word, in: attributes.flatMap(\.aliases))
        let names = NearestNames.nearest(to: word, in: attributes.map(\.name))
        return names + short.compactMap { resolved($0)?.name }.filter { !names.contains($0) }
    }

    /// The aliases, or names where there is none, that were probably meant by a word before a colon.
    func aliasSuggestion(for word: String) -> String? {
        NearestNames.nearest(to: word, in: attributes.flatMap { $0.aliases + [$0.name] }, count: 1).first
    }
}
