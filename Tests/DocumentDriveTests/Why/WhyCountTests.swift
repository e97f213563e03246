import DriveCore
import Testing

@testable import DocumentDrive
@testable import DriveIndex

/// What is told of many items at once is looked up for all of them together.
struct WhyCountTests {
    /// What SQLite does more for four more deletes that are not sent yet, among so many files.
    private func steps(forDeletesAmong count: Int) async throws -> Int {
        let world = try WhyWorld()
        defer { withExtendedLifetime(world) {} }
        let a = try await world.device("alpha")
        for file in 0..<count { try a.write("f\(file)", "\(file)") }
        try await a.sync()
        var steps: [Int] = []
        for deleted in [0..<4, 4..<8] {
            for file in deleted { try a.remove("f\(file)") }
            try await a.scan()
            let reader = try DriveReader(a.folder)
            #expect(try reader.waiting().count == deleted.upperBound)
            steps.append(reader.index.connection.stepsTaken)
        }
        return steps[1] - steps[0]
    }

    @Test func deletesThatAreNotSentCostNoMoreAmongMoreFiles() async throws {
        let few = try await steps(forDeletesAmong: 40)
        let many = try await steps(forDeletesAmong: 320)
        #expect(many < few * 2, "\(few), \(many)")
    }
}
