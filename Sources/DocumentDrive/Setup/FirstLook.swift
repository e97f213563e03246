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
    /// Of one name, kind and size on both sides; equal bytes become one file.
    public var alike = 0
    /// Files of one name that cannot be equal: one of each pair will be shown as a copy.
    public var differing = 0
    public var onlyHere: Int { here.items - alike - differing }
    public var onlyThere: Int { (there?.items ?? 0) - alike - differing }

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
        devices = stored.devices.count
        for (path, item) in census?.items ?? [:] {
            guard let other = stored.items[path] else { continue }
            let isAlike = other.kind.rawValue == item.kind.rawValue && (item.kind != .file || other.size == item.size)
            if isAlike { alike += 1 } else { differing += 1 }
        }
    }

    /// Nothing on one of the sides: nothing can be mistaken.
    public var isHarmless: Bool { here.items == 0 || there?.items ?? 0 == 0 }
}
