import Foundation
import TestSupport
import Testing

/// Files of so many chunks that records name a list of them.
@Suite(.mayBlock)
struct LargeFileTests {
    private func stored(_ machine: Machine) -> Int {
        let all = FileManager.default.enumerator(atPath: "\(machine.root)/store")
        var size = 0
        while all?.nextObject() != nil { size += (all?.fileAttributes?[.size] as? NSNumber)?.intValue ?? 0 }
        return size
    }

    /// What of it is in the store is not sent again, whoever has sent it.
    @Test func anEditAndAJoinSendOnlyWhatTheStoreLacks() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let bytes = 90_000_000
        let script = "set -e; cd \(machine.root); head -c \(bytes) /dev/urandom > a/f; mkdir c; cp a/f c/f"
        #expect(try machine.run(["-c", script], program: "/bin/sh").code == 0)
        try machine.settle()
        let once = stored(machine)
        #expect(once > bytes)
        #expect(try machine.run(["-c", "echo more >> '\(machine.root)/b/f'"], program: "/bin/sh").code == 0)
        #expect(try machine.run("sync", "b").code == 0)
        #expect(stored(machine) - once < bytes / 8, "an edit on the other device")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(
            try machine.run(["-c", "cp '\(machine.root)/a/f' '\(machine.root)/c/f'"], program: "/bin/sh").code == 0)
        let edited = stored(machine)
        #expect(try machine.run("sync", "c", "--to", "store", "--yes").code == 0)
        #expect(stored(machine) - edited < bytes / 8, "a device that has the same joins")
        #expect(try machine.run("-C", "c", "conflicts").output == "No conflicts.\n")
    }
}
