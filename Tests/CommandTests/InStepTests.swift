import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.mayBlock)
struct InStepTests {
    @Test func whatOneDriveHasTheOtherGets() throws {
        let machine = try Machine()
        try machine.twoDrives(["Letter.txt": "dear\n", "Drafts/Plan.md": "# plan\n", "Drafts/Empty": ""])
        #expect(machine.files("b") == machine.files("a"))
        #expect(machine.read("b/.driveignore") == machine.read("a/.driveignore"))
    }

    @Test func editsMovesAndDeletesGoBothWays() throws {
        let machine = try Machine()
        try machine.twoDrives(["edit": "1", "move": "2", "delete": "3", "folder/in": "4"])
        try machine.write("changed", to: "a/edit")
        try machine.move("b/move", to: "b/moved")
        try machine.remove("a/delete")
        try machine.move("b/folder", to: "b/renamed")
        try machine.settle()
        #expect(machine.files("a") == ["edit": "changed", "moved": "2", "renamed": "/", "renamed/in": "4"])
        #expect(machine.files("b") == machine.files("a"))
    }

    /// Whatever list is asked for.
    @Test(arguments: [
        [], ["--short"], ["--json"], ["--documents"], ["--documents", "a/sub"], ["--documents", "--json"],
    ])
    func aCheckTellsWhatIsNotInStep(_ options: [String]) throws {
        let machine = try Machine()
        try machine.twoDrives(["sub/f": "1"])
        let place = options.contains("a/sub") ? [] : ["a"]
        #expect(try machine.run(["status", "--check"] + options + place).code == 0)
        try machine.write("more", to: "a/sub/f")
        let result = try machine.run(["status", "--check"] + options + place)
        #expect(result.code == 1, "\(result)")
        #expect(try machine.run(["status"] + options + place).code == 0)
    }

    @Test func ofTwoListsNoneIsDropped() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let result = try machine.run("status", "a", "--documents", "--short")
        #expect(result.code == 64 && result.error.contains("--short and --documents are two lists"), "\(result)")
    }

    /// Also one that it had before an edit.
    @Test func theTimeThatAPersonGivesAFileStays() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let old = Date(timeIntervalSince1970: 1_577_836_800)
        func modified(_ path: String) throws -> Date? {
            try FileManager.default.attributesOfItem(atPath: "\(machine.root)/\(path)")[.modificationDate] as? Date
        }
        func touch() throws {
            try FileManager.default.setAttributes(
                [.modificationDate: old], ofItemAtPath: "\(machine.root)/a/Letter.txt")
        }
        try touch()
        try machine.settle()
        try machine.write("dearest\n", to: "a/Letter.txt")
        try machine.settle()
        #expect(try machine.run("tag", "a/Letter.txt", "--set", "T").code == 0)
        try machine.settle()
        try touch()
        #expect(try machine.run("sync", "a").output.hasPrefix("in step: 1 sent; "))
        try machine.settle()
        #expect(try modified("a/Letter.txt") == old && modified("b/Letter.txt") == old)
    }

    @Test func bothEditsOfOneFileStay() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("from a\n", to: "a/Letter.txt")
        try machine.write("from b\n", to: "b/Letter.txt")
        try machine.settle()
        let files = machine.files("a")
        #expect(files == machine.files("b"))
        #expect(Set(files.values) == ["from a\n", "from b\n"])
        let copy = try #require(files.keys.first { $0 != "Letter.txt" })
        #expect(copy.hasPrefix("Letter (conflicted copy from "), "\(copy)")
    }

    @Test func equalFilesOnBothSidesBecomeOne() throws {
        let machine = try Machine()
        try machine.write("same", to: "a/File")
        try machine.write("same", to: "b/File")
        try machine.write("only b", to: "b/Other")
        #expect(try machine.run("sync", "a", "--to", "store", "--yes").code == 0)
        let joined = try machine.run("sync", "b", "--to", "store", "--yes")
        #expect(joined.output.hasPrefix("joined, 1 device\n"), "\(joined.output)")
        try machine.settle()
        #expect(machine.files("a") == ["File": "same", "Other": "only b"])
        #expect(machine.files("b") == machine.files("a"))
    }

    @Test func firstUseOffATerminalNeedsYesAndDryRunChangesNothing() throws {
        let machine = try Machine()
        try machine.write("x", to: "a/File")
        let asked = try machine.run("sync", "a", "--to", "store")
        #expect(asked.code == 64)
        let dry = try machine.run("sync", "a", "--to", "store", "--dry-run")
        #expect(dry.code == 0)
        #expect(
            machine.plain(dry.output) == """
                Folder  ~/a: 1 item, 1 byte
                Store   ~/store: will be made; everything in the folder goes there
                Nothing was changed.
                """)
        #expect(!FileManager.default.fileExists(atPath: "\(machine.root)/store"))
        #expect(!FileManager.default.fileExists(atPath: "\(machine.root)/a/.docdrive"))
    }

    /// Whoever found it first, what a pass publishes it has sent.
    @Test func whatAnEarlierLookFoundIsSentByTheNextPass() throws {
        let machine = try Machine()
        try machine.twoDrives(["edit": "1", "move": "2", "delete": "3", "touch": "4"])
        func sent(_ look: String) throws -> String {
            #expect(try machine.run("-C", "a", "find", look, "-count", "x").code == 0)
            return try machine.run("sync", "a").output
        }
        try machine.write("new", to: "a/add")
        #expect(try sent("--barrier").hasPrefix("in step: 1 sent; "))
        try machine.write("edited", to: "a/edit")
        #expect(try sent("--refresh").hasPrefix("in step: 1 sent; "))
        try machine.move("a/move", to: "a/moved")
        #expect(try sent("--barrier").hasPrefix("in step: 1 sent; "))
        try machine.remove("a/delete")
        #expect(try sent("--barrier").hasPrefix("in step: 1 sent; "))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: "\(machine.root)/a/touch")
        #expect(try sent("--barrier").hasPrefix("in step: 1 sent; "))
        try machine.write("newer", to: "a/add")
        #expect(try machine.run("-C", "a", "find", "--barrier", "-count", "x").code == 0)
        #expect(try machine.run("sync", "a", "--json").output.contains("\"sent\" : 1"))
        #expect(try machine.run("sync", "a").output.hasPrefix("in step: nothing to do; "))
    }

    @Test func theSummarySaysWhatWasDone() throws {
        let machine = try Machine()
        try machine.write("x", to: "a/File")
        let made = try machine.run("sync", "a", "--to", "store", "--yes")
        #expect(made.output == "created\nin step: 2 sent; 2 items\n")
        #expect(try machine.run("sync", "a").output == "in step: nothing to do; 2 items\n")
        let joined = try machine.run("sync", "b", "--to", "store", "--yes")
        let size = (machine.read("a/.driveignore") ?? "").utf8.count + 1
        #expect(
            joined.output == "joined, 1 device\nin step: 2 brought (\(size) bytes); 2 items, 2 devices\n")
    }

    @Test func aLostOrDamagedIndexIsMadeAnew() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.remove("a/.docdrive/index.sqlite")
        for ending in ["-wal", "-shm"] { try? machine.remove("a/.docdrive/index.sqlite\(ending)") }
        let lost = try machine.run("sync", "a")
        #expect(lost.code == 0)
        #expect(lost.error.hasPrefix("docdrive: The index was missing and is made anew"), "\(lost.error)")
        try machine.write(String(repeating: "no database", count: 100), to: "b/.docdrive/index.sqlite")
        for ending in ["-wal", "-shm"] { try? machine.remove("b/.docdrive/index.sqlite\(ending)") }
        let damaged = try machine.run("sync", "b")
        #expect(damaged.code == 0)
        #expect(damaged.error.hasPrefix("docdrive: The index was damaged and is made anew"), "\(damaged.error)")
        try machine.settle()
        #expect(machine.files("a") == ["Letter.txt": "dear\n"])
        #expect(machine.files("b") == machine.files("a"))
    }

    @Test func aDryRunOnADriveIsAPlan() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("new", to: "a/New")
        let dry = try machine.run("sync", "a", "--dry-run")
        #expect(dry.code == 0)
        #expect(dry.output == "send  added  3 bytes  New\n1 to send (3 bytes), 0 to bring (0 bytes)\n")
        #expect(try machine.run("sync", "a", "--json").output.contains("\"sent\" : 1"))
        #expect(try machine.run("-C", "b", "plan").output.contains("bring  added  3 bytes  New"))
    }

    @Test func aCopyOfADriveIsAnotherDevice() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try FileManager.default.copyItem(atPath: "\(machine.root)/a", toPath: "\(machine.root)/clone")
        try machine.write("from a", to: "a/One")
        try machine.write("from the clone", to: "clone/Two")
        for folder in ["a", "clone", "a", "clone", "b", "a"] { #expect(try machine.run("sync", folder).code == 0) }
        let all = ["Letter.txt": "dear\n", "One": "from a", "Two": "from the clone"]
        #expect(machine.files("a") == all)
        #expect(machine.files("clone") == all)
        #expect(machine.files("b") == all)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGKILL])
    func aSyncThatIsCutOffGoesOnLater(_ signal: Int32) throws {
        let machine = try Machine()
        for number in 0..<400 {
            try machine.write(String(repeating: "\(number) ", count: 2_000), to: "a/\(number % 7)/\(number)")
        }
        let first = try machine.start("sync", "a", "--to", "store", "--yes")
        // In the midst of its work, if it is not faster than we are.
        _ = eventually {
            let log = "\(machine.root)/a/.docdrive/index.sqlite-wal"
            let size = (try? FileManager.default.attributesOfItem(atPath: log))?[.size] as? Int ?? 0
            return size > 200_000 || !first.process.isRunning
        }
        first.signal(signal)
        let ended = first.finish()
        #expect([130, 143, 128 + SIGKILL, 0].contains(ended.code), "\(ended.code)")
        #expect(try machine.run("sync", "a", "--to", "store", "--yes").code == 0)
        let second = try machine.start("sync", "b", "--to", "store", "--yes")
        _ = eventually { !machine.files("b").isEmpty || !second.process.isRunning }
        second.signal(signal)
        _ = second.finish()
        for text in machine.files("b").values where text != "/" { #expect(text.utf8.count >= 4_000) }
        #expect(try machine.run("sync", "b", "--to", "store", "--yes").code == 0)
        #expect(machine.files("b") == machine.files("a"))
        #expect(machine.files("a").count == 407)
    }

    @Test func aTimeLimitEndsIt() throws {
        let machine = try Machine()
        for number in 0..<300 { try machine.write("\(number)", to: "a/\(number)") }
        let result = try machine.run("sync", "a", "--to", "store", "--yes", "--timeout", "0.01s")
        #expect(result.code == 3)
        #expect(try machine.run("sync", "a", "--to", "store", "--yes").code == 0)
    }

    /// The store is made, nobody has published to it, and the drive has no settings yet.
    @Test func anInterruptedSetUpIsCarriedOutAgain() throws {
        let machine = try Machine()
        #expect(try machine.run("init", "gone", "--to", "store").code == 64)
        #expect(try machine.run("init", "gone", "--to", "store", "--yes").code == 0)
        try machine.remove("gone")
        #expect(try machine.run("init", "a", "--yes").code == 0)
        for name in [".driveignore", ".docdrive/config.toml", ".docdrive/index.sqlite"] {
            try machine.remove("a/\(name)")
        }
        try machine.write("x", to: "a/file")
        let result = try machine.run("sync", "a", "--to", "store", "--yes")
        #expect(result.code == 0, "\(result.error)")
        #expect(machine.read("a/.driveignore") != nil)
        #expect(try machine.run("sync", "b", "--to", "store", "--yes").code == 0)
        #expect(machine.files("b") == ["file": "x"])
        #expect(machine.read("b/.driveignore") == machine.read("a/.driveignore"))
    }
}
