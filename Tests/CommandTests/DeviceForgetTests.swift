import Foundation
import TestSupport
import Testing

/// A device that is gone for good.
@Suite(.mayBlock)
struct DeviceForgetTests {
    private func three() throws -> Machine {
        let machine = try Machine()
        // Alone in its object: small ones share one.
        try machine.write(String(repeating: "0123456789", count: 40_000), to: "a/Big")
        for (folder, name) in [("a", "alpha"), ("b", "beta"), ("c", "gamma")] {
            #expect(try machine.run("sync", folder, "--to", "store", "--yes", "--name", name).code == 0)
        }
        for folder in ["a", "b"] { _ = try machine.run("sync", folder) }
        return machine
    }

    private func names(_ machine: borrowing Machine, _ folder: String, _ options: String...) throws -> [String] {
        try machine.run(["-C", folder, "device", "ls"] + options).output.split(separator: "\n")
            .map { String($0.split(separator: " ")[1]) }.sorted()
    }

    private func id(_ machine: borrowing Machine, of name: String) throws -> String {
        let line = try machine.run("-C", "a", "device", "ls").output.split(separator: "\n").first { $0.contains(name) }
        return try String(#require(line).prefix { $0 != " " })
    }

    @Test func itIsNotWaitedForAndComesBack() throws {
        let machine = try three()
        let done = try machine.run("-C", "a", "device", "forget", "gamma")
        #expect(done.output == "gamma is not waited for any more; should it sync again, it is back\n", "\(done)")
        #expect(try names(machine, "a") == ["alpha", "beta"])
        #expect(try names(machine, "a", "--all") == ["alpha", "beta", "gamma"])
        #expect(try machine.run("-C", "a", "device", "ls", "--all").output.contains("gamma  forgotten, no changes yet"))
        #expect(try machine.run("-C", "a", "device", "ls", "--all", "--json").output.contains("\"isForgotten\" : true"))
        #expect(try machine.run("sync", "a").output.contains("2 devices"))
        #expect(try machine.run("doctor", "a").output.contains(", 2 devices"))
        let again = try machine.run("-C", "a", "device", "forget", "gamma")
        #expect(again.code == 0 && again.output == "gamma was forgotten before\n", "\(again)")

        try machine.remove("a/Big")
        for folder in ["a", "b"] { _ = try machine.run("sync", folder) }
        #expect(
            try machine.run("-C", "a", "store", "gc", "--older-than", "0").output.hasPrefix("Announced 1 object, "))
        #expect(try machine.run("-C", "a", "store", "gc").output.contains("waits for beta to sync"))

        try machine.write("back\n", to: "c/New.txt")
        #expect(try machine.run("sync", "c").code == 0)
        #expect(try machine.run("sync", "a").output.contains("3 devices"))
        #expect(try names(machine, "a") == ["alpha", "beta", "gamma"])
        let waiting = try machine.run("-C", "a", "store", "gc").output
        #expect(waiting.contains("waits for") && waiting.contains("beta") && waiting.contains("gamma"), "\(waiting)")
    }

    @Test func aNewcomerIsToldOfThoseThatAreThere() throws {
        let machine = try three()
        #expect(try machine.run("-C", "a", "device", "forget", "gamma").code == 0)
        let look = try machine.run("init", "d", "--to", "store", "--yes", "--name", "delta")
        #expect(look.output.contains("joined, 2 devices"), "\(look)")
    }

    @Test func whichOneIsMeantIsClear() throws {
        let machine = try three()
        for (given, said) in [
            ("nobody", "no device is called so: nobody: `docdrive -C a device ls` names them"),
            ("alpha", "this is the device itself, which is not gone: alpha: say so on another one"),
        ] {
            let refused = try machine.run("-C", "a", "device", "forget", given)
            #expect(refused.code == 64 && refused.error.contains(said), "\(refused)")
        }
        let old = try id(machine, of: "gamma")
        _ = try machine.run("-C", "b", "device", "rename", "gamma")
        try machine.write("more\n", to: "b/More.txt")
        for folder in ["b", "a"] { _ = try machine.run("sync", folder) }
        let refused = try machine.run("-C", "a", "device", "forget", "gamma")
        #expect(refused.code == 64 && refused.error.contains("2 devices are called so"), "\(refused)")
        #expect(refused.error.contains(old))
        #expect(try names(machine, "a") == ["alpha", "gamma", "gamma"])
        #expect(try machine.run("-C", "a", "device", "forget", old.uppercased()).code == 0)
        #expect(try names(machine, "a") == ["alpha", "gamma"])
        // Of the two that had the name, one is left.
        #expect(try id(machine, of: "gamma") != old)
    }

    /// It has nothing else to tell.
    @Test func aNewNameIsToldWithoutAChange() throws {
        let machine = try three()
        #expect(try machine.run("-C", "c", "device", "rename", "new").code == 0)
        #expect(try names(machine, "c") == ["alpha", "beta", "new"])
        // What looks at all heads, as the first pass of a day does.
        #expect(try machine.run("-C", "a", "store", "gc").code == 0)
        #expect(try names(machine, "a") == ["alpha", "beta", "new"])
        // Nothing is left to tell.
        let heads = machine.objects("head")
        #expect(try machine.run("sync", "c").code == 0)
        #expect(machine.objects("head") == heads)
    }

    @Test func namesakesHaveTheirOwnDates() throws {
        let machine = try three()
        try machine.write("more\n", to: "b/More.txt")
        for folder in ["b", "a"] { _ = try machine.run("sync", folder) }
        let writer = try id(machine, of: "beta")
        _ = try machine.run("-C", "c", "device", "rename", "beta")
        #expect(try machine.run("-C", "a", "store", "gc").code == 0)
        let lines = try machine.run("-C", "a", "device", "ls").output.split(separator: "\n").filter {
            $0.contains("beta")
        }
        #expect(lines.count == 2)
        for line in lines {
            #expect(line.contains("last change") == line.hasPrefix(writer), "\(line)")
            #expect(line.contains("no changes yet") != line.hasPrefix(writer), "\(line)")
        }
    }

    @Test func withoutItsStoreItSaysSo() throws {
        let machine = try three()
        try machine.remove("store")
        let refused = try machine.run("-C", "a", "device", "forget", "gamma")
        #expect(refused.code == 69, "\(refused)")
        #expect(try names(machine, "a") == ["alpha", "beta", "gamma"])
        #expect(try machine.run("init", "alone", "--yes").code == 0)
        #expect(try machine.run("-C", "alone", "device", "forget", "gamma").code == 64)
    }
}
