import DriveCore
import Foundation
import TestSupport
import Testing

@testable import DriveFiles

/// Whether this machine lets a test have a watch limit of its own.
private let canLimitWatches: Bool = {
    let command = ["unshare", "-Ur", "sh", "-c", "echo 20 > /proc/sys/user/max_inotify_watches"]
    return (try? ChildProcess("/usr/bin/env", command).wait()) == 0
}()

@Suite(.enabled(if: canLimitWatches, "needs user namespaces: unshare -Ur failed"))
struct LimitTests {
    /// The program under a limit of 20 watches: 1 for barriers, 19 for folders.
    private func withLimitedProgram(_ body: (String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("limited-\(UUID().uuidString)").path
        defer { DiskWork.removeTree(path) }
        let program = try WatchFixture.program()
        let inner = "echo 20 > /proc/sys/user/max_inotify_watches; exec \"$0\" \"$@\""
        try await WatchFixture.script("exec unshare -Ur sh -c '\(inner)' '\(program)' \"$@\"", at: path)
        try await body(path)
    }

    @Test func withoutWatchesItGoesOnAndSaysSo() async throws {
        try await withLimitedProgram { program in
            try await WatchFixture.run(program: program) { root in
                for index in 0..<30 { DiskWork.folder("\(root)/d\(index)") }
            } _: { fixture in
                #expect(fixture.model.now.coverage == (19, 12))
                await fixture.expectNothingMissedAtTheRoot()
                // Room again: the others are watched, what is in them is told, and the numbers come again.
                let root = fixture.root
                for index in 0..<30 { DiskWork.file("\(root)/d\(index)/file") }
                for index in 0..<15 { DiskWork.removeTree("\(root)/d\(index)") }
                await fixture.model.wait { $0.coverage.unwatched == 0 }
                #expect(await fixture.watcher.barrier())
                #expect(fixture.model.now.coverage.watched == 16)
                for index in 15..<30 { #expect(fixture.model.now.touched.contains(DrivePath("d\(index)/file"))) }
            }
        }
    }
}

extension WatchFixture {
    fileprivate func expectNothingMissedAtTheRoot() async {
        DiskWork.file("\(root)/file")
        #expect(await watcher.barrier())
        #expect(model.now.touched.contains("file"))
    }
}
