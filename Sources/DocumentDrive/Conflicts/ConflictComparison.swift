import DriveCore
import Glibc

/// What the two sides of a conflict are to each other, by their bytes alone.
public enum ConflictComparison: Hashable, Sendable {
    case identical
    /// Text: the copy has all lines of the file and more, or the other way round.
    case copyHasAll
    case currentHasAll
    /// Text, and each has lines that the other has not.
    case bothDiffer
    /// No text, as links are none, or more of it than is compared.
    case otherBytes
    /// A folder has the file's name: there is nothing to compare.
    case folder
    /// The other side is a delete.
    case delete
    /// One of them was deleted here, and nobody has decided yet whether that is meant.
    case held
    /// One of them is not here, or cannot be read.
    case unknown
}

extension DriveReader {
    /// Reads both files where they are small enough to be compared by lines.
    public func comparison(of conflict: Conflict) -> ConflictComparison {
        if conflict.isHeld { return .held }
        if conflict.isAgainstFolder { return .folder }
        if conflict.copy == nil { return .delete }
        if [conflict.currentSide, conflict.copySide].contains(where: { $0?.facts.kind == .link }) {
            return .otherBytes
        }
        let paths = [conflict.current, conflict.copy].compactMap { $0.map { folder.appending(path: $0) } }
        guard paths.count == 2, let current = try? CleaningFile(paths[0]), let copy = try? CleaningFile(paths[1]) else {
            return .unknown
        }
        if current.hash == copy.hash { return .identical }
        guard let one = CleaningFile.text(paths[0]), let other = CleaningFile.text(paths[1]) else { return .otherBytes }
        return switch LineContainment(one, other) {
        case .firstInSecond: .copyHasAll
        case .secondInFirst: .currentHasAll
        case .neither: .bothDiffer
        case .unknown: .otherBytes
        }
    }
}
