public import DriveCore

/// How an item is to be read, as `NSFileCoordinator.ReadingOptions`; may be combined.
public struct ReadingOptions: OptionSet, Hashable, Sendable, Codable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Presenters are not asked to save first.
    public static let withoutChanges = ReadingOptions(rawValue: 1 << 0)
    /// The claim is on what a symbolic link leads to, which has to be in the drive.
    public static let resolvesSymbolicLink = ReadingOptions(rawValue: 1 << 1)
    /// Only the name, dates, tags and the like are read.
    public static let immediatelyAvailableMetadataOnly = ReadingOptions(rawValue: 1 << 2)
    /// The body gets a snapshot, and the claim ends as soon as there is one.
    public static let forUploading = ReadingOptions(rawValue: 1 << 3)
}

/// What is to be written, as `NSFileCoordinator.WritingOptions`; exactly one.
public enum WritingOptions: String, Hashable, Sendable, Codable, CaseIterable {
    case plain
    /// Presenters make room for the deletion; nobody uses what is in the item meanwhile.
    case forDeleting
    /// A move or rename; nobody uses what is in the item meanwhile. The same as `plain` for a file.
    case forMoving
    /// Presenters save first, and the write comes on top.
    case forMerging
    /// As `forDeleting`, and the claim is on the name: it stays where it is when the item moves while it waits.
    case forReplacing
    /// Tags and whatever else does not depend on the content.
    case contentIndependentMetadataOnly

    /// Whether everything in the item is claimed with it.
    var includesContents: Bool { self == .forDeleting || self == .forMoving || self == .forReplacing }
    /// Whether the item that was at the path is gone afterwards.
    var endsItem: Bool { self == .forDeleting || self == .forReplacing }
}

/// One item and what somebody wants to do with it.
public struct FileIntent: Hashable, Sendable, Codable {
    public enum Access: Hashable, Sendable, Codable {
        case reading(ReadingOptions)
        case writing(WritingOptions)
    }

    public var path: DrivePath
    public var access: Access

    public static func reading(_ path: DrivePath, options: ReadingOptions = []) -> FileIntent {
        FileIntent(path: path, access: .reading(options))
    }

    public static func writing(_ path: DrivePath, options: WritingOptions = .plain) -> FileIntent {
        FileIntent(path: path, access: .writing(options))
    }
}

extension FileIntent {
    var isWriting: Bool { writing != nil }

    var writing: WritingOptions? {
        guard case .writing(let options) = access else { return nil }
        return options
    }

    var reading: ReadingOptions? {
        guard case .reading(let options) = access else { return nil }
        return options
    }

    /// Whether the two have to wait for one another, whoever asks: readers share; a folder and what is in it are
    /// independent, except where the folder goes away with all of it.
    func conflicts(with other: FileIntent) -> Bool {
        guard isWriting || other.isWriting else { return false }
        return path.coordinatedItem == other.path.coordinatedItem || takes(other.path) || other.takes(path)
    }

    /// Whether the path goes wherever this writer puts the item.
    func takes(_ other: DrivePath) -> Bool {
        writing?.includesContents == true && other.coordinatedItem.isInside(path.coordinatedItem)
    }
}
