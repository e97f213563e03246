import Foundation
import Glibc
import TestSupport
import Testing

/// What `restore`, `versions` and `diff` give back where files came back before, or where no pass has looked yet.
@Suite(.mayBlock)
struct RestoreTests {
    private struct Version: Decodable {
        var size: Int
        var kind: String
        var recorded: UInt64?
    }

    private func versions(_ machine: Machine, _ path: String) throws -> [Version] {
        let result = try machine.run("versions", path, "--json")
        return try JSONDecoder().decode([Version].self, from: Data(result.output.utf8))
    }

    private func drive(_ files: [String: String]) throws -> Machine {
        let machine = try Machine()
        for (path, text) in files { try machine.write(text, to: "a/\(path)") }
        #expect(try machine.run("sync", "a", "--to", "store", "--yes", "--name", "alpha").code == 0)
        return machine
    }

    private func save(_ machine: Machine, _ texts: String...) throws {
        for text in texts {
            try machine.write(text, to: "a/t.txt")
            #expect(try machine.run("sync", "a").code == 0)
        }
    }

    /// Who may not read a file may not read what it was before either.
    @Test func aVersionOfAPrivateFileIsPrivate() throws {
        let machine = try drive(["t.txt": "one"])
        let place = "\(machine.root)/a"
        func mode(_ name: String) -> mode_t {
            var facts = stat()
            return stat("\(place)/\(name)", &facts) == 0 ? facts.st_mode & 0o777 : 0
        }
        chmod("\(place)/t.txt", 0o600)
        try save(machine, "two")
        #expect(try machine.run("restore", "a/t.txt", "--to", "a/beside").code == 0)
        #expect(machine.read("a/beside") == "one" && mode("beside") == 0o600)
        // Where another device has deleted it, what lies in the trash tells.
        try machine.remove("a/beside")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("sync", "b", "--to", "store", "--yes", "--name", "beta").code == 0)
        try machine.remove("b/t.txt")
        for folder in ["b", "a"] { #expect(try machine.run("sync", folder).code == 0) }
        #expect(machine.read("a/t.txt") == nil)
        let version = try #require(
            machine.run("-C", "a", "versions", "t.txt", "--json").output.firstMatch(of: /"id" : "([0-9a-f]+)/))
        let back = try machine.run("restore", "a/t.txt@\(version.1.prefix(8))", "--to", "a/again")
        #expect(back.code == 0, "\(back.error)")
        #expect(machine.read("a/again") != nil && mode("again") == 0o600)
    }

    /// By name, as `--dry-run` has it, and each of several.
    @Test func whatIsThereAlreadyIsNamed() throws {
        let machine = try drive(["t.txt": "one", "u.txt": "one"])
        try save(machine, "two")
        for arguments in [["t.txt@current"], ["t.txt@current", "u.txt@current"]] {
            let all = arguments.map { "\($0.prefix(5)): is already as asked for\n" }.joined()
            let done = try machine.run(["-C", "a", "restore"] + arguments)
            #expect(done.code == 0 && done.output == all, "\(done)")
            let trial = try machine.run(["-C", "a", "restore", "--dry-run"] + arguments)
            #expect(trial.code == 0 && trial.output == all + "Nothing was changed.\n", "\(trial)")
        }
    }

    @Test func withoutTheStoreTheRestComesBack() throws {
        let machine = try drive(["t.txt": "sent", "m": "moved", "other": "gone"])
        try save(machine, "replaced")
        try machine.remove("a/other")
        #expect(try machine.run("sync", "a").code == 0)
        for act in [["restore", "other"], ["undo", "--yes"]] {
            let result = try machine.run(["-C", "a"] + act)
            #expect(result.code == 0, "\(result.error)")
        }
        try machine.move("a/m", to: "a/n")
        try save(machine, "replaced again")
        try machine.move("store", to: "away")
        let result = try machine.run("restore", "a/t.txt", "a/other")
        #expect(result.code == 2, "\(result.error)")
        #expect(result.output.contains("other: is back") && machine.read("a/other") == "gone", "\(result.output)")
        #expect(result.output.contains("t.txt: not restored: the store's folder is not there"), "\(result.output)")
        let log = try machine.run("-C", "a", "log", "n").output
        // The last line is the rename; before it the file had another name.
        let operation = try #require(log.split(separator: "\n").last?.firstMatch(of: /^\S+ \S+ +(\d+)/)?.1)
        let undone = try machine.run("-C", "a", "undo", "\(operation)", "--yes")
        #expect(undone.code == 2 && machine.read("a/m") == "moved", "\(undone.output)\(undone.error)")
        // Where nothing can be done at all, that is the answer.
        #expect(try machine.run("restore", "a/t.txt").code == 69)
        try machine.move("away", to: "store")
        #expect(try machine.run("-C", "a", "undo", "\(operation)", "--yes").code == 0)
        #expect(machine.read("a/t.txt") == "replaced")
    }

    /// No pass had missed it: to the next one it was moved.
    @Test func whatIsBroughtBackElsewhereIsFoundByTheNameThatItHad() throws {
        let machine = try drive(["d/f": "one", "d/g": "other"])
        try machine.write("second", to: "a/d/f")
        #expect(try machine.run("sync", "a").code == 0)
        let id = try machine.run("versions", "a/d/f").output.prefix(8)
        try machine.remove("a/d/f")
        #expect(try machine.run("restore", "a/d/f@\(id)", "--to", "a/q").code == 0)
        #expect(try machine.run("sync", "a").code == 0)
        #expect(machine.read("a/q") == "second")
        let moved = try machine.run("-C", "a", "versions", "d/f")
        #expect(moved.code == 64 && moved.error.contains("it was moved, and is q now"), "\(moved)")
        #expect(try versions(machine, "a/q").map(\.size) == [6, 3])
        let why = try machine.run("-C", "a", "why", "d/f").output
        #expect(why.contains("q"), "\(why)")
        for name in ["d/f", "q"] {
            let log = try machine.run("-C", "a", "log", name).output
            #expect(log.contains("d/f") && log.contains("q"), "\(log)")
        }
        // What the restore did is undone as before, and a look finds nothing more of it.
        let undone = try machine.run("-C", "a", "undo", "--yes")
        #expect(undone.code == 0 && machine.read("a/q") == nil, "\(undone)")
        #expect(try versions(machine, "a/d/f").first?.kind == "deleted")
    }

    /// Nothing is promised that the run refuses.
    @Test func aDryRunLooksWhereTheFileIsToBe() throws {
        let machine = try drive(["d": "text", "p/f": "one", "q": "two"])
        for path in ["d", "p"] { try machine.remove("a/\(path)") }
        try machine.write("in its place", to: "a/d/x")
        try machine.write("in its place", to: "a/p")
        #expect(try machine.run("sync", "a").code == 0)
        let id = try machine.run("versions", "a/q").output.prefix(8)
        for arguments in [
            ["a/d@1 minute ago"], ["a/p/f"], ["a/q@\(id)", "--to", "a/q/r"], ["a/q@\(id)", "--to", "a/.docdrive/x"],
            ["a/q@\(id)", "--to", "a/\(String(repeating: "n", count: 256))"], ["a/q@\(id)"],
            ["a/q@\(id)", "--to", "a/free/q"], ["a/q", "a/p/f"],
        ] {
            let dry = try machine.run(["restore"] + arguments + ["--dry-run"])
            let run = try machine.run(["restore"] + arguments)
            #expect(dry.code == run.code, "\(arguments): \(dry.error)\(dry.output), \(run.error)\(run.output)")
            if run.code != 0 { #expect(dry.error == run.error, "\(arguments)") }
        }
    }

    @Test func whatWasDeletedAfterItsFolderWasRenamedComesBackByTheNameThatPeopleKnow() throws {
        let machine = try drive(["e/h": "one"])
        try machine.write("three", to: "a/e/h")
        #expect(try machine.run("sync", "a").code == 0)
        try machine.move("a/e", to: "a/e2")
        #expect(try machine.run("sync", "a").code == 0)
        let moved = try machine.run("restore", "a/e/h@1 minute ago")
        #expect(moved.code == 64 && moved.error.contains("it was moved, and is e2/h now"), "\(moved.error)")
        try machine.remove("a/e2/h")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("why", "a/e/h").output.contains("restore e/h\n"))
        #expect(try versions(machine, "a/e/h").map(\.size) == [5, 3])
        #expect(try machine.run("restore", "a/e/h").code == 0)
        #expect(machine.read("a/e/h") == "three")
    }

    /// Records know it by the folder's new name, the log and whoever is looking for it by the old one.
    @Test func whatWasDeletedInARenamedFolderComesBackByTheNameThatItHad() throws {
        let machine = try drive(["Old/f": "one", "Old/g": "two", "x": "three"])
        try machine.move("a/Old", to: "a/New")
        try machine.remove("a/New/f")
        try machine.move("a/x", to: "a/it's y")
        #expect(try machine.run("sync", "a").code == 0)
        let versions = try machine.run("-C", "a", "versions", "Old/f")
        #expect(versions.output.contains("3 bytes") && versions.output.contains("deleted"), "\(versions.error)")
        let moved = try machine.run("-C", "a", "versions", "x")
        #expect(
            moved.code == 64
                && moved.error
                    == "docdrive: it was moved, and is it's y now: x: `docdrive -C a versions 'it'\\''s y'` lists its contents\n",
            "\(moved.code) \(moved.error)")
        #expect(try machine.run("-C", "a", "restore", "Old/g").error.contains("is New/g now"))
        let nothing = try machine.run("-C", "a", "versions", "never")
        #expect(nothing.error.contains("no file is or was here"), "\(nothing.error)")
        #expect(try machine.run("-C", "a", "restore", "Old/f").code == 0)
        #expect(machine.read("a/Old/f") == "one")
    }

    /// What was at a folder's name before says nothing of what is, or never was, in the folder.
    @Test(arguments: ["a file", "a folder", "a file elsewhere"])
    func whatHadTheNameOfItsFolderBeforeIsNotTakenForIt(_ former: String) throws {
        let machine = try drive([former == "a folder" ? "h/old" : "h": "the old one"])
        if former != "a file" {
            try machine.move("a/h", to: "a/g")
            #expect(try machine.run("sync", "a").code == 0)
        }
        try machine.remove(former == "a file" ? "a/h" : "a/g")
        #expect(try machine.run("sync", "a").code == 0)
        for text in ["good", "by mistake"] {
            try machine.write(text, to: "a/h/c")
            #expect(try machine.run("sync", "a").code == 0)
        }
        let id = try machine.run("versions", "a/h/c").output.split(separator: "\n")[1].prefix(8)
        for path in ["a/h/c@\(id)x", "a/h/c@2001-01-01", "a/h/never", "a/h/never@\(id)"] {
            #expect(try machine.run("restore", path).code == 64, "\(path)")
        }
        #expect(try machine.run("versions", "a/h/never").error.contains("no file is or was here"))
        #expect(try machine.run("why", "a/h/never").code == 1)
        #expect(try machine.run("restore", "a/h/c@\(id)", "--to", "a/z").code == 0)
        #expect(try machine.run("restore", "a/h/c@\(id)").code == 0)
        #expect(machine.files("a") == ["h": "/", "h/c": "good", "z": "good"])
    }

    @Test func whatNeverWasInAFolderOrFileWasNotMovedWithIt() throws {
        let machine = try drive(["f": "text", "d/in": "in it"])
        for (old, new) in [("f", "f2"), ("d", "d2")] { try machine.move("a/\(old)", to: "a/\(new)") }
        #expect(try machine.run("sync", "a").code == 0)
        for path in ["a/f/x", "a/d/x"] {
            #expect(try machine.run("why", path).code == 1, "\(path)")
            #expect(try machine.run("versions", path).error.contains("no file is or was here"), "\(path)")
        }
        #expect(try machine.run("versions", "a/d/in").error.contains("is d2/in now"))
    }

    /// Equal bytes may be of files that have nothing in common.
    @Test func whatAnotherFileOfEqualBytesWasIsNotTakenOver() throws {
        let machine = try Machine()
        try machine.twoDrives(["secret.sh": "same\n", "g.txt": "same\n", "h.txt": "same\n"])
        chmod("\(machine.root)/a/secret.sh", 0o755)
        try machine.settle()
        try machine.remove("b/secret.sh")
        try machine.settle()
        try machine.write("other\n", to: "a/g.txt")
        try machine.remove("a/h.txt")
        try machine.settle()
        #expect(try machine.run("-C", "a", "restore", "g.txt", "h.txt").code == 0)
        try machine.settle()
        for name in ["a/g.txt", "a/h.txt", "b/g.txt", "b/h.txt"] {
            #expect(machine.read(name) == "same\n")
            #expect(!isExecutable(machine, name))
        }
    }

    private func isExecutable(_ machine: Machine, _ name: String) -> Bool {
        var facts = stat()
        return lstat("\(machine.root)/\(name)", &facts) == 0 && facts.st_mode & S_IXUSR != 0
    }

    @Test func whatADeletedFileHeldLastComesBackThoughItHeldItBefore() throws {
        let machine = try drive(["d/t.txt": "1\n", "t.txt": "1\n"])
        try save(machine, "12\n", "1\n")
        #expect(try versions(machine, "a/t.txt").map(\.kind) == ["current", "past"])
        try machine.remove("a/t.txt")
        #expect(try machine.run("sync", "a").code == 0)
        let gone = try versions(machine, "a/t.txt")
        #expect(gone.map(\.kind) == ["deleted", "past"] && gone.map(\.size) == [2, 3])
        #expect(try machine.run("restore", "a/t.txt").code == 0)
        #expect(machine.read("a/t.txt") == "1\n")
    }

    @Test func whatAFileHeldBeforeComesBackThoughItHeldItEarlierToo() throws {
        let machine = try drive(["t.txt": "1\n"])
        try save(machine, "12\n", "1\n", "123\n")
        #expect(try machine.run("restore", "a/t.txt").code == 0)
        #expect(machine.read("a/t.txt") == "1\n")
    }

    @Test func anEditThatNoPassHasSeenIsTheCurrentVersion() throws {
        let machine = try drive(["t.txt": "draft\n"])
        try save(machine, "final one\n")
        try machine.write("saved by mistake\n", to: "a/t.txt")
        let found = try versions(machine, "a/t.txt")
        #expect(found.map(\.size) == [17, 10, 6] && found.map(\.kind) == ["current", "past", "past"])
        #expect(found.first?.recorded == nil)
        let diff = try machine.run("diff", "a/t.txt", "--color", "never")
        #expect(diff.output.contains("-final one\n+saved by mistake\n"), "\(diff.output)\(diff.error)")
        #expect(try machine.run("restore", "a/t.txt").code == 0)
        #expect(machine.read("a/t.txt") == "final one\n")
        #expect(try machine.run("-C", "a", "trash", "ls", "--json").output.contains("\"size\" : 17"))
        #expect(try machine.run("-C", "a", "undo", "--yes").code == 0)
        #expect(machine.read("a/t.txt") == "saved by mistake\n")
    }

    @Test func aDeleteThatNoPassHasSeenIsTakenBack() throws {
        let machine = try drive(["t.txt": "1\n", "d/one.txt": "one\n", "d/e/two.txt": "two\n", "d/moved.txt": "m\n"])
        try save(machine, "12\n")
        try machine.remove("a/t.txt")
        #expect(try versions(machine, "a/t.txt").map(\.kind) == ["deleted", "past"])
        #expect(try machine.run("restore", "a/t.txt").code == 0)
        #expect(machine.read("a/t.txt") == "12\n", "what it held last")
        try machine.move("a/d/moved.txt", to: "a/moved.txt")
        try machine.remove("a/d")
        #expect(try machine.run("restore", "a/d").code == 0)
        #expect(machine.read("a/d/one.txt") == "one\n" && machine.read("a/d/e/two.txt") == "two\n")
        #expect(machine.read("a/d/moved.txt") == nil, "it was not deleted")
    }

    @Test func whatComesFromTheStoreHasItsTagsAndMayBeExecuted() throws {
        let machine = try Machine()
        for name in ["restored", "undone", "copied"] {
            try machine.write("#!/bin/sh\n\(name)\n", to: "a/\(name)")
            chmod("\(machine.root)/a/\(name)", 0o755)
            #expect(try machine.run("tag", "a/\(name)", "--add", "work").code == 0)
        }
        try machine.write("here\n", to: "a/stays")
        #expect(try machine.run("sync", "a", "--to", "store", "--yes", "--name", "alpha").code == 0)
        for name in ["restored", "undone", "copied"] { try machine.remove("a/\(name)") }
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("restore", "a/restored").code == 0)
        #expect(try machine.run("restore", "a/copied", "--to", "a/copy").code == 0)
        for (place, word) in [
            (".docdrive/x", "where the drive keeps its own files"),
            (String(repeating: "n", count: 300), "at most 255 bytes"),
        ] {
            let refused = try machine.run("restore", "a/copied", "--to", "a/\(place)")
            #expect(refused.code == 64 && refused.error.contains(word), "\(refused)")
        }
        #expect(try machine.run("-C", "a", "undo", "2", "--yes").code != 64)
        for name in ["restored", "undone", "copy"] {
            #expect(access("\(machine.root)/a/\(name)", X_OK) == 0, "\(name)")
            #expect(try machine.run("tag", "a/\(name)").output == "work\n", "\(name)")
        }
        // What replaces a file leaves it what it is.
        try machine.write("#!/bin/sh\nother\n", to: "a/restored")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("restore", "a/restored").code == 0)
        #expect(access("\(machine.root)/a/restored", X_OK) == 0)
        #expect(try machine.run("tag", "a/restored").output == "work\n")
    }

    /// A program that had it open when another device's content took its place, or a delete, has gone on writing.
    @Test(arguments: [true, false])
    func whatWasWrittenIntoAFileInTheTrashIsAVersion(_ isDeleted: Bool) throws {
        let machine = try Machine()
        try machine.twoDrives(["log": "first\n"])
        let file = open("\(machine.root)/a/log", O_WRONLY | O_APPEND | O_CLOEXEC)
        defer { close(file) }
        if isDeleted { try machine.remove("b/log") } else { try machine.write("of b\n", to: "b/log") }
        #expect(try machine.run("sync", "b").code == 0)
        #expect(try machine.run("sync", "a").code == 0)
        #expect(machine.read("a/log") == (isDeleted ? nil : "of b\n"))
        #expect(write(file, "second\n", 7) == 7)
        let versions = try machine.run("versions", "a/log").output.split(separator: "\n")
        #expect(versions.count == (isDeleted ? 2 : 3), "\(versions)")
        let late = try #require(versions.first { $0.contains("13 bytes") && $0.contains("in the trash") })
        #expect(try machine.run("restore", isDeleted ? "a/log" : "a/log@\(late.prefix(8))").code == 0)
        #expect(machine.read("a/log") == "first\nsecond\n")
        let first = try #require(versions.first { $0.contains("6 bytes") && $0.contains("on the store") })
        #expect(try machine.run("restore", "a/log@\(first.prefix(8))", "--to", "a/first").code == 0)
        #expect(machine.read("a/first") == "first\n")
    }
}
