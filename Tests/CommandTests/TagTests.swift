import DriveCore
import DriveFiles
import Foundation
import TestSupport
import Testing

@Suite(.mayBlock) struct TagTests {
    /// The attribute as any program sees it.
    private func attribute(_ path: String) throws -> String? {
        let url = URL(filePath: path)
        let file = try TaggedFile(
            FileName(url.lastPathComponent), inFolder: Array(url.deletingLastPathComponent().path.utf8))
        return try file.attribute(.tags).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func tagsAreTheDesktopsAndTravel() throws {
        let machine = try Machine()
        try machine.twoDrives(["Letter.txt": "dear\n", "Other.txt": "you\n"])
        let added = try machine.run("tag", "a/Letter.txt", "--add", "work,urgent thing")
        #expect(added.code == 0 && added.output.isEmpty)
        #expect(try attribute("\(machine.root)/a/Letter.txt") == "work,urgent thing")
        try machine.settle()
        #expect(try machine.run("tag", "b/Letter.txt").output == "work\nurgent thing\n")
        #expect(try machine.run("tag", "b/Letter.txt", "b/Other.txt").output.contains("work, urgent thing"))

        #expect(try machine.run("tag", "b/Letter.txt", "b/Other.txt", "--remove", "work", "--add", "done").code == 0)
        #expect(try machine.run("tag", "b/Letter.txt").output == "urgent thing\ndone\n")
        try machine.settle()
        #expect(try machine.run("tag", "a/Other.txt", "--json").output.contains("\"done\""))
        #expect(try machine.run("tag", "a/Letter.txt", "--clear").code == 0)
        #expect(try attribute("\(machine.root)/a/Letter.txt") == nil)
    }

    /// As `find tag:` and desktops see them.
    @Test func tagsThatDifferInCaseAreOne() throws {
        let machine = try Machine()
        try machine.write("text", to: "plain/file")
        func tagged(_ arguments: String...) throws -> String? {
            let result = try machine.run(["tag", "plain/file"] + arguments)
            #expect(result.code == 0, "\(result)")
            return try attribute("\(machine.root)/plain/file")
        }
        #expect(try tagged("--set", "WORK,done") == "WORK,done")
        #expect(try tagged("--add", "work") == "WORK,done")
        #expect(try tagged("--remove", "Work") == "done")
        #expect(try tagged("--set", "Österreich,schon") == "Österreich,schon")
        // To write one otherwise.
        #expect(try tagged("--remove", "österreich", "--add", "österreich") == "schon,österreich")
        // Marks part words. Where no tag has them as they are given, they do not count, as in a query.
        #expect(try tagged("--add", "schön") == "schon,österreich,schön")
        #expect(try tagged("--remove", "SCHÖN") == "schon,österreich")
        #expect(try tagged("--remove", "osterreich") == "schon")
        // What others wrote stays as it is.
        try FileManager.default.removeItem(atPath: "\(machine.root)/plain/file")
        try machine.write("text", to: "plain/file")
        #expect(try tagged("--set", "a") == "a")
        let file = try TaggedFile(FileName("file"), inFolder: Array("\(machine.root)/plain".utf8))
        try file.setAttribute(.tags, Array("Home,HOME,x".utf8))
        #expect(try machine.run("tag", "plain/file").output == "Home\nHOME\nx\n")
        #expect(try tagged("--add", "y") == "Home,HOME,x,y")
        #expect(try tagged("--remove", "home") == "x,y")
    }

    /// As programs wrote them before UTF-8.
    @Test func tagsThatAreNoTextStayAsTheyAre() throws {
        let machine = try Machine()
        try machine.write("text", to: "plain/file")
        let file = try TaggedFile(FileName("file"), inFolder: Array("\(machine.root)/plain".utf8))
        try file.setAttribute(.tags, [0xE4, 0x2C, 0xF6, 0x2C] + Array("work".utf8))
        let changed = try machine.run("tag", "plain/file", "--add", "urgent,\u{FFFD}", "--remove", "work")
        #expect(changed.code == 0, "\(changed)")
        #expect(try file.attribute(.tags) == [0xE4, 0x2C, 0xF6, 0x2C] + Array("urgent,\u{FFFD}".utf8))
    }

    @Test func whatCannotBeTaggedIsToldAndTheRestGoesOn() throws {
        let machine = try Machine()
        try machine.write("text", to: "plain/file")
        try FileManager.default.createSymbolicLink(
            atPath: "\(machine.root)/plain/link", withDestinationPath: "file")
        let missing = try machine.run("tag", "plain/none", "--add", "a")
        #expect(missing.code == 64 && missing.error.contains("there is no such file"))
        for path in ["nodir/x", "plain/file/x"] {
            let missing = try machine.run("tag", path, "--add", "a")
            #expect(missing.code == 64 && missing.error.contains("there is no such file"), "\(missing)")
        }
        let link = try machine.run("tag", "plain/link", "--add", "a")
        #expect(link.code == 64 && link.error.contains("a link has no tags"))
        let some = try machine.run("tag", "plain/none", "plain/file", "--add", "a")
        #expect(some.code == 2 && some.error.hasPrefix("docdrive: "), "\(some.error)")
        #expect(try attribute("\(machine.root)/plain/file") == "a")
        #expect(try machine.run("tag", "plain/file", "--add", "a,,b").code == 0)
        #expect(try machine.run("tag", "plain/file", "--add", " a").code == 64)
        for option in ["--add \"$t\"", "--add=\"$t\"", "--set \"$t\""] {
            let script = "t=$(printf 'x\\377'); '\(Machine.program)' tag plain/file \(option)"
            let odd = try machine.run(["-c", script], program: "/bin/sh")
            #expect(odd.code == 64 && odd.error.contains("a tag is text in UTF-8"), "\(odd)")
        }
        #expect(try machine.run("tag", "plain/file", "--set", "b", "--clear").code == 64)
        #expect(try machine.run("tag").code == 64)
        #expect(try attribute("\(machine.root)/plain/file") == "a,b")
    }
}
