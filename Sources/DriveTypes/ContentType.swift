/// What a file is.
public struct ContentType: Hashable, Sendable {
    /// "application/pdf"
    public let mime: String
    /// The uniform type identifier, "com.adobe.pdf".
    public let identifier: String
    /// The identifier and all that it conforms to, nearest first.
    public let tree: [String]
    /// One word for people and queries: pdf, image, movie, audio, text, source, document...
    public let kind: String

    /// Only its MIME type is known, and what that is a kind of.
    public var isUnknown: Bool { identifier.hasPrefix("dyn.") }
}
