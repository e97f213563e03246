/// A place that holds a store, or may come to.
public protocol StoreLocation: Sendable {
    /// Throws `unreachable` where nobody can tell: the host, the bucket or what the place lies in is not there.
    func look() async throws(DriveError) -> StoreFinding
    /// Makes the last part of the place, and nothing above it. Fine where it is there.
    func create() async throws(DriveError)
    /// Takes the place away that `create` made, with empty places in it. Objects are deleted before; one that is there is an
    /// error, and stays.
    func remove() async throws(DriveError)
}

public enum StoreFinding: Hashable, Sendable {
    /// Nothing is there.
    case absent
    /// The place without content, apart from what systems and other tools put there.
    case empty
    case store
    /// Content that is no store: never to be used as one.
    case occupied
    /// Something else than a place for objects.
    case notFolder
}

/// The name at the top of a store that only a store has.
public let storeMark = "dd1"

/// Which way bytes go, as seen from this device.
public enum TransferDirection: Hashable, Sendable { case up, down }

/// How fast bytes may go to and from a store.
public struct TransferPace: Sendable {
    private let wait: @Sendable (TransferDirection, Int) async -> Void

    /// `wait` returns when so many more bytes may go, or when the task is cancelled.
    public init(_ wait: @escaping @Sendable (TransferDirection, Int) async -> Void) { self.wait = wait }

    public static let unlimited = TransferPace { _, _ in }

    public func pass(_ direction: TransferDirection, _ bytes: Int) async { await wait(direction, bytes) }
}

/// Why a call to a store waits, and until when.
public struct StoreWait: Hashable, Sendable {
    public var error: DriveError
    /// When the call was made first, and when it is made again, in milliseconds since 1970.
    public var since: UInt64
    public var until: UInt64

    public init(error: DriveError, since: UInt64, until: UInt64) {
        self.error = error
        self.since = since
        self.until = until
    }
}
