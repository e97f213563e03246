import DriveCore
import DriveFiles
import DriveTransport
import Glibc

/// Finds or makes the store at an address.
struct StoreFinder {
    /// The name at the top of a store that only a store has.
    static let mark = FileName(storeMark)

    private let access: StoreAccess
    private var objects: any ObjectStore { access.objects }
    private var place: String { access.address.text }

    init(_ access: StoreAccess) { self.access = access }

    /// The store there, nil where one may be made. Refuses a place with other content, one in what is missing, and one
    /// without the store that is named.
    func look(named: StoreID? = nil) async throws(DriveError) -> StoreInfo? {
        let found = try await findThere(named)
        guard found == nil, named != nil else { return found }
        throw DriveError(
            .usage,
            "no store with this --store-id is there; it stands as `store-id` in .docdrive/config.toml on each device that "
                + "shares the store", path: place)
    }

    private func findThere(_ named: StoreID?) async throws(DriveError) -> StoreInfo? {
        switch try await access.location.look() {
        case .absent:
            if let folder = access.address.folder, !folder.parent.exists {
                throw DriveError(
                    .unreachable,
                    "the folder that the store should be made in is missing; is its disk mounted, is the path right?",
                    path: folder.description)
            }
            return nil
        case .empty: return nil
        case .notFolder: throw DriveError(.usage, "the store cannot be a file; give a folder", path: place)
        case .occupied:
            throw DriveError(
                .usage, "the folder has content and is no store; give an empty or a new folder", path: place)
        case .store:
            return try await findOrAwait(named)
        }
    }

    /// The store of a drive that knows it already.
    func find(_ id: StoreID) async throws(DriveError) -> StoreInfo {
        if let info = try await Store.find(in: objects, named: id) { return info }
        if try await !objects.list(prefix: "\(storeMark)/\(id)/head/", after: nil, limit: 1).isEmpty {
            throw DriveError(
                .corrupt,
                "the store's `format` object is missing or damaged; `docdrive store check --repair` makes it anew",
                path: place)
        }
        throw missing
    }

    /// Looks, with one call where all is well, whether the store of a drive is still there.
    func confirm(_ id: StoreID) async throws(DriveError) {
        if try await Store.info(id, in: objects) != nil { return }
        do throws(DriveError) { _ = try await find(id) } catch {
            guard error.kind == .corrupt else { throw error }
            // Damage to the store is none of the file that is being sent.
            throw DriveError(.temporary, "the store was changed just now; it is looked at again", path: place)
        }
    }

    /// The store of a drive, whether or not the object that says which one it is can be read. Throws where nothing of it
    /// is there.
    func findAny(_ id: StoreID) async throws(DriveError) -> StoreInfo {
        guard try await !objects.list(prefix: "\(storeMark)/\(id)/", after: nil, limit: 1).isEmpty else {
            throw missing
        }
        return StoreInfo(id: id)
    }

    private var missing: DriveError {
        let question = access.address.folder == nil ? "is the address still right?" : "is its disk mounted?"
        let kind = access.address.folder == nil ? "at this address" : "in this folder"
        return DriveError(.unreachable, "the store of this drive is not \(kind); \(question)", path: place)
    }

    /// Where other devices make one at the same time, all take the same one. In a folder one of them makes the folder in it, and
    /// the others wait for what it puts there.
    func create() async throws(DriveError) -> StoreInfo {
        try await access.location.create()
        guard let folder = access.address.folder else {
            return try await settled(try await Store.create(in: objects, entropy: SystemEntropy()))
        }
        let mark = folder.appending(Self.mark)
        let isFirst = mark.withPointer { mkdir($0, 0o777) } == 0
        if isFirst { Ownership.give(folder: mark.bytes) }
        FolderObjectStore.share(folder: mark.bytes, in: folder.bytes)
        if !isFirst, let made = try await awaited() { return made }
        return try await Store.create(in: objects, entropy: SystemEntropy())
    }

    /// Of a store that nobody has published to. On a server nobody is first: whoever looked before this one was there has put
    /// its own by the time that this looks again.
    func settled(_ info: StoreInfo) async throws(DriveError) -> StoreInfo {
        if access.address.folder != nil { return info }
        let start = ContinuousClock.now
        _ = try await Store.find(in: objects)
        await Self.pause(max(.milliseconds(500), start.duration(to: .now) * 5))
        return try await Store.find(in: objects) ?? info
    }

    /// What another one is making; nil where that seems to have ended before it was done.
    private func awaited() async throws(DriveError) -> StoreInfo? {
        for _ in 0..<200 {
            if let info = try await Store.find(in: objects) { return info }
            if Task.isCancelled { return nil }
            await Self.pause(.milliseconds(50))
        }
        return nil
    }

    /// Where there is something of a store and not what says which, somebody may be making it.
    private func findOrAwait(_ named: StoreID?) async throws(DriveError) -> StoreInfo? {
        for _ in 0..<10 {
            if let info = try await Store.find(in: objects, named: named) { return info }
            if named != nil { return nil }
            if try await objects.list(prefix: "\(storeMark)/", after: nil, limit: 1).isEmpty { return nil }
            await Self.pause(.milliseconds(100))
        }
        throw DriveError(
            .corrupt,
            "a store is here, but its `format` object is missing or damaged; a device of it puts it back "
                + "by `docdrive store check --repair`, or bring it back from a copy of the store",
            path: place)
    }

    /// Cut short for whoever is cancelled.
    private static func pause(_ time: Duration) async { try? await Task.sleep(for: time) }
}
