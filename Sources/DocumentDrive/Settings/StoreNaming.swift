import DriveCore
import DriveIndex

/// Whether settings and index agree about the drive's store.
struct StoreNaming {
    let folder: FolderPath
    let settings: DriveSettings

    /// What keeps the drive from working, if they do not.
    ///
    /// Records that were made for a store are of no use without it, and changes that are not recorded would be lost to the
    /// other devices.
    func conflict(with index: DriveIndex) throws -> DriveError? {
        if isNamed, try isStoreless(index) {
            return error(
                "the settings name a store that the drive was never connected to: take `store` and `store-id` out, and "
                    + "connect it with `docdrive sync --to URL`")
        }
        guard !isComplete, try index.isConnected else { return nil }
        return error(
            "the drive has a store, and its settings do not name it: write `store` and `store-id` back, or connect the "
                + "drive again with `docdrive sync --to URL`")
    }

    /// Rows that are kept without records tell so: a scan for a store would take all of them for known to it.
    func noteStoreless(in index: DriveIndex) throws {
        if !isNamed, try !isStoreless(index) { try index.setSetting([1], Self.key) }
    }

    private var isNamed: Bool { settings.store != nil || settings.storeID != nil }
    private var isComplete: Bool { settings.store != nil && settings.storeID != nil }
    private func isStoreless(_ index: DriveIndex) throws -> Bool { try index.setting(Self.key) != nil }

    private func error(_ text: String) -> DriveError {
        DriveError(.needsDecision, text, path: DriveSettings.path(in: folder).description)
    }

    private static let key = "storeless"
}
