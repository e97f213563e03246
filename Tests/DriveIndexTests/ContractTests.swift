import DriveCore
import DriveIndex
import DriveTesting
import Testing

@Suite struct ContractTests {
    @Test(arguments: DriveStateContract.promises)
    func indexKeepsThePromise(_ promise: DriveStateContract.Promise) throws {
        try promise.check { try DriveIndex(path: nil) }
    }

    @Test(arguments: DriveStateContract.promises)
    func indexOnDiskKeepsThePromise(_ promise: DriveStateContract.Promise) throws {
        let folder = try TemporaryFolder()
        try promise.check { try DriveIndex(path: folder.path("index.sqlite")) }
    }

    @Test(arguments: DriveStateContract.promises)
    func memoryKeepsThePromise(_ promise: DriveStateContract.Promise) throws {
        try promise.check { MemoryState(device: DeviceID(high: 0, low: 0), label: "") }
    }
}
