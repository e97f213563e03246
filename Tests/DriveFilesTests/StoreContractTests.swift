import DriveCore
import DriveTesting
import DriveTransport
import Testing

@testable import DriveFiles

/// The suite that every file store runs, over real folders.
@Suite struct FileStoreContractTests {
    @Test(arguments: scratchPlaces, FileStoreContract.promises)
    func diskFileStoreKeepsThePromise(place: String, promise: FileStoreContract.Promise) throws {
        let scratch = try Scratch(in: place)
        try promise.check {
            let store = try DiskFileStore.create(at: scratch.path, replica: "replica-1")
            return FolderFixture(store: store, person: DiskPerson(folder: scratch.path))
        }
    }
}

/// The suite that every object store runs, over a real folder.
@Suite struct StoreContractTests {
    @Test(arguments: ObjectStoreContract.promises)
    func folderStoreKeepsThePromise(_ promise: ObjectStoreContract.Promise) async throws {
        let scratch = try Scratch()
        var count = 0
        try await promise.check {
            count += 1
            let folder = Array(scratch("store-\(count)").utf8)
            try FolderStoreLocation(path: folder, mark: FileName("dd1")).create()
            return FolderObjectStore(at: folder)
        }
    }
}
