/// The world is in the way: the one error type that crosses a seam. Losing a race is a value instead, and so is one
/// item that cannot be synced (`Problem`).
public struct DriveError: Error, Hashable, Sendable {
    public var kind: Kind
    /// What happened, as a sentence without its full stop, and what to do now if anything.
    public var message: String
    /// What it happened to: a path or an object key, for people.
    public var path: String?
    /// Seconds after which another try is welcome, where somebody said so (`Retry-After`, RFC 9110, section 10.2.3).
    public var retryAfter: Double?

    public enum Kind: String, Hashable, Sendable {
        /// No such file or object where there should be one.
        case notFound
        case permissionDenied
        /// The store does not know who asks, or not by these credentials.
        case notAuthenticated
        /// ENOSPC, EDQUOT, the free-space floor, the store's quota.
        case noSpace
        /// The store takes no object of this size, by a limit of its server.
        case tooLarge
        /// The store does not take these bytes, for whatever reason of its server's; it may take others.
        case refused
        /// The store fails at this object again and again, and answers otherwise.
        case objectFailed
        /// The store does not let this object be read, and gives others.
        case objectDenied
        /// EMFILE, ENFILE, ENOMEM, watch limits.
        case exhausted
        /// This disk does not keep the one item so, and keeps others.
        case unfit
        /// The file system does not move this one item (EXDEV): it has to be copied.
        case unmovable
        /// EIO and everything else that a device or file system reports.
        case inputOutput
        case readOnly
        /// The store cannot be reached or does not answer.
        case unreachable
        /// Throttled, locked by another process, or otherwise worth another try.
        case temporary
        /// Bytes that fail their check, or data that breaks its format.
        case corrupt
        /// Written by a newer version.
        case newerFormat
        /// The folder or store is not the one it was.
        case identityChanged
        /// Cannot be done as asked.
        case usage
        /// Somebody must decide first.
        case needsDecision
        case internalFault
    }

    public enum Remedy: Hashable, Sendable { case retry, skip, halt }

    public init(_ kind: Kind, _ message: String, path: String? = nil, retryAfter: Double? = nil) {
        self.kind = kind
        self.message = message
        self.path = path
        self.retryAfter = retryAfter
    }

    /// Of an index that who only reads it cannot bring up to date.
    package static let olderIndex = DriveError(
        .readOnly, "The index is of an older version; a `docdrive sync` brings it up to date")

    public var remedy: Remedy {
        switch kind {
        case .unreachable, .temporary, .exhausted, .noSpace: .retry
        case .notFound, .permissionDenied, .notAuthenticated, .tooLarge, .refused, .objectFailed, .objectDenied, .unfit,
            .unmovable, .inputOutput, .corrupt:
            .skip
        case .readOnly, .newerFormat, .identityChanged, .usage, .needsDecision, .internalFault: .halt
        }
    }
}

extension DriveError: CustomStringConvertible {
    /// `what happened: path; what to do`
    public var description: String {
        guard let path else { return message }
        // Further lines show what a person wrote.
        guard let end = message.prefix(while: { $0 != "\n" }).firstIndex(of: ";") else { return "\(message): \(path)" }
        return "\(message[..<end]): \(path)\(message[end...])"
    }
}
