public import DriveCore

/// An object of a store that is not as whoever refers to it says.
public struct StoreDamage: Hashable, Sendable {
    public var object: ObjectKey
    public var kind: Kind
    public var fault: Fault
    /// Whose journal it belongs to; nil for contents.
    public var device: DeviceID?
    /// The contents that need it.
    public var contents: Set<ContentHash>

    public enum Kind: String, Hashable, Sendable { case format, head, segment, content }

    public enum Fault: String, Hashable, Sendable {
        case missing
        /// Its bytes, or their number, are wrong.
        case damaged
        /// The store fails to read it, and answers otherwise: it may be whole.
        case unread
    }

    /// A head that no list has, and so nothing in the store refers to: `object` is what the keys of such heads begin with, and a star.
    public var isUnlistedHead: Bool { kind == .head && fault == .missing && HeadName(object) == nil }

    init(
        _ object: ObjectKey, _ kind: Kind, _ fault: Fault, device: DeviceID? = nil, contents: Set<ContentHash> = []
    ) {
        self.object = object
        self.kind = kind
        self.fault = fault
        self.device = device
        self.contents = contents
    }
}
