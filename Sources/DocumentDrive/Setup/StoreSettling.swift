import DriveCore
import DriveFiles
import DriveIndex
import DriveTransport
import Synchronization

/// Devices that make the store of one place on a server at the same time may each see only their own for a while. So before one
/// publishes for the first time it looks once more, and takes the one that counts for all.
final class StoreSettling: Sendable {
    private let folder: FolderPath
    private let isSettled = Atomic(false)
    private static let key = "store-made-here"

    init(_ folder: FolderPath) { self.folder = folder }

    /// Notes that the drive has made its store, or found one that nobody used: nobody has chosen it.
    static func begin(in index: DriveIndex) throws { try index.setSetting([1], key) }

    /// Writes another store into the drive's settings where that is the one that counts: true then, and whatever works with the
    /// drive has to open it again.
    func takeOver(from id: StoreID, _ access: StoreAccess) async throws(DriveError) -> Bool {
        guard !isSettled.load(ordering: .relaxed) else { return false }
        guard isOpen else {
            isSettled.store(true, ordering: .relaxed)
            return false
        }
        guard try await !Store.isUsed(id, in: access.objects), let found = try await counting(access), found != id
        else { return false }
        let settings = try DriveSettings.change(in: folder) { settings in
            if settings.storeID == id.description { settings.storeID = found.description }
        }
        return settings.storeID == found.description
    }

    /// Nil where somebody would have to decide: this device keeps its own.
    private func counting(_ access: StoreAccess) async throws(DriveError) -> StoreID? {
        do throws(DriveError) { return try await Store.find(in: access.objects)?.id } catch {
            if error.kind == .needsDecision { return nil }
            throw error
        }
    }

    /// The drive knows nothing of its store, nor has that anything of the drive.
    private var isOpen: Bool {
        guard let index = try? IndexFile(drive: folder).openForReading(), let note = try? index.setting(Self.key),
            !note.isEmpty, let journal = try? index.journal()
        else { return false }
        return journal.heads.isEmpty && journal.intended == nil && (try? index.isBlank) == true
    }
}

extension Drive {
    /// Before a drive is opened: its store is the one that counts for all devices that made one in its place. Nothing where that
    /// cannot be seen now, and where somebody works with the drive, who looks then.
    public static func settleStore(of folder: FolderPath) async {
        guard let settings = try? DriveSettings.load(from: folder), let id = settings.storeID.flatMap({ StoreID($0) }),
            let access = try? StoreAccess(settings, of: folder), DriveLock.holder(at: folder.bytes) == nil
        else { return }
        _ = try? await StoreSettling(folder).takeOver(from: id, access)
    }
}
