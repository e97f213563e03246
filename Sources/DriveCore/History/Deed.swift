/// One thing that an act of a person does to the folder. Nothing is done where the folder is not as the deed says.
public enum Deed: Hashable, Sendable {
    /// An earlier content under this name; the one that is there goes to the trash. Nil: nothing may be there.
    case putBack(ContentHash, at: DrivePath, replacing: ContentHash?)
    /// A file out of the trash, under this name or the next free one.
    case takeOut(FileName, to: DrivePath)
    /// A new text under this name; the content that is there goes to the trash.
    case write([UInt8], at: DrivePath, replacing: ContentHash)
    /// To the trash.
    case takeAway(DrivePath, ContentHash)
    case move(DrivePath, to: DrivePath)
    /// A file out of a folder that holds nothing else, in the place of that folder; or into a new folder in its own place.
    case moveNested(DrivePath, to: DrivePath)
    /// A file takes the place of another, which goes to the trash.
    case moveOver(DrivePath, ContentHash, to: DrivePath, replacing: ContentHash)
    /// Each gets the name of the next, the last that of the first. All or none; there is always one under each name, but where one
    /// lies in the other.
    case rotate([DrivePath])
    case makeFolder(DrivePath)
    /// Only if it is empty.
    case removeFolder(DrivePath)
    case setAttributes(Attributes, of: DrivePath)
    /// Makes a conflict copy a file of its own: its time becomes now.
    case touch(DrivePath)
    /// Nothing; but what belongs together with it is not done where nothing is there or, given a content, something else is.
    case expect(DrivePath, ContentHash?)

    /// Where it does something.
    public var path: DrivePath {
        switch self {
        case .putBack(_, let path, _), .write(_, let path, _), .takeAway(let path, _), .takeOut(_, let path),
            .moveOver(_, _, let path, _), .move(_, let path), .moveNested(_, let path), .makeFolder(let path),
            .removeFolder(let path), .setAttributes(_, let path), .touch(let path), .expect(let path, _):
            path
        case .rotate(let paths): paths[0]
        }
    }

    /// What it moves from where to where.
    public var moves: [(from: DrivePath, to: DrivePath)] {
        switch self {
        case .move(let from, let to), .moveNested(let from, let to): [(from, to)]
        case .rotate(let paths): zip(paths, paths.dropFirst() + paths.prefix(1)).map { ($0, $1) }
        default: []
        }
    }

    /// The conflict copy that takes the place of its file.
    public var copy: DrivePath? { if case .moveOver(let copy, _, _, _) = self { copy } else { nil } }

    /// The content that it sends to the trash, and from where.
    public var trashed: (path: DrivePath, hash: ContentHash)? {
        switch self {
        case .putBack(_, let path, .some(let old)), .write(_, let path, let old), .takeAway(let path, let old),
            .moveOver(_, _, let path, let old):
            (path, old)
        default: nil
        }
    }
}
