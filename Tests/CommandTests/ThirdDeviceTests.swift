import TestSupport
import Testing

/// What a device is told that had no part in it.
@Suite(.mayBlock)
struct ThirdDeviceTests {
    private func three() throws -> Machine {
        let machine = try Machine()
        try machine.write("one\n", to: "a/f")
        for (folder, name) in [("a", "alpha"), ("b", "beta"), ("c", "gamma")] {
            #expect(try machine.run("sync", folder, "--to", "store", "--yes", "--name", name).code == 0)
        }
        try machine.remove("a/f")
        try machine.write("one\ntwo\n", to: "b/f")
        return machine
    }

    private func conflicts(_ machine: borrowing Machine, _ folder: String) throws -> String {
        try machine.run("-C", folder, "conflicts", "--json").output
    }

    @Test(arguments: [["a", "c", "b", "c"], ["b", "c", "a", "c"]])
    func aNoteSaysWhoDeletedAndWhoChanged(_ order: [String]) throws {
        let machine = try three()
        for folder in order { _ = try machine.run("sync", folder) }
        let note = try machine.run("-C", "c", "status").output
        #expect(note.contains("alpha deleted it while beta changed it; the change is kept"), "\(note)")
        for folder in ["a", "b", "c"] { _ = try machine.run("sync", folder) }
        #expect(try machine.run("-C", "a", "status").output.contains("It was deleted here while beta changed it"))
        #expect(try machine.run("-C", "b", "status").output.contains("alpha deleted it while it was changed here"))
    }

    @Test func allGiveItOneID() throws {
        let machine = try three()
        try machine.remove("c/f")
        for folder in ["b", "a", "c", "a", "b", "c"] { _ = try machine.run("sync", folder) }
        let id = try #require(
            try conflicts(machine, "a").split(separator: "\"").first { $0.hasSuffix("-deleted") }.map(String.init))
        for folder in ["b", "c"] { #expect(try conflicts(machine, folder).contains("\"\(id)\"")) }
        #expect(try machine.run("-C", "c", "conflicts", "resolve", id, "--keep", "current").code == 0)
        for folder in ["a", "b", "c"] { _ = try machine.run("sync", folder) }
        for folder in ["a", "b", "c"] {
            #expect(try machine.run("-C", folder, "conflicts").output == "No conflicts.\n")
            #expect(machine.read("\(folder)/f") == "one\ntwo\n")
        }
    }

    /// Two edits beside the delete are a conflict that all see.
    @Test func twoEditsAreListedOnce() throws {
        let machine = try three()
        try machine.write("one\nthree\n", to: "c/f")
        for folder in ["b", "a", "c", "a", "b", "c"] { _ = try machine.run("sync", folder) }
        for folder in ["a", "b", "c"] {
            let list = try machine.run("-C", folder, "conflicts").output
            #expect(list.contains("1 conflict.") && list.contains("divergent"), "\(folder): \(list)")
        }
    }
}
