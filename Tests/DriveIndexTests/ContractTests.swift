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

    /// What a transaction keeps at hand answers as the tables would.
    @Test(arguments: 1...20)
    func indexAnswersWithinTransactionsAsMemoryDoes(_ seed: UInt64) throws {
        var comparison = StateComparison(
            MemoryState(device: DeviceID(high: 0, low: 0), label: ""), try DriveIndex(path: nil), seed: seed)
        try comparison.run(transactions: 40)
    }
}
