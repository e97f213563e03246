import DriveCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DocumentDrive

/// The lists of what cleanings moved: one that nobody has and that has no line is removed, and no other.
struct LineFileTests {
    private let folder: FolderPath

    init() throws {
        folder = FolderPath(NSTemporaryDirectory()).appending(FileName("docdrive-lines-\(UUID().uuidString)"))
        try folder.make(0o700, to: "try it")
    }

    private func removeAll() { try? FileManager.default.removeItem(atPath: folder.description) }

    @Test func onlyWhatIsEmptyAndFreeIsRemoved() throws {
        defer { removeAll() }
        let (begun, held, free) = (folder.appending("begun"), folder.appending("held"), folder.appending("free"))
        let lines = try LineFile.make(begun)
        try lines.append("line")
        let file = try LineFile.make(held)
        try withExtendedLifetime(file) {
            _ = try LineFile.make(free)
            for path in [begun, held, free] { LineFile.removeEmpty(path) }
            #expect(begun.exists && held.exists && !free.exists)
        }
        // Half of its first line, as a power cut leaves it.
        let half = folder.appending("half")
        try SmallFile.write(Array(#"{"v":1"#.utf8), to: half)
        LineFile.removeEmpty(half)
        #expect(!half.exists)
    }

    /// Between its making and its lock it looks like one that was left behind.
    @Test func whoMakesOneHasItInTheEnd() async throws {
        defer { removeAll() }
        let path = folder.appending("list")
        let end = End()
        try await withThrowingTaskGroup { group in
            // Whoever tidies at the same time; both end with the group, and share a path and a lock.
            group.addTask {
                await OwnThread.run {
                    while !end.isReached.withLock({ $0 }) { LineFile.removeEmpty(path) }
                }
            }
            defer { end.isReached.withLock { $0 = true } }
            for _ in 0..<300 {
                let file = try LineFile.make(path)
                try file.append("line")
                #expect(try SmallFile.read(path) == Array("\"line\"\n".utf8))
                try FileManager.default.removeItem(atPath: path.description)
            }
        }
    }

    private final class End: Sendable {
        let isReached = Mutex(false)
    }
}
