public import DriveCore

/// A store that is reached over a network.
public protocol RemoteStore: ObjectStore, StoreLocation {}

/// What a remote store needs beside its URL.
public struct RemoteStoreOptions: Sendable {
    /// What the drive keeps for this store; otherwise each kind of store looks where its users have theirs.
    public var credentials: StoreCredentials?
    /// A file with certificates (PEM) that are trusted besides the system's.
    public var authorities: String?
    public var pace = TransferPace.unlimited
    /// How long a connection may take to stand, in seconds.
    public var connectSeconds = 30.0
    /// How long nothing may arrive or be taken, in seconds. A transfer that goes on may last as long as it likes.
    public var progressSeconds = 60.0
    public var environment: [String: String]
    /// The store has been there: what does not speak its protocol is something else in its place, and may go again.
    package var isKnown = false

    public init(credentials: StoreCredentials? = nil, environment: [String: String]) {
        self.credentials = credentials
        self.environment = environment
    }
}

public enum RemoteStores {
    /// Connects to nothing yet.
    public static func open(_ url: StoreURL, _ options: RemoteStoreOptions) throws(DriveError) -> any RemoteStore {
        switch url.scheme {
        case .s3: try S3ObjectStore(url, options)
        case .webdav, .webdavs: try WebDAVObjectStore(url, options)
        case .sftp: try SFTPObjectStore(url, options)
        }
    }
}
