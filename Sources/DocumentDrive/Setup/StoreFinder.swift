import DriveCore
import DriveFiles
import DriveTransport

/// Finds or makes the store at an address.
struct StoreFinder {
    /// The name at the top of a store's folder that only a store has.
    static let mark: FileName = "dd1"

    let address: StoreAddress
    let objects: FolderObjectStore

    init(_ address: StoreAddress) {
        self.address = address
        objects = FolderObjectStore(at: address.folder.bytes)
    }

    /// The store there, nil where one may be made. Refuses a folder with other content, and a missing parent.
    func look(named: StoreID? = nil) async throws(DriveError) -> StoreInfo? {
        let location = FolderStoreLocation(path: address.folder.bytes, mark: Self.mark)
        switch try location.look() {
        case .absent:
            guard address.folder.parent.exists else {
                throw DriveError(
                    .unreachable,
                    "the folder that the store should be made in is missing; is its disk mounted, is the path right?",
                    path: address.folder.description)
            }
            return nil
        case .empty: return nil
        case .notFolder:
            throw DriveError(
                .usage, "the store cannot be a file; give a folder", path: address.folder.description)
        case .occupied:
            throw DriveError(
                .usage, "the folder has content and is no store; give an empty or a new folder",
                path: address.folder.description)
        case .store:
            if let info = try await Store.find(in: objects, named: named) { return info }
            guard try await objects.list(prefix: "\(Self.mark)/", after: nil, limit: 1).isEmpty else {
                throw DriveError(
                    .corrupt,
                    "a store is here, but its `format` object is missing or damaged; bring it back from a "
                        + "copy of the store", path: address.folder.description)
            }
            return nil
        }
    }

    /// The store of a drive that knows it already.
    func find(_ id: StoreID) async throws(DriveError) -> StoreInfo {
        if try await !objects.list(prefix: "", after: nil, limit: 1).isEmpty {
            if let info = try await Store.find(in: objects, named: id) { return info }
            if try await !objects.list(prefix: "\(Self.mark)/\(id)/head/", after: nil, limit: 1).isEmpty {
                throw DriveError(
                    .corrupt,
                    "the store's `format` object is missing or damaged; `docdrive store check --repair` makes it anew",
                    path: address.folder.description)
            }
        }
        throw DriveError(
            .unreachable, "the store of this drive is not in this folder; is its disk mounted?",
            path: address.folder.description)
    }

    func create() async throws(DriveError) -> StoreInfo {
        try FolderStoreLocation(path: address.folder.bytes, mark: Self.mark).create()
        return try await Store.create(in: objects, entropy: SystemEntropy())
    }
}
