import Foundation
import TestSupport
import Testing

/// A conflict of which people deleted different contents at once: both stay, and ending it keeps what it says.
@Suite(.mayBlock)
struct RevivedConflictTests {
    private func texts(_ machine: Machine, _ drive: String) -> [String] {
        machine.files(drive).filter { $0.key != ".driveignore" }.map { "\($0.key.prefix(1)) \($0.value)" }.sorted()
    }

    /// One deletes the file, the other its copy; or one both, while the other renames the file.
    private func world(bothByOne: Bool) throws -> Machine {
        let machine = try Machine()
        try machine.twoDrives(["f": "common"])
        try machine.write("of a", to: "a/f")
        #expect(try machine.run("sync", "a").code == 0)
        try machine.write("of b", to: "b/f")
        try machine.settle()
        let copy = try #require(machine.files("a").keys.first { $0.contains("conflicted copy") })
        try machine.remove("a/f")
        if bothByOne { try machine.remove("a/\(copy)") }
        bothByOne ? try machine.move("b/f", to: "b/g") : try machine.remove("b/\(copy)")
        try machine.settle()
        for drive in ["a", "b"] {
            let name = bothByOne ? "g" : "f"
            #expect(texts(machine, drive) == ["\(name) of a", "\(name) of b"])
        }
        return machine
    }

    @Test(arguments: ["current", "copy", "both"], [true, false]) func whatIsKeptStays(
        _ choice: String, bothByOne: Bool
    ) throws {
        let machine = try world(bothByOne: bothByOne)
        let name = bothByOne ? "g" : "f"
        let end = try machine.run("-C", "b", "conflicts", "resolve", "--all", "--keep", choice)
        #expect(end.code == 0, "\(end)")
        try machine.settle()
        let kept = ["current": ["\(name) of b"], "copy": ["\(name) of a"], "both": ["\(name) of a", "\(name) of b"]]
        for drive in ["a", "b"] {
            #expect(texts(machine, drive) == kept[choice], "\(drive)")
            #expect(try machine.run("-C", drive, "conflicts").output == "No conflicts.\n")
        }
        #expect(try machine.run("-C", "b", "undo", "--yes").code == (choice == "both" ? 2 : 0))
        try machine.settle()
        #expect(texts(machine, "a") == ["\(name) of a", "\(name) of b"])
    }
}
