import DriveCore
import DriveFiles
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DocumentDrive

/// What tells of news on a store that is a folder.
@Suite struct StoreHintTests {
    /// As that of a stick which is taken out and put in again at once.
    @Test(.timeLimit(.minutes(20))) func aFolderThatIsThereAgainIsWatchedAgain() async throws {
        let root = NSTemporaryDirectory() + "docdrive-hints-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        for name in ["head", "control"] {
            try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
        }
        let told = Told()
        let hints = StoreHints(
            heads: FolderPath("\(root)/head"), control: FolderPath("\(root)/control"), own: SystemEntropy().deviceID()
        ) { told.add($0) }
        let (news, bell) = AsyncStream<Void>.makeStream()
        let run = Task { await hints.run(bell) }
        try await until { told.all.last == true }
        try FileManager.default.moveItem(atPath: "\(root)/head", toPath: "\(root)/away")
        try FileManager.default.createDirectory(atPath: "\(root)/head", withIntermediateDirectories: false)
        try await until { told.all.contains(false) && told.all.last == true }
        run.cancel()
        await run.value
        withExtendedLifetime(news) {}
    }

    private final class Told: Sendable {
        private let answers = Mutex<[Bool]>([])

        var all: [Bool] { answers.withLock { $0 } }

        func add(_ isWatching: Bool) { answers.withLock { $0.append(isWatching) } }
    }
}
