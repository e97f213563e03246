import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.mayBlock) struct DuplicatesTests {
    @Test func equalFilesAreListedAndNothingElse() throws {
        let machine = try Machine()
        try machine.write("same text\n", to: "a/one.txt")
        try machine.write("same text\n", to: "a/deep/er/two.txt")
        try machine.write("same tEXt\n", to: "a/other.txt")
        try machine.write("", to: "a/empty1")
        try machine.write("", to: "a/empty2")
        try machine.write(String(repeating: "x", count: 5_000), to: "a/big 1")
        try machine.write(String(repeating: "x", count: 5_000), to: "a/big 2")
        try FileManager.default.linkItem(atPath: "\(machine.root)/a/other.txt", toPath: "\(machine.root)/a/linked")
        #expect(try machine.run("init", "a", "--yes").code == 0)
        #expect(try machine.run("-C", "a", "sync").code == 0)

        let all = try machine.run("-C", "a", "dupes")
        #expect(all.code == 0 && all.error.hasPrefix("docdrive: nothing watches the drive; as of "), "\(all.error)")
        #expect(
            all.output == """
                2 equal files of 4.9 KiB:
                  big 1
                  big 2
                2 equal files of 10 bytes:
                  deep/er/two.txt
                  one.txt
                2 groups; keeping one of each would free 4.9 KiB

                """)
        let large = try machine.run("-C", "a", "dupes", "--min-size", "1kb", "--jsonl").output
        #expect(large.split(separator: "\n").count == 1 && large.contains("\"big 1\""))
        #expect(try machine.run("dupes", "a/deep").output == "No two files are equal\n")
    }

    @Test func aFolderIsTakenAndNothingElse() throws {
        let machine = try Machine()
        for name in ["a/in/one", "a/in/two", "a/three"] { try machine.write("same\n", to: name) }
        #expect(symlink("in", "\(machine.root)/a/link") == 0 && symlink("..", "\(machine.root)/a/out") == 0)
        #expect(try machine.run("init", "a", "--yes").code == 0)
        #expect(try machine.run("-C", "a", "sync").code == 0)
        for (path, sentence) in [
            ("three", "dupes takes a folder, and this is a file: ~/a/three: name the folder that it is in"),
            ("out", "the folder leads out of the drive: ~/a/out: name one in it"),
            ("none", "there is no such file or folder: ~/a/none: check the spelling"),
        ] {
            let refused = try machine.run("-C", "a", "dupes", path)
            #expect(refused.code == 64 && refused.output.isEmpty)
            #expect(machine.plain(refused.error) == "docdrive: \(sentence)")
        }
        let linked = try machine.run("-C", "a", "dupes", "link").output
        #expect(linked.contains("  in/one\n  in/two\n") && !linked.contains("three"))
        #expect(try machine.run("dupes", "a").output.contains("3 equal files"))
    }

    @Test func whatChangedSinceIsLeftOutAndSaid() throws {
        let machine = try Machine()
        try machine.write("same text\n", to: "a/one.txt")
        try machine.write("same text\n", to: "a/two.txt")
        #expect(try machine.run("init", "a", "--yes").code == 0)
        #expect(try machine.run("-C", "a", "sync").code == 0)
        try machine.write("some text\n", to: "a/two.txt")
        let found = try machine.run("-C", "a", "dupes")
        #expect(found.output == "No two files are equal\n")
        #expect(found.error.contains("1 file changed since the index was written"))
    }

    @Test func whatMayNotBeEnteredIsNamed() throws {
        let machine = try Machine()
        try machine.twoDrives(["one": "same\n", "locked/two": "same\n", "locked/three": "same\n"])
        chmod("\(machine.root)/a/locked", 0)
        defer { chmod("\(machine.root)/a/locked", 0o700) }
        let found = try machine.runBound("-C", "a", "dupes")
        #expect(found.code == 2, "\(found)")
        #expect(found.error.contains("1 other file are left out: a folder above may not be entered"), "\(found.error)")
        #expect(!found.error.contains("changed since"), "\(found.error)")
    }
}
