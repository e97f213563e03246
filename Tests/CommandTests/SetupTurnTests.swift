import Glibc
import TestSupport
import Testing

/// Two processes that make one folder a drive.
@Suite(.mayBlock)
struct SetupTurnTests {
    @Test(arguments: [["init", "f", "--yes"], ["sync", "f", "--to", "store", "--yes"]])
    func theSecondIsTold(_ command: [String]) throws {
        let machine = try Machine()
        try machine.write("x\n", to: "f/x")
        let folder = open("\(machine.root)/f", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(folder) }
        #expect(flock(folder, LOCK_EX) == 0)
        let refused = try machine.run(command)
        #expect(refused.code == 75, "\(refused.error)")
        #expect(refused.error.contains("another process is setting up a drive"), "\(refused.error)")
        #expect(access("\(machine.root)/f/.docdrive", F_OK) != 0 && access("\(machine.root)/store", F_OK) != 0)
        #expect(flock(folder, LOCK_UN) == 0)
        #expect(try machine.run(command).code == 0)
    }

    /// Whoever ends with an error says what is the matter, and all end with one drive.
    @Test func severalAtOnceMakeOneDrive() throws {
        let machine = try Machine()
        try machine.write("x\n", to: "f/x")
        let runs = try (0..<3).map { _ in try machine.start("sync", "f", "--to", "store", "--yes") }
        let told = runs.map { $0.finish().error }.joined()
        #expect(try machine.run("sync", "f").code == 0)
        for line in told.split(separator: "\n") where line.hasPrefix("docdrive: ") {
            #expect(["another process", "process ", "somebody"].contains { line.contains($0) }, "\(line)")
        }
        #expect(try machine.run("-C", "f", "doctor").code == 0)
    }
}
