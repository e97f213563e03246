import Foundation
import Glibc
import TestSupport
import Testing

/// A program that a store needs goes with the process that started it, also where it does nothing any more.
@Suite(.mayBlock)
struct LeftProgramTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func anSSHThatHangsIsLeftBehindByNobody(_ signal: Int32) throws {
        let folder = "\(NSTemporaryDirectory())docdrive-ssh-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // Its input may end, and it does not.
        try ExecutableScript.write(
            "#!/bin/sh\necho $$ > \(folder)/new && mv \(folder)/new \(folder)/number && exec sleep 10000\n",
            to: "\(folder)/ssh")
        let machine = try Machine(variables: ["DOCDRIVE_SSH": "\(folder)/ssh"])
        let running = try machine.start("transport", "test", "sftp://nas.example/x")
        #expect(eventually { FileManager.default.fileExists(atPath: "\(folder)/number") })
        let text = try String(contentsOfFile: "\(folder)/number", encoding: .utf8)
        let number = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        running.signal(signal)
        _ = running.finish()
        let isGone = eventually(60) {
            let state = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
            // Where nobody waits for it, what is left is its number.
            return state?.components(separatedBy: ") ").last?.hasPrefix("Z") ?? true
        }
        #expect(isGone)
        if !isGone { kill(number, SIGKILL) }
    }
}
