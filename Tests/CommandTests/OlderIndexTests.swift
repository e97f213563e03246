import DriveFiles
import Foundation
import TestSupport
import Testing

/// An index as an older version of the program has left it.
@Suite(.mayBlock)
struct OlderIndexTests {
    /// Of a version that differs from the next in nothing but its number.
    private func makeOlder(_ machine: Machine) throws {
        let index = URL(fileURLWithPath: "\(machine.root)/a/.docdrive/index.sqlite")
        var bytes = try Data(contentsOf: index)
        // `PRAGMA user_version` (sqlite.org/fileformat2.html, section 1.3).
        bytes.replaceSubrange(60..<64, with: [0, 0, 0, 10] as [UInt8])
        try bytes.write(to: index)
    }

    @Test func waitingBringsItUpToDate() throws {
        let machine = try Machine()
        try machine.twoDrives()
        for paths in [[], ["Letter.txt"]] {
            try makeOlder(machine)
            let status = try machine.run("-C", "a", "status")
            #expect(status.code == 78 && status.error.contains("older version"), "\(status)")
            let waited = try machine.run(["-C", "a", "wait"] + paths)
            #expect(waited.code == 0 && waited.error.contains("syncing it here"), "\(waited)")
            #expect(try machine.run("-C", "a", "status").code == 0)
        }
    }

    /// A sync of the watch that is older says that all is done, and leaves the index as it is.
    @Test func whoIsAsOldIsNamed() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try makeOlder(machine)
        guard case .taken(let lock) = try DriveLock.take(at: Array("\(machine.root)/a".utf8)) else {
            Issue.record("the lock is not free")
            return
        }
        let told = "process \(getpid()) works on the drive with an older docdrive"
        for command in ["status", "ls", "log"] {
            let result = try machine.run("-C", "a", command)
            #expect(result.code == 78 && result.error.contains(told), "\(result)")
            #expect(result.error.contains("`kill \(getpid())`"), "\(result)")
        }
        let doctor = try machine.run("-C", "a", "doctor").output
        #expect(doctor.contains("problem  index         \(told)"), "\(doctor)")
        #expect(!doctor.contains("problem  space"), "\(doctor)")
        withExtendedLifetime(lock) {}
    }
}
