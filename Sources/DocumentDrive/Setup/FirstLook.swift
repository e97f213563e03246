import DriveCore
import DriveFiles

/// Both sides before they meet for the first time.
public struct FirstLook: Sendable {
    public var folder: FolderPath
    public var folderExists: Bool
    public var here: Side
    public var store: StoreAddress?
    /// Nil where the store is to be made, or there is none.
    public var there: Side?
    /// How many other devices share the store.
    public var devices = 0
    /// The same on both sides, by name, kind and content; each pair becomes one.
    public var alike = 0
    /// Of one name, but not the same: one of each pair will be shown as a copy.
    public var differing = 0
    /// Files of one name and size, too many or too large to be read for a look: equal bytes become one, of others one will be
    /// shown as a copy.
    public var undecided = 0
    public var onlyHere: Int { here.items - common }
    public var onlyThere: Int { (there?.items ?? 0) - common }
    private var common: Int { alike + differing + undecided }

    public struct Side: Hashable, Sendable {
        public var items: Int
        public var bytes: UInt64
    }

    init(folder: FolderPath, store: StoreAddress?, census: FolderCensus?, stored: StoreCensus?) {
        self.folder = folder
        self.store = store
        folderExists = census != nil
        here = Side(items: census?.count ?? 0, bytes: census?.bytes ?? 0)
        guard let stored else { return }
        there = Side(items: stored.items.count, bytes: stored.bytes)
        devices = stored.devices.filter { !$0.isForgotten }.count
        let common = CommonPaths(census?.items ?? [:], stored.items, in: folder)
        (alike, differing, undecided) = (common.alike, common.differing, common.undecided)
    }
}
