public import DriveCore
import FileCoordination

/// Two contents of one file, the one that has its name and a copy beside it; or a file that one device deleted while
/// another edited it.
public struct Conflict: Hashable, Sendable, Identifiable {
    public var id: String
    /// Where the file itself is, or would be.
    public var current: DrivePath
    /// Nil where the other side is a delete.
    public var copy: DrivePath?
    public var currentSide: Side?
    public var copySide: Side?
    /// Nil until both sides were compared here, after the next pass.
    public var kind: ConflictClass?
    /// The content that both sides come from; nil where it is not known here, or is no text.
    public var ancestor: ContentHash?
    /// Who deleted the file, where the other side is a delete.
    public var deleter: String?

    /// What is known of one of the contents.
    public struct Side: Hashable, Sendable {
        /// As it is here.
        public var facts: FileFacts
        public var hash: ContentHash?
        /// The label of the device that wrote it; nil where no record tells.
        public var device: String?
        /// When it was recorded there, in milliseconds since 1970.
        public var recorded: UInt64?
        /// It was deleted here, and the delete waits for a decision.
        public var isHeld = false
    }

    /// What loses nothing, where anything does.
    public enum Suggestion: String, Hashable, Sendable {
        case keepCurrent = "keep current"
        case keepCopy = "keep copy"
        case merge
    }

    public var suggestion: Suggestion? {
        guard !isAgainstFolder else { return nil }
        return switch kind {
        case .identical: .keepCurrent
        // Who has all lines of the other and more of them is the longer one.
        case .superset: (currentSide?.facts.size ?? 0) >= (copySide?.facts.size ?? 0) ? .keepCurrent : .keepCopy
        case .mergeable: .merge
        case .divergent, .binary, .deleteVersusEdit, nil: nil
        }
    }

    /// A folder has the file's name. A folder is no content: it is not compared, and nothing takes its place.
    public var isAgainstFolder: Bool { copy != nil && currentSide?.facts.kind == .folder }

    /// One of the sides was deleted here, and nobody has decided yet whether that is meant.
    public var isHeld: Bool { currentSide?.isHeld == true || copySide?.isHeld == true }

    /// What is said then.
    public static let heldReason =
        "one side was deleted here, and that delete is held; decide about it first: `docdrive deletes ls`"

    /// The path that is only this conflict's.
    public var ownPath: DrivePath { copy ?? current }
}

extension DriveReader {
    /// Every conflict of the drive, by path.
    public func conflicts() throws -> [Conflict] { try index.transaction { try ConflictList(index).all() } }
}
