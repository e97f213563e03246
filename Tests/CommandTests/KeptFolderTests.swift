import TestSupport
import Testing

/// What is not synced keeps a folder here that another device has deleted; nobody's way is barred by it unsaid.
@Suite(.mayBlock)
struct KeptFolderTests {
    /// b has a folder `F` that a has deleted, with an ignored file in it.
    private func leftover() throws -> Machine {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("1", to: "a/F/1")
        try machine.write("k", to: "a/K/k")
        try machine.settle()
        try machine.write("x", to: "b/F/Inner/Thumbs.db")
        try machine.settle()
        try machine.remove("a/F")
        try machine.settle()
        return machine
    }

    @Test func itIsListedWithItsReason() throws {
        let machine = try leftover()
        #expect(machine.read("b/F/Inner/Thumbs.db") == "x")
        let status = try machine.run("-C", "b", "status", "--check")
        #expect(status.output.contains("Kept     F: another device deleted it") && status.code == 0)
        #expect(status.output.contains("Everything is in step."))
        let why = try machine.run("-C", "b", "why", "F")
        #expect(why.output.contains("it stays for what is in it, which is not synced"))
        #expect(!why.output.contains("rm -r"))
        #expect(try machine.run("-C", "b", "wait", "--timeout", "60s").code == 0)
        try machine.remove("b/F/Inner/Thumbs.db")
        try machine.settle()
        #expect(machine.files("b") == machine.files("a"))
    }

    @Test func aNewFolderOfTheNameTakesItsPlace() throws {
        let machine = try leftover()
        try machine.write("new", to: "a/F/Inner/document")
        try machine.settle()
        #expect(machine.read("b/F/Inner/document") == "new")
        #expect(machine.read("b/F/Inner/Thumbs.db") == "x")
        try machine.write("newer", to: "a/F/Inner/document")
        try machine.settle()
        #expect(machine.read("b/F/Inner/document") == "newer")
        #expect(try machine.run("-C", "b", "status", "--check").code == 0)
    }

    @Test(arguments: ["file", "renamed folder"])
    func whatElseComesThereIsToldToWait(_ kind: String) throws {
        let machine = try leftover()
        if kind == "file" { try machine.write("f", to: "a/F") } else { try machine.move("a/K", to: "a/F") }
        #expect(try machine.run("sync", "a").code == 0)
        let sync = try machine.run("sync", "b")
        #expect(sync.code == 2 && sync.output.contains("1 item could not be synced"), "\(sync.output)")
        #expect(try machine.run("-C", "b", "status").output.contains("!        F: something else has its name here"))
        let why = try machine.run("-C", "b", "why", "F").output
        #expect(why.contains("mv F F.other"), "\(why)")
        try machine.move("b/F", to: "b/F.other")
        try machine.settle()
        #expect(machine.read("b/F\(kind == "file" ? "" : "/k")") == (kind == "file" ? "f" : "k"))
        #expect(machine.read("b/F.other/Inner/Thumbs.db") == "x")
        #expect(try machine.run("-C", "b", "status", "--check").code == 0)
    }

    /// A rule names folders of this name, and another device has a file of it.
    @Test func anIgnoredFolderIsInTheWayOfAFile() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("/build/\n", to: "a/.driveignore")
        try machine.settle()
        try machine.write("x", to: "b/build/out")
        try machine.write("file", to: "a/build")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("sync", "b").code == 2)
        let why = try machine.run("-C", "b", "why", "build").output
        #expect(why.contains("mv build build.other"), "\(why)")
        try machine.move("b/build", to: "b/build.other")
        try machine.settle()
        #expect(machine.read("b/build") == "file")
        // A person replaces the file by such a folder: the file is gone, whatever the rule says of the folder.
        try machine.remove("b/build")
        try machine.write("x", to: "b/build/out")
        try machine.settle()
        #expect(machine.read("a/build") == nil)
    }
}
