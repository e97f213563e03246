/// Something that opens a door: it never appears in messages, logs, dumps, or in text that is made of it.
public struct Secret: Hashable, Sendable {
    public let text: String

    public init(_ text: String) { self.text = text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "(secret)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What a store knows a person or program by.
public struct StoreCredentials: Hashable, Sendable {
    /// A name, or the id of an access key.
    public var user: String
    public var secret: Secret
    /// Comes with keys that hold for a while only.
    public var token: Secret?

    public init(user: String, secret: Secret, token: Secret? = nil) {
        self.user = user
        self.secret = secret
        self.token = token
    }
}
