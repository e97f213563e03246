import Foundation
import TestSupport
import Testing

/// A folder that was closed here, and that syncing has removed, comes back closed, whatever the folders above it are called by then.
@Suite(.mayBlock)
struct ReturningFolderTests {
    enum Renamed: String, CaseIterable, Sendable { case elsewhere, here, not }
    enum Restored: String, CaseIterable, Sendable { case elsewhere, here }

    private func permissions(_ machine: Machine, _ path: String) -> Int {
        var facts = stat()
        return stat("\(machine.root)/\(path)", &facts) == 0 ? Int(facts.st_mode & 0o777) : -1
    }

    @Test(arguments: Renamed.allCases, Restored.allCases)
    func asItWas(_ renamed: Renamed, _ restored: Restored) throws {
        let machine = try Machine()
        try machine.twoDrives(["p/priv/in/secret": "s", "p/open": "o"])
        chmod("\(machine.root)/b/p/priv", 0o700)
        chmod("\(machine.root)/b/p/priv/in", 0o750)
        func sync(_ drives: String...) throws {
            for drive in drives { #expect(try machine.run("sync", drive).code == 0) }
        }
        try sync("b")
        try machine.remove("a/p/priv")
        try sync("a", "b")
        if renamed == .elsewhere { try machine.move("a/p", to: "a/q") }
        if renamed == .here { try machine.move("b/p", to: "b/q") }
        try sync("b", "a", "b")
        let place = renamed == .not ? "p" : "q"
        let restorer = restored == .here ? "b" : "a"
        #expect(try machine.run("restore", "\(restorer)/\(place)/priv").code == 0)
        try sync("a", "b", "a", "b")
        #expect(machine.read("b/\(place)/priv/in/secret") == "s")
        #expect(permissions(machine, "b/\(place)/priv") == 0o700)
        #expect(permissions(machine, "b/\(place)/priv/in") == 0o750)
    }
}
