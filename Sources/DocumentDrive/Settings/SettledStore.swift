import DriveCore
import Glibc
import Synchronization

/// Notices that a person has written another store into a drive's settings than the one that is worked with.
final class SettledStore: Sendable {
    private let folder: FolderPath
    private let address: StoreAddress?
    private let id: String?
    /// What told last that the settings are as they were; a look at the file costs less than reading it in each pass.
    private let seen = Mutex<Stamp?>(nil)

    private struct Stamp: Hashable {
        var inode: UInt
        var size: Int
        var seconds: Int
        var nanoseconds: Int
    }

    init(_ settings: DriveSettings, of folder: FolderPath) {
        self.folder = folder
        (address, id) = (settings.store, settings.storeID)
    }

    /// Throws `identityChanged` where it is another one, and `temporary` where that cannot be told now.
    func check() throws(DriveError) {
        // Whoever looks at a folder that is not there says so.
        guard let stamp, stamp != seen.withLock({ $0 }) else { return }
        guard try !isOther else {
            throw DriveError(
                .identityChanged,
                "the settings name another store since this began; what works with the drive has to open it again",
                path: DriveSettings.path(in: folder).description)
        }
        seen.withLock { $0 = stamp }
    }

    var isOther: Bool {
        get throws(DriveError) {
            guard stamp != nil else { return false }
            let settings = try written()
            return settings.store != address || settings.storeID != id
        }
    }

    /// Throws `temporary` for half of them: an editor may be writing the file, and whoever mends it later does not think of
    /// starting this again as well.
    private func written() throws(DriveError) -> DriveSettings {
        let settings: DriveSettings
        do throws(DriveError) { settings = try DriveSettings.load(from: folder) } catch {
            throw DriveError(.temporary, error.message, path: error.path)
        }
        let isIncomplete = settings.store == nil || settings.storeID == nil
        guard isIncomplete, address != nil, id != nil else {
            try checkOpening(settings)
            return settings
        }
        throw DriveError(
            .temporary,
            "the settings do not name the drive's store any more; write `store` and `store-id` back, or end what works with "
                + "the drive, and connect it again with `docdrive sync --to URL`",
            path: DriveSettings.path(in: folder).description)
    }

    /// What cannot even be begun with, as a URL with a mistyped option or a certificate that is not there yet, is mended in the
    /// file as well.
    private func checkOpening(_ settings: DriveSettings) throws(DriveError) {
        guard settings.store != address else { return }
        do throws(DriveError) { _ = try StoreAccess(settings, of: folder) } catch {
            throw DriveError(
                .temporary, "the settings name a store that cannot be opened: \(error.message)",
                path: DriveSettings.path(in: folder).description)
        }
    }

    private var stamp: Stamp? {
        var facts = stat()
        guard DriveSettings.path(in: folder).withPointer({ stat($0, &facts) }) == 0 else { return nil }
        return Stamp(
            inode: UInt(facts.st_ino), size: Int(facts.st_size), seconds: facts.st_mtim.tv_sec,
            nanoseconds: facts.st_mtim.tv_nsec)
    }
}
