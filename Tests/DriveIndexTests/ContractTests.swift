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
}
