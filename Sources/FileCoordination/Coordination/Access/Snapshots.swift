import DriveCore
import Foundation
import Glibc

/// Copies of items as they are now, in a folder of their own; a folder becomes one zip file.
struct Snapshots {
    let items: [CoordinatedItem]
    private let folder: URL

    /// On a thread of its own: what is large takes a while. Throws `CancellationError` where the task is cancelled meanwhile.
    static func make(of originals: [CoordinatedItem]) async throws -> Snapshots {
        let stop = FileCopy.Stop()
        let result = await withTaskCancellationHandler {
            await SocketConnection.blocking { Result { try Snapshots(of: originals, until: stop) } }
        } onCancel: {
            stop.set()
        }
        guard Task.isCancelled else { return try result.get() }
        try? result.get().remove()
        throw CancellationError()
    }

    private init(of originals: [CoordinatedItem], until stop: FileCopy.Stop) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("docdrive-upload-\(UUID().uuidString)")
        guard mkdir(folder.path, 0o700) == 0 else {
            throw Self.noFolder(errno, in: FileManager.default.temporaryDirectory.path)
        }
        do {
            let base = folder
            items = try originals.enumerated().map { number, item in
                try Self.snapshot(item, number, in: base, until: stop)
            }
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    static func noFolder(_ code: Int32, in parent: String) -> DriveError {
        let kind: DriveError.Kind =
            switch code {
            case ENOENT, ENOTDIR: .needsDecision
            case EACCES, EPERM: .permissionDenied
            case EROFS: .readOnly
            default: .noSpace
            }
        return DriveError(
            kind,
            "no temporary folder can be made (\(String(cString: strerror(code)))); set TMPDIR to a folder that is there, that you "
                + "may write to, and that has room", path: parent)
    }

    /// Whoever still has one open keeps it.
    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Numbers keep apart what has one name in several folders; the copy has the item's name, for whoever shows it.
    private static func snapshot(
        _ item: CoordinatedItem, _ number: Int, in folder: URL, until stop: FileCopy.Stop
    ) throws -> CoordinatedItem {
        let place = folder.appendingPathComponent("\(number)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        let name = item.path.name?.bytes ?? Array("drive".utf8)
        let target = Array(place.path.utf8) + [0x2F] + name
        if ZipArchive.isFolder(item.place) {
            let zip = target + Array(".zip".utf8)
            try ZipArchive.write(folder: item.place, named: name, to: zip, until: stop)
            return CoordinatedItem(item.path, place: zip)
        }
        try FileCopy.copy(item.place, to: target, until: stop)
        return CoordinatedItem(item.path, place: target)
    }
}
