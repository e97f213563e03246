import Glibc
import TestSupport
import Testing

/// A drive at the top of a disk of its own.
@Suite(.mayBlock)
struct LostAndFoundTests {
    @Test func theFileSystemsFolderIsNoItem() throws {
        let machine = try Machine()
        try machine.write("x", to: "a/lost+found/#12")
        try machine.write("x", to: "a/deep/lost+found/x")
        try machine.twoDrives()
        #expect(machine.read("b/deep/lost+found/x") == "x" && machine.files("b")["lost+found"] == nil)
        // Nobody but root may look into it.
        #expect(chmod("\(machine.root)/a/lost+found", 0) == 0)
        defer { chmod("\(machine.root)/a/lost+found", 0o700) }
        try machine.write("new", to: "a/new")
        let synced = try machine.runBound("sync", "a")
        #expect(synced.code == 0 && !synced.error.contains("lost+found"), "\(synced)")
        let why = try machine.runBound("-C", "a", "why", "lost+found").output
        #expect(why.contains("this folder belongs to the file system"), "\(why)")
        // What another device has of that name stays there.
        try machine.write("y", to: "b/lost+found/y")
        #expect(try machine.run("sync", "b").code == 0)
        #expect(try machine.runBound("sync", "a").code == 0)
        #expect(machine.read("b/new") == "new" && machine.read("a/lost+found/y") == nil)
    }
}
