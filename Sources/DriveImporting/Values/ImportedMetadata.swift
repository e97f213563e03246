/// What an importer reads out of one file.
public struct ImportedMetadata: Hashable, Sendable {
    /// By the `kMDItem...` names.
    public var attributes: [String: ImportedValue]
    /// For searching; nil where the type has no text.
    public var text: String?
    /// The file holds more text than the limit allows.
    public var isTextCut: Bool

    public init(attributes: [String: ImportedValue] = [:], text: String? = nil, isTextCut: Bool = false) {
        self.attributes = attributes
        self.text = text
        self.isTextCut = isTextCut
    }

    public subscript(_ name: AttributeName) -> ImportedValue? {
        get { attributes[name.rawValue] }
        set { attributes[name.rawValue] = newValue }
    }
}
