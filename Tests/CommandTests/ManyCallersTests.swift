import DriveCore
import Foundation
import Glibc
import TestSupport
import Testing

@testable import DocumentDrive
@testable import FileCoordination

@Suite(.serialized, .mayBlock)
struct ManyCallersTests {
    private static let limit = 64

    /// Who calls takes one of the files that the watching process may have open.
    @Test func aWatchThatHadNoRoomForCallersAnswersTheNextOnes() throws {
        let machine = try Machine()
        try machine.write("x", to: "a/Letter.txt")
        #expect(try machine.run("init", "a", "--yes").code == 0)
        let running = try machine.start(
            ["-c", "ulimit -n \(Self.limit); exec \"$0\" watch a", Machine.program], program: "/bin/sh")
        defer { running.end() }
        let isUp = try eventually { try machine.isWatched("a") }
        try #require(isUp, "\(running.error)")
        let folder = FolderPath("\(machine.root)/a")
        let place = SocketPlace(
            replica: try #require(try Drive.replica(of: folder)), folder: folder.bytes,
            environment: ["XDG_RUNTIME_DIR": "\(machine.root)/run", "HOME": "\(machine.root)/home"])
        var callers: [Int32] = []
        // The kernel's line is full where nobody is taken up any more.
        while callers.count < 2 * Self.limit, let caller = place.connect(soon: true) { callers.append(caller) }
        let open = "/proc/\(running.process.id)/fd"
        let isFull = try eventually { try FileManager.default.contentsOfDirectory(atPath: open).count >= Self.limit }
        #expect(isFull)
        for caller in callers { close(caller) }
        try machine.write("y", to: "a/New.txt")
        let result = try machine.run("sync", "a")
        #expect(result.code == 0, "\(result.error)")
        #expect(try machine.run("-C", "a", "find", "name:new").output == "New.txt\n")
    }
}
