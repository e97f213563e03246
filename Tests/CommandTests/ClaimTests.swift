import DocumentDrive
import DriveCore
import FileCoordination
import Foundation
import Synchronization
import Testing

struct ClaimTests {
    /// How many are inside at once.
    private final class Counter: Sendable {
        private let state = Mutex((now: 0, most: 0))

        var most: Int { state.withLock { $0.most } }

        func enter() {
            state.withLock { state in
                state.now += 1
                state.most = max(state.most, state.now)
            }
        }

        func leave() { state.withLock { $0.now -= 1 } }
    }

    @Test func writersHaveAnItemForThemselves() async throws {
        let coordinator = FileCoordinator()
        let counter = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let path: DrivePath = number % 2 == 0 ? "Folder" : "Folder/File"
                    try await coordinator.writing(path) {
                        counter.enter()
                        await Task.yield()
                        counter.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(counter.most == 1)
    }

    @Test func readersShare() async throws {
        let coordinator = FileCoordinator()
        try await coordinator.reading("File") { try await coordinator.reading("File") {} }
        try await coordinator.writing("File") { try await coordinator.writing("Other") {} }
    }

    @Test func whoIsCancelledStopsWaiting() async throws {
        let coordinator = FileCoordinator()
        await #expect(throws: CancellationError.self) {
            try await coordinator.writing("File") {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await coordinator.writing("File") {} }
                    group.cancelAll()
                    try await group.waitForAll()
                }
            }
        }
        try await coordinator.writing("File") {}
    }

    @Test func syncingLeavesAnItemInUseForLater() async throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("new", to: "a/Letter.txt")
        #expect(try machine.run("sync", "a").code == 0)
        let drive = try Drive.open(FolderPath("\(machine.root)/b"))
        try await drive.coordinator.reading("Letter.txt") {
            _ = try await drive.sync()
            #expect(machine.read("b/Letter.txt") == "dear\n")
        }
        _ = try await drive.sync()
        #expect(machine.read("b/Letter.txt") == "new")
    }
}
