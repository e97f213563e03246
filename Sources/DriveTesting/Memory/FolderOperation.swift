import DriveCore

/// One call of the `FileStore` seam, as the hooks of a `MemoryFolder` see it.
public struct FolderOperation: Hashable, Sendable {
    public var kind: Kind
    /// Empty where the call names nothing.
    public var name: FileName
    public var folder: Int

    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        case openArea, open, look, list, read, readLink, extendedAttributes
        case readBytes, isUnchanged
        case stageFile, stageLink, stageFolder, writeBytes, finish
        case move, exchange, removeFolder, discard, setAttributes, adoptLocalMetadata, makeDurable, freeSpace

        /// Whether it leaves the folder as it was.
        public var isReading: Bool {
            switch self {
            case .openArea, .open, .look, .list, .read, .readLink, .extendedAttributes, .readBytes, .isUnchanged,
                .freeSpace:
                true
            default: false
            }
        }
    }
}

/// A call that fails: EIO on one file, a read-only disk, a denied folder.
public struct FolderFailure: Hashable, Sendable {
    /// Nil for every kind.
    public var kind: FolderOperation.Kind?
    /// Nil for every name.
    public var name: FileName?
    public var error: DriveError

    public init(_ kind: FolderOperation.Kind? = nil, name: FileName? = nil, error: DriveError) {
        self.kind = kind
        self.name = name
        self.error = error
    }

    func applies(to operation: FolderOperation) -> Bool {
        (kind == nil || kind == operation.kind) && (name == nil || name == operation.name)
    }
}

/// The death of the process in the simulation.
///
/// The seams throw only `DriveError`, so a kill is one of them: a hook throws `simulatedCrash`, the double that called
/// the hook is dead from then on and throws it at every further call, whatever the caller does about the first. The
/// simulation drops the engine, calls `restart()` on the doubles and starts a new engine over them.
extension DriveError {
    public static let simulatedCrash = DriveError(.internalFault, "the simulation killed this process")

    public var isSimulatedCrash: Bool { self == .simulatedCrash }
}
