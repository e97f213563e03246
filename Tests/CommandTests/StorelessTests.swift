import Foundation
import TestSupport
import Testing

/// A folder that is a drive without a store: found, listed and watched, and never touched.
@Suite(.mayBlock) struct StorelessTests {
    private let files = ["Letter.txt": "dear\n", "Papers/Budget.csv": "1;2\n", "Papers/old/Plan.md": "# Plan\n"]

    private static let copy = "Letter.sync-conflict-20240101-120000-ABCDEFG.txt"

    private func drive() throws -> Machine {
        let machine = try Machine()
        for (path, text) in files { try machine.write(text, to: "a/\(path)") }
        let made = try machine.run("init", "a", "--yes")
        #expect(made.code == 0 && made.output.contains("6 items"))
        #expect(try machine.run("-C", "a", "find", "budget").output == "Papers/Budget.csv\n")
        return machine
    }

    private func visible(_ machine: Machine) -> [String: String] {
        machine.files("a").filter { !$0.key.hasPrefix(".") && $0.value != "/" }
    }

    @Test func aSyncLeavesEverythingAsItIs() throws {
        let machine = try drive()
        for _ in 0..<3 { #expect(try machine.run("sync", "a").code == 0) }
        #expect(visible(machine) == files)
        #expect(try machine.run("-C", "a", "trash").output.contains("Letter") == false)
        #expect(try machine.run("find", "-onlyin", "a", "budget").output.contains("Budget.csv"))
        #expect(try machine.run("-C", "a", "status").output.contains("5"))
        try machine.remove("a/Letter.txt")
        try machine.remove("a/Papers")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("-C", "a", "find", "budget").output.isEmpty)
        #expect(try machine.run("-C", "a", "verify").code == 0)
    }

    @Test func aWatchLeavesEverythingAsItIs() throws {
        let machine = try drive()
        let watch = try machine.start("watch", "a")
        #expect(try eventually { try machine.run("-C", "a", "find", "budget").output.contains("Budget.csv") })
        try machine.write("new\n", to: "a/Papers/New.txt")
        #expect(try eventually { try machine.run("-C", "a", "find", "new").output.contains("New.txt") })
        try machine.remove("a/Papers/New.txt")
        #expect(try eventually { try machine.run("-C", "a", "find", "new").output.isEmpty })
        watch.signal(SIGTERM)
        _ = watch.finish()
        #expect(visible(machine) == files)
    }

    /// It knows what the trash holds and what was not sent yet, and this program cannot tell.
    @Test func anIndexOfANewerVersionStaysAsItIs() throws {
        let machine = try drive()
        let place = "\(machine.root)/a/.docdrive/index.sqlite"
        let file = try #require(FileHandle(forUpdatingAtPath: place))
        // The version that a program gives it (sqlite.org, "Database File Format", 1.3).
        try file.seek(toOffset: 60)
        try file.write(contentsOf: Data([0, 0, 0, 99]))
        try file.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: place))
        let refused = try machine.run("sync", "a", "--to", "store", "--yes")
        #expect(refused.code == 78 && refused.error.contains("update it"), "\(refused)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: place)) == before)
        #expect(machine.objects("").isEmpty)
    }

    @Test func aDamagedIndexIsKeptBesideTheNewOne() throws {
        let machine = try drive()
        for ending in ["-wal", "-shm"] { try? machine.remove("a/.docdrive/index.sqlite\(ending)") }
        try machine.write("no database", to: "a/.docdrive/index.sqlite")
        #expect(try machine.run("sync", "a", "--to", "store", "--yes").code == 0)
        let own = try FileManager.default.contentsOfDirectory(atPath: "\(machine.root)/a/.docdrive")
        let aside = try #require(own.first { $0.hasPrefix("index.sqlite.damaged-") })
        #expect(machine.read("a/.docdrive/\(aside)") == "no database")
        #expect(machine.objects("head").count > 0)
    }

    @Test func theLogTellsWhatChangedSinceTheFirstLook() throws {
        let machine = try drive()
        #expect(try machine.run("-C", "a", "log").output.isEmpty)
        try machine.write("new\n", to: "a/Papers/New.txt")
        try machine.write("dearest\n", to: "a/Letter.txt")
        try machine.move("a/Papers/Budget.csv", to: "a/Money.csv")
        #expect(try machine.run("sync", "a").code == 0)
        try machine.remove("a/Papers/old")
        #expect(try machine.run("sync", "a").code == 0)
        let lines = try machine.run("-C", "a", "log").output.split(separator: "\n").map { line in
            line.split(separator: " ").dropFirst(2).joined(separator: " ")
        }
        #expect(
            lines == [
                "1 moved Money.csv (was Papers/Budget.csv)", "1 added Papers/New.txt", "1 edited Letter.txt",
                "2 deleted Papers/old", "2 deleted Papers/old/Plan.md",
            ], "\(lines)")
        let why = try machine.run("-C", "a", "why", "Papers/old/Plan.md")
        #expect(why.output.contains("deleted on this device") && !why.output.contains("restore"), "\(why.output)")
        // What nobody has cannot come back, and is named.
        let undone = try machine.run("-C", "a", "undo", "--since", "1d", "--yes")
        #expect(undone.code == 2)
        #expect(undone.output.contains("Letter.txt: stays as it is: what it was before is not kept anywhere"))
        #expect(machine.read("a/Papers/Budget.csv") == "1;2\n")
        #expect(machine.read("a/Letter.txt") == "dearest\n")
        #expect(machine.read("a/Papers/New.txt") == nil)
    }

    @Test func aWatchTellsWhatChanges() throws {
        let machine = try drive()
        let watch = try machine.watch("a", "--exec", "cat >> \(machine.root)/told")
        try machine.write("new\n", to: "a/New.txt")
        #expect(eventually { watch.output.contains("added       New.txt") }, "\(watch.output)")
        try machine.remove("a/New.txt")
        #expect(eventually { watch.output.contains("deleted     New.txt") }, "\(watch.output)")
        #expect(eventually { machine.read("told")?.contains("\"event\":\"deleted\"") == true })
        watch.end()
    }

    /// Contents are told apart by fingerprints there, and everything that compares contents has to take the same.
    @Test func contentsAreComparedAsTheIndexHasThem() throws {
        let machine = try drive()
        try machine.write("dear\n", to: "a/Papers/Letter copy.txt")
        #expect(symlink("Budget.csv", "\(machine.root)/a/Papers/link") == 0)
        try machine.write(String(repeating: "0123456789abcdef", count: 40_000), to: "a/Large")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("-C", "a", "dupes").output.contains("  Letter.txt\n  Papers/Letter copy.txt\n"))
        #expect(try machine.run("-C", "a", "verify").code == 0)
        let hash = [
            "-C", "a", "find", "--count", "--predicate",
            "kDDItemContentHash ENDSWITH \"00000000000000000000000000000000\"",
        ]
        #expect(try machine.run(hash).output == "7\n")
        // Written again with the same bytes, moved, and with others.
        try machine.write(try #require(machine.read("a/Large")), to: "a/Large")
        try machine.move("a/Letter.txt", to: "a/Papers/Moved.txt")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("-C", "a", "dupes").output.contains("  Papers/Letter copy.txt\n  Papers/Moved.txt\n"))
        try machine.write("Dear\n", to: "a/Papers/Moved.txt")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("-C", "a", "dupes").output == "No two files are equal\n")
        #expect(try machine.run("-C", "a", "verify").code == 0)
    }

    @Test(.enabled(if: Damage.quietPlace != nil, "no tmpfs to write to without a trace"))
    func damageIsFound() throws {
        let machine = try Machine(in: Damage.quietPlace ?? "")
        try machine.write("the only copy of a thesis", to: "a/thesis")
        #expect(try machine.run("init", "a", "--yes").code == 0)
        try machine.flipBit(9, of: "a/thesis")
        let found = try machine.run("-C", "a", "verify")
        #expect(found.code != 0 && found.output.contains("thesis"))
    }

    @Test func theTrashIsKnownAfterAStoreCame() throws {
        let machine = try drive()
        try machine.write("dear\n", to: "a/\(Self.copy)")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("conflicts", "clean", "a", "--yes").output.contains(Self.copy))
        #expect(machine.read("a/\(Self.copy)") == nil)
        #expect(try machine.run("sync", "a", "--to", "store", "--yes").code == 0)
        #expect(try machine.run("-C", "a", "trash").output.contains(Self.copy))
        #expect(try machine.run("-C", "a", "versions", Self.copy).code == 0)
        #expect(try machine.run("-C", "a", "restore", Self.copy).code == 0)
        #expect(machine.read("a/\(Self.copy)") == "dear\n")
        #expect(try machine.run("-C", "a", "verify").code == 0)
    }

    @Test func cleaningIsUndone() throws {
        let machine = try drive()
        try machine.write("dear\n", to: "a/\(Self.copy)")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("conflicts", "clean", "a", "--yes").code == 0)
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("-C", "a", "undo", "--yes").code == 0)
        #expect(machine.read("a/\(Self.copy)") == "dear\n")
        #expect(try machine.run("-C", "a", "undo", "3", "--yes").code == 0)
        #expect(machine.read("a/\(Self.copy)") == nil)
    }

    /// Nothing of it was ever sent, and a scan would take all of it for known.
    @Test func aStoreThatSettingsNameByThemselvesIsRefused() throws {
        let machine = try Machine()
        try machine.twoDrives(files)
        try machine.write("words\n", to: "c/File")
        #expect(try machine.run("init", "c", "--yes").code == 0)
        let settings = try #require(machine.read("a/.docdrive/config.toml"))
        try machine.write(settings, to: "c/.docdrive/config.toml")
        for command in ["sync", "plan"] {
            let refused = try machine.run("-C", "c", command)
            #expect(refused.code != 0 && refused.error.contains("never connected to"), "\(command)")
        }
    }

    @Test func nothingIsSaidToBeUploaded() throws {
        let machine = try Machine()
        try machine.write("words", to: "a/File")
        #expect(try machine.run("init", "a", "--yes").code == 0)
        let search = ["-C", "a", "find", "--count", "--predicate"]
        let uploaded = "NSMetadataUbiquitousItemIsUploadedKey == YES OR NSMetadataItemIsUbiquitousKey == YES"
        #expect(try machine.run(search + [uploaded]).output == "0\n")
        #expect(try machine.run("sync", "a", "--to", "store", "--yes").code == 0)
        let all = try machine.run(search + ["TRUEPREDICATE"]).output
        #expect(try machine.run(search + [uploaded]).output == all)
    }

    @Test func aStoreThatComesLaterGetsEverything() throws {
        let machine = try drive()
        #expect(try machine.run("sync", "a").code == 0)
        try machine.write("edited\n", to: "a/Letter.txt")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("sync", "a", "--to", "store", "--yes").code == 0)
        #expect(try machine.run("sync", "b", "--to", "store", "--yes").code == 0)
        #expect(machine.read("b/Letter.txt") == "edited\n")
        #expect(machine.read("b/Papers/old/Plan.md") == "# Plan\n")
        #expect(machine.read("a/Letter.txt") == "edited\n")
    }

    /// Without it, edits would be taken for known and never be sent.
    @Test func settingsThatLostTheStoreAreRefused() throws {
        let machine = try Machine()
        try machine.twoDrives(files)
        try machine.remove("a/.docdrive/config.toml")
        try machine.write("edited\n", to: "a/Letter.txt")
        let refused = try machine.run("sync", "a")
        #expect(refused.code != 0 && refused.error.contains("its settings do not name it"))
        #expect(try machine.run("sync", "a", "--to", "store", "--yes").code == 0)
        #expect(try machine.run("sync", "b").code == 0)
        // Who joins anew cannot know which is newer: both are there.
        for drive in ["a", "b"] {
            let texts = machine.files(drive).values
            #expect(texts.contains("edited\n") && texts.contains("dear\n"))
        }
    }
}
