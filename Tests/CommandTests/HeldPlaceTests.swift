import TestSupport
import Testing

/// What is to come where something was whose delete is held.
@Suite(.mayBlock)
struct HeldPlaceTests {
    /// Another device gives one file the name of another, which was deleted here.
    @Test func aNameThatIsHeldIsNamed() throws {
        let machine = try Machine()
        var files = ["x": "X\n", "y": "Y\n"]
        for number in 0..<15 { files["f\(number)"] = "\(number)\n" }
        try machine.twoDrives(files)
        for name in files.keys where name != "y" { try machine.remove("a/\(name)") }
        #expect(try machine.run("sync", "a").code == 12)
        try machine.move("b/x", to: "b/z")
        try machine.move("b/y", to: "b/x")
        #expect(try machine.run("sync", "b").code == 0)
        for _ in 0..<2 {
            let sync = try machine.run("sync", "a")
            #expect(sync.code == 12 && !sync.output.contains("kept changing"), "\(sync.output)")
        }
        let plan = try machine.run("-C", "a", "plan", "--check")
        #expect(plan.code == 12, "\(plan.output)")
        #expect(!plan.output.contains("moved"), "\(plan.output)")
        let why = try machine.run("-C", "a", "why", "y").output
        #expect(why.contains("that delete is held") && why.contains("deletes confirm"), "\(why)")
        // On the other device they are as many.
        for drive in ["a", "b"] {
            #expect(try machine.run("-C", drive, "deletes", "confirm").code == 0)
            try machine.settle()
        }
        #expect(machine.read("a/x") == "Y\n" && machine.read("a/y") == nil)
        #expect(machine.files("a") == machine.files("b"))
    }
}
