import Foundation
import TestSupport
import Testing

/// A store whose journals or kept contents are lost, as `store check` tells it.
@Suite(.mayBlock)
struct StoreCheckJournalTests {
    private func pair() throws -> Machine {
        let machine = try Machine()
        for number in 1...3 { try machine.write("text of \(number)\n", to: "a/f\(number)") }
        #expect(try machine.run("sync", "a", "--to", "store", "--yes", "--name", "alpha").code == 0)
        #expect(try machine.run("sync", "b", "--to", "store", "--yes", "--name", "beta").code == 0)
        return machine
    }

    private func objects(_ machine: Machine, _ kind: String) throws -> [String] {
        let all = try FileManager.default.subpathsOfDirectory(atPath: "\(machine.root)/store")
        return all.filter { $0.contains("/\(kind)/") }.map { "\(machine.root)/store/\($0)" }.filter {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: $0, isDirectory: &isFolder) && !isFolder.boolValue
        }
    }

    @Test(arguments: [[], ["--quick"]])
    func journalsWithoutAHeadAreNamedAndMended(_ options: [String]) throws {
        let machine = try pair()
        try machine.write("of beta\n", to: "b/g")
        #expect(try machine.run("sync", "b").code == 0)
        #expect(try machine.run("sync", "a").code == 0)
        for head in try objects(machine, "head") { try FileManager.default.removeItem(atPath: head) }

        let found = try machine.run(["store", "check", "a"] + options)
        #expect(found.code == 65, "\(found.output)")
        #expect(found.output.contains("part of this device's journal"), "\(found.output)")
        #expect(found.output.contains("part of the journal of beta"), "\(found.output)")
        _ = try machine.run(["store", "check", "a", "--repair"] + options)
        let mended = try machine.run(["store", "check", "b", "--repair"] + options)
        #expect(mended.code == 0, "\(mended.output)")
        #expect(try machine.run("store", "check", "a").code == 0)
        #expect(try machine.run("sync", "c", "--to", "store", "--yes").code == 0)
        #expect(machine.read("c/g") == "of beta\n" && machine.read("c/f1") == "text of 1\n")
    }

    /// An older head is there still, and what it names is whole: what came after it is lost all the same.
    @Test(arguments: [[], ["--quick"]])
    func aJournalWithoutItsNewestHeadIsNamedAndOfferedByWhoHasReadIt(_ options: [String]) throws {
        let machine = try pair()
        let before = Set(try objects(machine, "head"))
        try machine.write("of beta\n", to: "b/g")
        #expect(try machine.run("sync", "b").code == 0)
        let newest = try #require(try objects(machine, "head").first { !before.contains($0) })
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run(["store", "check", "a"] + options).code == 0)
        try FileManager.default.removeItem(atPath: newest)

        let own = try machine.run(["store", "check", "b"] + options)
        #expect(own.code == 65)
        #expect(own.output.contains("part of this device's journal"), "\(own.output)")
        let found = try machine.run(["store", "check", "a"] + options)
        #expect(found.code == 65)
        #expect(found.output.contains("missing head/"), "\(found.output)")
        #expect(found.output.contains("part of the journal of beta"), "\(found.output)")
        #expect(try machine.run("verify", "a").output.contains("the journal of beta"))
        let mended = try machine.run(["store", "check", "a", "--repair"] + options)
        #expect(mended.code == 0)
        #expect(mended.output.contains("part of the journal of beta (repaired)"), "\(mended.output)")
        #expect(try machine.run("sync", "c", "--to", "store", "--yes").code == 0)
        #expect(machine.read("c/g") == "of beta\n")
        // Not again and again.
        let count = try objects(machine, "log").count
        for again in [[], ["--quick"], ["--repair"], ["--quick", "--repair"]] {
            #expect(try machine.run(["store", "check", "a"] + again).code == 0)
        }
        #expect(try objects(machine, "log").count == count)
        // The device itself goes on.
        #expect(try machine.run("sync", "b").code == 0)
        #expect(try machine.run("store", "check", "b").output.contains("no damage"))
    }

    /// What files need is stored again; what only a deleted or a replaced one had is said to be that.
    @Test func whatNoFileNeedsIsToldApart() throws {
        let machine = try pair()
        try FileManager.default.removeItem(atPath: "\(machine.root)/a/f2")
        try machine.write("another text\n", to: "a/f3")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("sync", "b").code == 0)
        let packs = try objects(machine, "pack")
        for pack in packs { try Data().write(to: URL(fileURLWithPath: pack)) }

        let mended = try machine.run("store", "check", "a", "--repair")
        #expect(mended.code == 65)
        #expect(mended.output.contains("(repaired for all files)"), "\(mended.output)")
        #expect(mended.output.contains("No file that is there needs it"), "\(mended.output)")
        #expect(!mended.output.contains("run it on the others too"), "\(mended.output)")
        #expect(try machine.run("sync", "c", "--to", "store", "--yes").code == 0)
        #expect(machine.read("c/f3") == "another text\n" && machine.read("c/f1") == "text of 1\n")
    }

    @Test func aDamagedContentThatWasReplacedIsNamed() throws {
        let machine = try pair()
        let packs = try objects(machine, "pack")
        for number in 1...3 { try machine.write("other text of \(number)\n", to: "a/f\(number)") }
        #expect(try machine.run("sync", "a").code == 0)
        for pack in packs { try Data().write(to: URL(fileURLWithPath: pack)) }
        let found = try machine.run("store", "check", "a")
        #expect(found.code == 65)
        #expect(found.output.contains("kept of 3 deleted or replaced files"), "\(found.output)")
    }
}
