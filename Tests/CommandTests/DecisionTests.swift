import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.mayBlock)
struct DecisionTests {
    private func conflict(_ machine: Machine) throws {
        try machine.twoDrives()
        try machine.write("from a, the longer one\n", to: "a/Letter.txt")
        try machine.write("from b\n", to: "b/Letter.txt")
        try machine.settle()
    }

    @Test(arguments: ["current", "copy", "largest"])
    func aResolvedConflictIsOneFileEverywhere(_ keep: String) throws {
        let machine = try Machine()
        try conflict(machine)
        let before = machine.files("a")
        let current = try #require(before["Letter.txt"])
        let copy = try #require(before.first { $0.key != "Letter.txt" }?.value)
        let result = try machine.run("-C", "a", "conflicts", "resolve", "--all", "--keep", keep)
        #expect(result.code == 0, "\(result.error)")
        try machine.settle()
        let kept = keep == "current" ? current : keep == "copy" ? copy : "from a, the longer one\n"
        #expect(machine.files("a") == ["Letter.txt": kept])
        #expect(machine.files("b") == machine.files("a"))
        #expect(try machine.run("-C", "a", "conflicts", "--check").code == 0)
        #expect(try machine.run("-C", "a", "trash").output.contains("resolved"))
    }

    /// As after a run that was killed once it had moved the file, or where a person did it.
    @Test func whatIsDoneAlreadyIsNoFailure() throws {
        let machine = try Machine()
        try conflict(machine)
        let copy = try #require(machine.files("a").keys.first { $0 != "Letter.txt" })
        let text = machine.read("a/\(copy)")
        try machine.remove("a/Letter.txt")
        try machine.move("a/\(copy)", to: "a/Letter.txt")
        for options in [["--dry-run"], []] {
            let result = try machine.run(["-C", "a", "conflicts", "resolve", "--all", "--keep", "copy"] + options)
            #expect(result.code == 0, "\(result.output)\(result.error)")
        }
        try machine.settle()
        #expect(machine.files("a") == ["Letter.txt": text])
        #expect(machine.files("b") == machine.files("a"))
    }

    /// Everything says the same of it: it is known, it is held, and there is no file.
    @Test func whatIsDeletedHereAndHeldIsNotThere() throws {
        let machine = try Machine()
        try machine.twoDrives(Dictionary(uniqueKeysWithValues: (1...60).map { ("f\($0).txt", "\($0)") }))
        for number in 1...60 { try machine.remove("b/f\(number).txt") }
        #expect(try machine.run("sync", "b").code == 12)
        #expect(try machine.run("-C", "b", "find", "-name", ".txt").output.isEmpty)
        #expect(try machine.run("-C", "b", "find", "-count", "*.txt").output == "0\n")
        #expect(try machine.run("-C", "b", "find", "-count", "*.txt downloaded:yes").output == "0\n")
        #expect(try machine.run("-C", "b", "find", "-count", "*.txt downloaded:no").output == "60\n")
        #expect(try machine.run("-C", "b", "find", "-count", "--state", "H", "*.txt").output == "60\n")
        #expect(try machine.run("-C", "b", "ls", "f1.txt").output == "H  f1.txt\n")
        let held = try machine.run("-C", "b", "find", "--state", "H").output
        let same = try machine.run("-C", "b", "find", "sync:held").output
        #expect(held.contains("f1.txt") && held == same, "\(same)")
        let attributes = try machine.run("-C", "b", "attrs", "-name", "sync", "-name", "downloaded", "f1.txt")
        #expect(attributes.code == 0 && attributes.output.contains("\"held\""), "\(attributes)")
        #expect(attributes.output.contains("IsDownloadedKey = 0"), "\(attributes)")
        for command in ["attrs", "ls"] {
            #expect(try machine.run("-C", "b", command, "none").error.contains("there is no such file or folder"))
        }
    }

    /// Without them it would be back with the next pass, for their sake.
    @Test func aFolderIsConfirmedWithWhatIsInIt() throws {
        let machine = try Machine()
        try machine.twoDrives(Dictionary(uniqueKeysWithValues: (0..<30).map { ("Folder/\($0)", "\($0)") }))
        try machine.remove("a/Folder")
        #expect(try machine.run("sync", "a").code == 12)
        // One id would end one of 31.
        let waiting = try machine.run("-C", "a", "wait")
        #expect(waiting.code == 12)
        #expect(waiting.error.contains("(and 30 others): `docdrive -C a deletes ls`"), "\(waiting.error)")
        let why = try machine.run("why", "a/Folder").output
        let id = try #require(
            why.components(separatedBy: "deletes confirm ").dropFirst().first?.split(separator: "\n").first)
        #expect(try machine.run("-C", "a", "deletes", "confirm", String(id)).code == 0)
        #expect(try machine.run("-C", "a", "deletes").output == "No deletes are held.\n")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(machine.files("a") == [:])
    }

    private func target(_ machine: Machine, _ link: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(machine.root)/\(link)")
    }

    /// Somebody moves a large folder elsewhere and puts a link in its place: the delete is held, and the link is no conflict copy.
    @Test(arguments: ["confirm", "restore"])
    func whatLiesInThePlaceOfWhatIsHeldWaitsWithIt(_ decision: String) throws {
        let machine = try Machine()
        var files = Dictionary(uniqueKeysWithValues: (0..<30).map { ("Folder/\($0)", "\($0)") })
        files["Letter"] = "old"
        try machine.twoDrives(files)
        let before = machine.files("b")
        for path in ["Folder", "Letter"] { try machine.remove("a/\(path)") }
        symlink("/elsewhere", "\(machine.root)/a/Folder")
        try machine.write("new", to: "a/Letter/In/1")
        for _ in 0..<2 { #expect(try machine.run("sync", "a").code == 12) }
        #expect(target(machine, "a/Folder") == "/elsewhere" && machine.read("a/Letter/In/1") == "new")
        #expect(try machine.run("-C", "a", "conflicts").output == "No conflicts.\n")
        for path in ["Folder", "Letter", "Letter/In/1"] {
            let why = try machine.run("-C", "a", "why", path).output
            #expect(why.contains("\(path)  held\n  why        what was in its place was deleted here, and"), "\(why)")
        }
        #expect(try machine.run("-C", "a", "wait", "Letter/In/1").code == 12)
        let status = try machine.run("-C", "a", "status").output
        #expect(status.contains("4: what was in its place was deleted here"), "\(status)")
        #expect(!status.contains("no pass"), "\(status)")
        #expect(try machine.run("sync", "b").code == 0)
        #expect(machine.files("b") == before)

        #expect(try machine.run("-C", "a", "deletes", decision).code == 0)
        _ = try machine.run("sync", "b")
        _ = try machine.run("-C", "b", "deletes", "confirm")
        try machine.settle()
        #expect(machine.files("a") == machine.files("b"))
        #expect(machine.files("a").values.contains("new"))
        let conflicts = try machine.run("-C", "b", "conflicts").output
        if decision == "confirm" {
            #expect(target(machine, "b/Folder") == "/elsewhere" && machine.read("b/Letter/In/1") == "new")
            #expect(conflicts == "No conflicts.\n")
        } else {
            // Both are wanted now.
            #expect(machine.read("b/Folder/7") == "7" && machine.read("b/Letter/In/1") == "new")
            #expect(conflicts.contains("Folder") && conflicts.contains("Letter"), "\(conflicts)")
        }
    }

    /// A decision holds until it is carried out.
    @Test func whatCannotBeDeletedYetIsNotAskedAboutAgain() throws {
        let machine = try Machine()
        try machine.twoDrives(Dictionary(uniqueKeysWithValues: (0..<30).map { ("Folder/\($0)", "\($0)") }))
        for number in 0..<30 { try machine.remove("a/Folder/\(number)") }
        #expect(try machine.run("sync", "a").code == 12)
        #expect(try machine.run("-C", "a", "deletes", "confirm").code == 0)
        chmod("\(machine.root)/b/Folder", 0o500)
        defer { chmod("\(machine.root)/b/Folder", 0o700) }
        #expect(try machine.runBound("sync", "b").code == 12)
        #expect(try machine.runBound("-C", "b", "deletes", "confirm").code == 0)
        for _ in 0..<2 {
            #expect(try machine.runBound("-C", "b", "deletes").output == "No deletes are held.\n")
            #expect(try machine.runBound("sync", "b").code == 2)
        }
        #expect(try machine.runBound("why", "b/Folder/7").output.contains("chmod u+rwx Folder"))
        chmod("\(machine.root)/b/Folder", 0o700)
        #expect(try machine.runBound("sync", "b").code == 0)
        #expect(machine.files("b") == ["Folder": "/"])
    }

    /// As of a large removal that is seen in pieces.
    @Test func whatWentThroughBeforeItWasTooMuchIsTold() throws {
        let machine = try Machine()
        try machine.twoDrives(Dictionary(uniqueKeysWithValues: (0..<30).map { ("Folder/\($0)", "\($0)") }))
        for number in 0..<4 { try machine.remove("a/Folder/\(number)") }
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("-C", "a", "deletes").output == "No deletes are held.\n")
        try machine.remove("a/Folder")
        #expect(try machine.run("sync", "a").code == 12)
        let held = try machine.run("-C", "a", "deletes").output
        #expect(held.contains("\n4 deletes of the last hour went through before: `docdrive -C a log`.\n"), "\(held)")
    }

    /// As of builds, repositories and mailboxes. What a person has let through does not hold the next one either.
    @Test func whatComesAndGoesAllTheTimeAddsUpToNothing() throws {
        let machine = try Machine()
        try machine.twoDrives(Dictionary(uniqueKeysWithValues: (0..<60).map { ("Kept/\($0)", "\($0)") }))
        for round in 0..<5 {
            for number in 0..<8 { try machine.write("\(round)", to: "a/Made/\(number)") }
            for folder in ["a", "b"] { #expect(try machine.run("sync", folder).code == 0) }
            try machine.remove("a/Made")
            for folder in ["a", "b"] { #expect(try machine.run("sync", folder).code == 0, "\(round)") }
        }
        #expect(machine.files("b").count == 61)
    }

    @Test func whoHasLetDeletesThroughIsNotAskedAboutTheNextOne() throws {
        let machine = try Machine()
        try machine.twoDrives(Dictionary(uniqueKeysWithValues: (0..<60).map { ("Kept/\($0)", "\($0)") }))
        for number in 0..<30 { try machine.remove("a/Kept/\(number)") }
        #expect(try machine.run("sync", "a").code == 12)
        #expect(try machine.run("-C", "a", "deletes", "confirm").code == 0)
        #expect(try machine.run("sync", "b").code == 12)
        #expect(try machine.run("-C", "b", "deletes", "confirm").code == 0)
        try machine.remove("a/Kept/40")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("sync", "b").code == 0)
        #expect(machine.read("b/Kept/40") == nil && machine.read("b/Kept/41") == "41")
        for number in 41..<60 { try machine.remove("a/Kept/\(number)") }
        #expect(try machine.run("sync", "a").code == 12)
    }

    @Test func aConflictIsShownAndCompared() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("one\ntwo\nmine\n", to: "a/Letter.txt")
        try machine.write("one\ntwo\n", to: "b/Letter.txt")
        try machine.settle()
        let current = try #require(machine.read("a/Letter.txt"))
        let hasAll =
            current.contains("mine") ? "The file has all lines of the copy" : "The copy has all lines of the file"
        let shown = try machine.run("-C", "a", "conflicts", "show", "Letter.txt")
        #expect(shown.output.contains(hasAll), "\(shown.output)")
        let id = try #require(shown.output.split(separator: " ").first)
        let compared = try machine.run("-C", "a", "conflicts", "diff", "\(id)")
        #expect(compared.code == 0, "\(compared.error)")
        #expect(compared.output.contains("--- Letter.txt\n+++ Letter (conflicted copy from"), "\(compared.output)")
        #expect(compared.output.contains(current.contains("mine") ? "\n-mine\n" : "\n+mine\n"))
        #expect(!compared.output.contains("\u{1B}"))
        let tool = try machine.run("-C", "a", "conflicts", "diff", "Letter.txt", "--tool", "wc -l")
        #expect(tool.output.hasSuffix(" total\n"), "\(tool.output)")
        // 1 says that they differ.
        for differ in ["cmp", "diff -u", "false"] {
            let told = try machine.run("-C", "a", "conflicts", "diff", "Letter.txt", "--tool", differ)
            #expect(told.code == 0 && !told.error.contains("--tool"), "\(differ): \(told.error)")
        }
        let failed = try machine.run("-C", "a", "conflicts", "diff", "Letter.txt", "--tool", "diff --nonsense")
        #expect(failed.code == 2 && failed.error.contains("the command of --tool ended with status 2"))
        #expect(try machine.run("-C", "a", "conflicts", "show", "Other.txt").code == 64)
        #expect(try machine.run("-C", "a", "conflicts", "resolve", "Letter.txt", "--keep", "current").code == 0)
        #expect(try machine.run("-C", "a", "conflicts", "--check").code == 0)
    }

    @Test func keepingBothMakesTwoFiles() throws {
        let machine = try Machine()
        try conflict(machine)
        let before = machine.files("a")
        #expect(try machine.run("-C", "b", "conflicts", "resolve", "--all", "--keep", "both").code == 0)
        try machine.settle()
        #expect(machine.files("a") == before)
        #expect(machine.files("b") == before)
        #expect(try machine.run("-C", "a", "conflicts", "ls", "--check").code == 0)
    }

    @Test func heldDeletesWaitComeBackOrGo() throws {
        let machine = try Machine()
        try machine.twoDrives(
            Dictionary(uniqueKeysWithValues: (0..<30).map { ("Folder/\($0)", "\($0)") }).merging(["Other": "x"]) { $1 })
        let all = machine.files("a")
        try machine.remove("b/Folder")
        #expect(try machine.run("sync", "b").code == 12)
        #expect(try machine.run("-C", "b", "deletes").code == 12)
        #expect(try machine.run("-C", "b", "plan").output.contains("send  held  -  Folder/7"))
        #expect(try machine.run("-C", "b", "plan", "--check").code == 12)
        try machine.settle()
        #expect(machine.files("a") == all)
        #expect(try machine.run("-C", "b", "deletes", "restore").code == 0)
        #expect(machine.files("b") == all)
        try machine.remove("b/Folder")
        #expect(try machine.run("sync", "b").code == 12)
        #expect(try machine.run("-C", "b", "deletes", "confirm").code == 0)
        // The other device holds them too, until somebody there decides; a plan says so before.
        #expect(try machine.run("-C", "a", "ls", "-R", "--state", "held").output.isEmpty)
        for _ in 0..<2 {
            let plan = try machine.run("-C", "a", "plan").output
            #expect(plan.contains("bring  held  -  Folder/7") && !plan.contains("deleted"), "\(plan)")
            #expect(try machine.run("-C", "a", "plan", "--check").code == 12)
            #expect(try machine.run("sync", "a").code == 12)
        }
        let held = try machine.run("-C", "a", "ls", "-R", "--state", "held").output
        #expect(held.split(separator: "\n").count { $0.contains("Folder/") } == 30, "\(held)")
        #expect(try machine.run("sync", "a").code == 12)
        #expect(machine.files("a") == all)
        #expect(try machine.run("-C", "a", "deletes", "confirm").code == 0)
        #expect(machine.files("a") == ["Other": "x"])
    }

    /// It comes under the name of something that was deleted here.
    @Test func whatComesInTheirPlaceWaitsForTheDecision() throws {
        let machine = try Machine()
        try machine.twoDrives(
            Dictionary(uniqueKeysWithValues: (0..<15).map { ("\($0)", "\($0)") }).merging(["x": "x", "y": "y"]) { $1 })
        for name in (0..<15).map({ "\($0)" }) + ["x"] { try machine.remove("a/\(name)") }
        #expect(try machine.run("sync", "a").code == 12)
        try machine.move("b/x", to: "b/z")
        try machine.move("b/y", to: "b/x")
        #expect(try machine.run("sync", "b").code == 0)
        for _ in 0..<2 {
            let synced = try machine.run("sync", "a")
            #expect(synced.code == 12 && !synced.output.contains("kept changing"), "\(synced)")
        }
        let plan = try machine.run("-C", "a", "plan")
        #expect(plan.output.contains("waits") && !plan.output.contains("moved"), "\(plan.output)")
        #expect(try machine.run("-C", "a", "plan", "--check").code == 12)
        let why = try machine.run("-C", "a", "why", "y")
        #expect(why.output.contains("deletes confirm"), "\(why.output)")
        #expect(try machine.run("-C", "a", "deletes", "restore").code == 0)
        try machine.settle()
        #expect(machine.files("a") == machine.files("b") && machine.read("a/x") == "y" && machine.read("a/z") == "x")
    }

    /// A rule deletes nothing, and nobody is told what it hides.
    /// Under the name of something that others deleted, and that is here still.
    @Test(arguments: ["confirm", "restore"])
    func whatGetsTheNameOfWhatOthersDeletedWaitsForTheDecision(_ decision: String) throws {
        let machine = try Machine()
        try machine.twoDrives(
            Dictionary(uniqueKeysWithValues: (0..<15).map { ("\($0)", "\($0)") })
                .merging(["x": "x", "d/x": "dx", "y": "y", "e/y": "ey"]) { $1 })
        for name in (0..<15).map({ "\($0)" }) + ["x", "d"] { try machine.remove("a/\(name)") }
        #expect(try machine.run("sync", "a").code == 12)
        #expect(try machine.run("-C", "a", "deletes", "confirm").code == 0)
        try machine.move("a/y", to: "a/x")
        try machine.move("a/e", to: "a/d")
        #expect(try machine.run("sync", "a").code == 0)
        for _ in 0..<2 {
            let synced = try machine.run("sync", "b")
            #expect(synced.code == 12 && !synced.output.contains("kept changing"), "\(synced)")
        }
        #expect(try machine.run("-C", "b", "plan").output.contains("waits"))
        for name in ["y", "e"] {
            let why = try machine.run("-C", "b", "why", name).output
            #expect(why.contains("its place was deleted by alpha") && why.contains("docdrive -C b deletes"), "\(why)")
        }
        #expect(try machine.run("-C", "b", "deletes", decision).code == 0)
        try machine.settle()
        let files = machine.files("b")
        #expect(machine.files("a") == files && Set(files.values).isSuperset(of: ["y", "ey"]), "\(files)")
        #expect(Set(files.values).isSuperset(of: ["x", "dx", "1"]) == (decision == "restore"), "\(files)")
    }

    @Test func whatARuleHidesIsNotSaidToBeTold() throws {
        let machine = try Machine()
        try machine.twoDrives(
            Dictionary(uniqueKeysWithValues: (0..<15).map { ("f\($0)", "\($0)") }).merging(["other": "x"]) { $1 })
        for number in 0..<15 { try machine.remove("a/f\(number)") }
        #expect(try machine.run("sync", "a").code == 12)
        let rules = try #require(machine.read("a/.driveignore"))
        try machine.write(rules + "f*\n", to: "a/.driveignore")
        let confirmed = try machine.run("-C", "a", "deletes", "confirm").output
        #expect(confirmed.contains("f7: a rule hides it, so that the other devices keep it\n"), "\(confirmed)")
        #expect(!confirmed.contains("is told to the other devices\n"), "\(confirmed)")
        try machine.settle()
        #expect(machine.files("b").count == 16)
    }

    private struct Held: Decodable {
        var id: String
        var path: String
    }

    /// It has no place before the folder is there again, or is certainly not.
    @Test(arguments: ["restore", "confirm"])
    func aFileComesBackWithItsFolder(_ decision: String) throws {
        let machine = try Machine()
        try machine.twoDrives(Dictionary(uniqueKeysWithValues: (0..<18).map { ("d/\($0)", "\($0)") }))
        try machine.remove("a/d")
        #expect(try machine.run("sync", "a").code == 12)
        let list = try machine.run("-C", "a", "deletes", "ls", "--json").output
        let held = try JSONDecoder().decode([Held].self, from: Data(list.utf8))
        let (file, folder) = (
            try #require(held.first { $0.path == "d/7" }).id, try #require(held.first { $0.path == "d" }).id
        )
        let told = try machine.run("-C", "a", "deletes", "restore", file).output
        #expect(told.contains("d/7: comes back once the delete of d is decided, either way"), "\(told)")
        #expect(told.contains("deletes restore \(folder)`"), "\(told)")
        _ = try machine.run(["-C", "a", "deletes", decision] + (decision == "restore" ? [folder] : []))
        #expect(try machine.run("sync", "a").code == 0)
        #expect(machine.read("a/d/7") == "7")
        #expect(machine.files("a").count == (decision == "restore" ? 19 : 2), "\(machine.files("a"))")
    }

    /// Nobody here can know yet what others have done with it.
    @Test func confirmingDoesNotSayThatSomethingWillBeGone() throws {
        let machine = try Machine()
        try machine.twoDrives(Dictionary(uniqueKeysWithValues: (0..<30).map { ("Folder/\($0)", "\($0)") }))
        try machine.remove("b/Folder")
        #expect(try machine.run("sync", "b").code == 12)
        try machine.move("a/Folder", to: "a/Renamed")
        #expect(try machine.run("sync", "a").code == 0)
        let confirmed = try machine.run("-C", "b", "deletes", "confirm")
        #expect(confirmed.output.contains("Folder/7: its delete is told to the other devices\n"), "\(confirmed.output)")
        #expect(confirmed.output.hasSuffix("What was changed without knowing of its delete stays.\n"))
        try machine.settle()
        #expect(machine.read("b/Renamed/7") == "7")
    }

    @Test func deletesByOthersCanBeUndoneEverywhere() throws {
        let machine = try Machine()
        try machine.twoDrives(Dictionary(uniqueKeysWithValues: (0..<30).map { ("Folder/\($0)", "\($0)") }))
        let all = machine.files("a")
        try machine.remove("b/Folder")
        _ = try machine.run("sync", "b")
        #expect(try machine.run("-C", "b", "deletes", "confirm").code == 0)
        #expect(try machine.run("sync", "a").code == 12)
        #expect(try machine.run("-C", "a", "deletes", "restore").code == 0)
        try machine.settle()
        #expect(machine.files("a") == all)
        #expect(machine.files("b") == all)
    }

    @Test func theTrashGivesBack() throws {
        let machine = try Machine()
        try machine.twoDrives(["Folder/File": "precious"])
        try machine.remove("a/Folder")
        try machine.settle()
        #expect(machine.files("b").isEmpty)
        let exported = try machine.run("-C", "b", "trash", "export", "../out")
        #expect(exported.code == 0, "\(exported.error)")
        #expect(machine.read("out/Folder/File") == "precious")
        #expect(try machine.run("-C", "b", "trash", "restore", "Folder/File").code == 0)
        try machine.settle()
        #expect(machine.files("a") == ["Folder": "/", "Folder/File": "precious"])
        #expect(try machine.run("-C", "b", "trash", "ls").output == "The trash is empty.\n")
        try machine.remove("a/Folder")
        try machine.settle()
        #expect(try machine.run("-C", "b", "trash", "empty").code == 64)
        #expect(try machine.run("-C", "b", "trash", "empty", "--yes").code == 0)
        #expect(try machine.run("-C", "b", "trash", "ls").output == "The trash is empty.\n")
    }

    @Test func cleaningTakesOnlyCopiesThatAddNothing() throws {
        let machine = try Machine()
        try machine.write("same", to: "any/Note.txt")
        try machine.write("same", to: "any/Note.sync-conflict-20260821-140307-ABCDEFG.txt")
        try machine.write("other", to: "any/Note.sync-conflict-20260822-140307-ABCDEFG.txt")
        let dry = try machine.run("conflicts", "clean", "any", "--identical-only", "--dry-run")
        #expect(dry.output.hasSuffix("1 copy, 4 bytes. Nothing was changed.\n"), "\(dry.output)")
        #expect(try machine.run("conflicts", "clean", "any").code == 64)
        let result = try machine.run("conflicts", "clean", "any", "--yes")
        #expect(result.code == 0, "\(result.error)")
        #expect(
            machine.files("any") == ["Note.txt": "same", "Note.sync-conflict-20260822-140307-ABCDEFG.txt": "other"])
        let trash = "home/.local/share/Trash/files/Note.sync-conflict-20260821-140307-ABCDEFG.txt"
        #expect(machine.read(trash) == "same")
    }

    @Test func aNumberBelowZeroIsRefusedAsAValue() throws {
        let machine = try Machine()
        try machine.twoDrives()
        for options in [[], ["--timeout", "60s"]] {
            let result = try machine.run(["-C", "a", "config", "set", "scrub-days", "-1"] + options)
            #expect(result.code == 64 && result.error.contains("from 0 (never) to 3650"), "\(result.error)")
        }
    }

    @Test func aDeviceCanBeRenamed() throws {
        let machine = try Machine()
        try machine.twoDrives()
        #expect(try machine.run("-C", "a", "device", "rename", "gamma").code == 0)
        #expect(try machine.run("-C", "a", "config", "get", "device-name").output == "gamma\n")
        #expect(try machine.run("-C", "a", "device", "rename", "a/b").code == 64)
        try machine.write("x", to: "a/New")
        try machine.settle()
        #expect(try machine.run("-C", "b", "device").output.contains("gamma"))
    }

    @Test func whatIsIgnoredStaysHere() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("x", to: "a/half.part")
        try machine.write("*.log\n", to: "a/sub/.driveignore")
        try machine.write("x", to: "a/sub/run.log")
        try machine.settle()
        #expect(machine.files("b")["half.part"] == nil)
        let ignored = try machine.run("-C", "a", "ignored").output
        #expect(ignored.contains("half.part"))
        #expect(ignored.contains("sub/.driveignore:1"))
    }
}
