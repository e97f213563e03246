import DriveCore
import DriveTesting
import Testing

/// Each transaction writes whole pages of the index: how many there are must not follow the number of files.
struct TransactionCountTests {
    /// What the first device of a store needs for its first pass: more than is noted only with the records themselves, in
    /// files of which all have the same part.
    private func transactions(files: Int) async throws -> Int {
        let device = SharedStore().device(0)
        for file in 0..<files {
            var generator = SeededGenerator(seed: UInt64(file))
            let bytes = (0..<(6 << 20) / 8 / files).flatMap { _ in withUnsafeBytes(of: generator.next(), Array.init) }
            let path = DrivePath(bytes: Array("file \(file)".utf8))
            #expect(device.folder.create(bytes, at: try #require(device.folder.place(path))))
        }
        _ = try await device.engine.step()
        return try #require(device.state as? MemoryState).changingTransactions
    }

    @Test func manySmallFilesAreSentInAsManyTransactionsAsAFew() async throws {
        let few = try await transactions(files: 30)
        #expect(try await transactions(files: 120) == few)
    }
}
