import DriveCore
import DriveTesting
import DriveTransport
import Testing

@Suite struct DoublesTests {
    @Test(arguments: FileStoreContract.promises)
    func memoryFolderKeepsThePromise(_ promise: FileStoreContract.Promise) throws {
        try promise.check {
            let folder = MemoryFolder()
            return FolderFixture(store: folder, person: MemoryPerson(folder))
        }
    }

    @Test func memoryFolderThatReusesInodesKeepsThePromises() throws {
        try FileStoreContract.check {
            var options = MemoryFolder.Options()
            options.reusesInodes = true
            let folder = MemoryFolder(options: options)
            return FolderFixture(store: folder, person: MemoryPerson(folder))
        }
    }

    @Test(arguments: ObjectStoreContract.promises)
    func memoryStoreKeepsThePromise(_ promise: ObjectStoreContract.Promise) async throws {
        try await promise.check { MemoryObjectStore().view(for: 0) }
    }

    @Test(arguments: ObjectStoreContract.promises)
    func lateMemoryStoreKeepsThePromiseToItsWriter(_ promise: ObjectStoreContract.Promise) async throws {
        try await promise.check {
            MemoryObjectStore(mode: .sync(seed: 7, delays: [0, 1_000])).view(for: 0)
        }
    }
}
