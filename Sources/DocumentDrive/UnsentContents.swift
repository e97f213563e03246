import DriveCore
import DriveFiles
import DriveTransport
import FileCoordination
import Foundation
import Glibc

/// Contents that were recorded during a pause, or while the store took nothing; they lie in the drive's own folder until they may be sent.
struct UnsentContents: Sendable {
    let folder: FolderPath
    /// Of the names of the store's objects.
    private let prefix: String
    let hold = HoldSwitch()
    private let pool = DiskPool(label: "docdrive.unsent")

    /// What was kept for one store is never sent to another.
    init(drive: FolderPath, store: String?) {
        folder = drive.appending(DriveLayout.state).appending(FileName("unsent-\(store ?? "")"))
        prefix = store.flatMap { StoreID($0) }?.objectPrefix ?? ""
    }

    /// Before anything is kept.
    func makeFolder() throws(DriveError) {
        let result = folder.withPointer { mkdir($0, 0o700) }
        guard result == 0 || errno == EEXIST else { throw SmallFile.failure("make the folder", folder) }
        if result == 0 { Ownership.give(folder: folder.bytes) }
    }

    /// The store behind it. Each pause has a folder of its own, and so each use a value that knows no other.
    func store(over base: any ObjectStore) -> HoldingObjectStore {
        HoldingObjectStore(
            base, hold: hold,
            kept: { [folder, pool] in
                let role = "the drive's own folder for what is not sent yet"
                return folder.exists ? FolderObjectStore(at: folder.bytes, pool: pool, role: role) : nil
            },
            emptied: removeFolder)
    }

    /// Whether something of it waits here.
    func has(_ content: Content) -> Bool {
        let objects =
            if case .list(let list) = content.body { [list.object] } else { content.namedChunks.map(\.object) }
        return objects.contains { folder.appending(path: DrivePath(bytes: Array((prefix + $0).utf8))).exists }
    }

    /// What it holds is read before what the store does; nothing is sent.
    func reading(over base: any ObjectStore) -> HoldingObjectStore {
        hold.isOn = true
        return store(over: base)
    }

    /// Folders that hold nothing, the inner ones first; one that holds something stays.
    @Sendable private func removeFolder() {
        let inner = FileManager.default.enumerator(atPath: folder.description)?.compactMap { $0 as? String } ?? []
        for name in inner.sorted(by: { $0.utf8.count > $1.utf8.count }) { rmdir("\(folder)/\(name)") }
        _ = folder.withPointer { rmdir($0) }
    }
}

extension DriveReader {
    var unsent: UnsentContents { UnsentContents(drive: folder, store: settings.storeID) }
}

/// What is put in place of the settings and, by tests, of the world.
struct WiringChanges: Sendable {
    /// In place of what the settings say.
    var pace: TransferPace?
    var store: @Sendable (any ObjectStore) -> any ObjectStore = { $0 }
    var options: @Sendable (inout EngineOptions) -> Void = { _ in }
    var clock: any WallClock = SystemClock()
}
