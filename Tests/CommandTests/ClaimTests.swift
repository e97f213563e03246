import DocumentDrive
import DriveCore
import FileCoordination
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.mayBlock)
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
        let coordination = DriveCoordination(root: [0x2F], claims: FileClaims())
        let counter = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let path: DrivePath = number % 2 == 0 ? "Folder" : "Folder/File"
                    try await coordination.coordinator().coordinate(writing: path, options: .forMoving) { _ in
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
        let coordination = DriveCoordination(root: [0x2F], claims: FileClaims())
        try await coordination.coordinator().coordinate(reading: "File") { _ in
            try await coordination.coordinator().coordinate(reading: "File") { _ in }
        }
        try await coordination.coordinator().coordinate(writing: "File") { _ in
            try await coordination.coordinator().coordinate(writing: "Other") { _ in }
        }
    }

    @Test func whoIsCancelledStopsWaiting() async throws {
        let coordination = DriveCoordination(root: [0x2F], claims: FileClaims())
        await #expect(throws: CancellationError.self) {
            try await coordination.coordinator().coordinate(writing: "File") { _ in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    // Not part of the body, or it would be a deadlock.
                    group.addTask {
                        try await coordination.within("") {
                            try await coordination.coordinator().coordinate(writing: "File") { _ in }
                        }
                    }
                    group.cancelAll()
                    try await group.waitForAll()
                }
            }
        }
        try await coordination.coordinator().coordinate(writing: "File") { _ in }
    }

    @Test func syncingLeavesAnItemInUseForLater() async throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("new", to: "a/Letter.txt")
        #expect(try machine.run("sync", "a").code == 0)
        let drive = try Drive.open(FolderPath("\(machine.root)/b"))
        try await drive.coordination.coordinator().coordinate(reading: "Letter.txt") { _ in
            _ = try await drive.sync()
            #expect(machine.read("b/Letter.txt") == "dear\n")
        }
        _ = try await drive.sync()
        #expect(machine.read("b/Letter.txt") == "new")
    }
}
