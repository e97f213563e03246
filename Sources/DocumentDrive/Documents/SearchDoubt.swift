import DriveCore
import DriveFiles
import Glibc

/// What somebody who only reads the search index found wrong with it, left beside it for whoever is to read documents next: that
/// makes it anew, or looks it over.
///
/// SQLite sees damage only where it reads, so that the next search for something else would find nothing wrong.
struct SearchDoubt {
    enum Finding: Hashable {
        /// Something did not work, which may have another reason.
        case unclear
        case damage
    }

    let file: SearchFile

    private var path: FolderPath { FolderPath(file.path.bytes + Array("-damaged".utf8)) }

    /// Nil where there is nothing to be seen to.
    var finding: Finding? {
        guard let bytes = try? SmallFile.read(path, throughLink: false) else { return nil }
        // The file may have been made anew since.
        return file.place.map { Self.text(of: $0) == bytes } ?? false ? .damage : .unclear
    }

    /// Where it can be written; nobody is kept from searching by that. `place` is the file that was read.
    func note(_ error: DriveError, in place: SearchFile.Place?) {
        guard file.isMeant(by: error) else { return }
        let text = error.kind == .corrupt ? place.map(Self.text) ?? [] : []
        if finding == .damage || (try? SmallFile.read(path, throughLink: false)) == text { return }
        let number = path.withPointer { open($0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
        if number >= 0 {
            Ownership.give(file: path.bytes, number)
            close(number)
        }
        let old = path.withPointer { open($0, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        guard old >= 0 else { return }
        // Cut short it says that something is wrong, which is true.
        _ = text.withUnsafeBytes { write(old, $0.baseAddress, $0.count) }
        close(old)
    }

    /// It was seen to.
    func clear() { _ = path.withPointer { unlink($0) } }

    private static func text(of place: SearchFile.Place) -> [UInt8] {
        Array("\(place.device) \(place.inode)\n".utf8)
    }
}
