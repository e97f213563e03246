import DriveCore
import DriveFiles
import DriveTransport
import FileCoordination
import Glibc

/// Contents that were recorded during a pause; they lie in the drive's own folder until they may be sent.
struct UnsentContents: Sendable {
    let folder: FolderPath
    let hold = HoldSwitch()

    init(drive: FolderPath) { folder = drive.appending(DriveLayout.state).appending("unsent") }

    /// Before anything is kept.
    func makeFolder() throws(DriveError) {
        let result = folder.withPointer { mkdir($0, 0o700) }
        guard result == 0 || errno == EEXIST else { throw SmallFile.failure("make the folder", folder) }
    }

    /// The store behind it.
    func store(over base: any ObjectStore) -> HoldingObjectStore {
        let kept = FolderObjectStore(at: folder.bytes)
        return HoldingObjectStore(base, hold: hold) { [folder] in folder.exists ? kept : nil }
    }
}

/// What tests put in place of the world.
struct WiringChanges: Sendable {
    var store: @Sendable (any ObjectStore) -> any ObjectStore = { $0 }
    var options: @Sendable (inout EngineOptions) -> Void = { _ in }
    var clock: any WallClock = SystemClock()
}
