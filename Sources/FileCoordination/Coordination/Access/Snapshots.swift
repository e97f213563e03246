import DriveCore
import Foundation

/// Copies of items as they are now, in a folder of their own; a folder becomes one zip file.
struct Snapshots {
    let items: [CoordinatedItem]
    private let folder: URL

    init(of originals: [CoordinatedItem]) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("docdrive-upload-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        do {
            let base = folder
            items = try originals.enumerated().map { number, item in try Self.snapshot(item, number, in: base) }
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    /// Whoever still has one open keeps it.
    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Numbers keep apart what has one name in several folders; the copy has the item's name, for whoever shows it.
    private static func snapshot(_ item: CoordinatedItem, _ number: Int, in folder: URL) throws -> CoordinatedItem {
        let place = folder.appendingPathComponent("\(number)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        let name = item.path.name?.bytes ?? Array("drive".utf8)
        let target = Array(place.path.utf8) + [0x2F] + name
        if ZipArchive.isFolder(item.place) {
            let zip = target + Array(".zip".utf8)
            try ZipArchive.write(folder: item.place, named: name, to: zip)
            return CoordinatedItem(item.path, place: zip)
        }
        try FileCopy.copy(item.place, to: target)
        return CoordinatedItem(item.path, place: target)
    }
}
