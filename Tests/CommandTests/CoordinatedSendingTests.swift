import DriveCore
import Foundation
import Glibc
import Testing

/// What somebody who coordinates is writing is not taken up before it is whole, by processes.
@Suite(.serialized, .mayBlock)
struct CoordinatedSendingTests {
    private static let untilLetGo = CoordinateTests.untilLetGo

    /// Two drives; the first is watched or not. A program has its letter to write it, runs `begin`, waits until it is let go,
    /// and runs `end`.
    private func arrange(
        isWatched: Bool, options: [String] = [], begin: String, end: String,
        _ body: (Machine, _ holder: Running) throws -> Void
    ) throws {
        let machine = try Machine()
        try machine.twoDrives(["Letter.txt": "dear\n", "Other": "1"])
        let watch = isWatched ? try machine.watch("a") : nil
        defer { watch?.end() }
        let holder = try machine.start(
            ["-C", "a", "coordinate", "--write", "Letter.txt"] + options
                + ["--", "sh", "-c", "\(begin); echo held; \(Self.untilLetGo); \(end)"])
        defer { try? machine.write("", to: "go") }
        #expect(eventually { holder.output == "held\n" }, "\(holder.error)")
        try body(machine, holder)
        guard watch == nil else { return }
        #expect(try machine.run("sync", "a").code == 0)
    }

    private func letGo(_ machine: Machine, _ holder: Running) throws {
        try machine.write("", to: "go")
        #expect(holder.finish().code == 0)
    }

    @Test(arguments: [false, true])
    func whatIsHalfWrittenIsNotSent(isWatched: Bool) throws {
        try arrange(isWatched: isWatched, begin: "printf half > Letter.txt", end: "printf 'and half' >> Letter.txt") {
            machine, holder in
            try machine.write("2", to: "a/Other")
            let sync = try machine.run("sync", "a")
            #expect(sync.code == 2, "\(sync.output)\(sync.error)")
            #expect(sync.output.contains("in use"), "\(sync.output)")
            _ = try machine.run("sync", "b")
            #expect(machine.read("b/Letter.txt") == "dear\n" && machine.read("b/Other") == "2")
            let why = try machine.run("-C", "a", "why", "Letter.txt")
            #expect(why.output.contains("docdrive (") && why.output.contains("is using it"), "\(why.output)")
            try letGo(machine, holder)
            // A watch goes on by itself.
            if !isWatched { #expect(try machine.run("sync", "a").code == 0) }
            #expect(
                eventually {
                    _ = try? machine.run("sync", "b")
                    return machine.read("b/Letter.txt") == "halfand half"
                })
            #expect(
                eventually {
                    (try? machine.run("-C", "a", "why", "Letter.txt").output.contains("is using it")) == false
                })
        }
    }

    /// The store has another file of that name; a pass finds the one that is written here in its way.
    @Test func whatIsNewAndNotWholeIsNotToBeMovedAway() throws {
        let machine = try Machine()
        try machine.twoDrives(["Letter.txt": "dear\n"])
        let holder = try machine.start([
            "-C", "a", "coordinate", "--write", "New.txt", "--", "sh", "-c",
            "printf half > New.txt; echo held; \(Self.untilLetGo); printf 'and half' >> New.txt",
        ])
        defer { try? machine.write("", to: "go") }
        #expect(eventually { holder.output == "held\n" }, "\(holder.error)")
        try machine.write("other", to: "b/New.txt")
        #expect(try machine.run("sync", "b").code == 0)
        #expect(try machine.run("sync", "a").code == 2)
        let why = try machine.run("-C", "a", "why", "New.txt").output
        #expect(why.contains("(process \(holder.process.id)) is using it") && !why.contains("mv "), "\(why)")
        try letGo(machine, holder)
        for name in ["a", "b", "a"] { #expect(try machine.run("sync", name).code == 0) }
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(machine.root)/b")
        let contents = names.filter { $0.hasPrefix("New") }.map { machine.read("b/\($0)") }
        #expect(Set(contents) == ["other", "halfand half"])
    }

    /// A program that saves by deleting and making anew.
    @Test(arguments: [false, true])
    func whatIsAwayForAMomentIsNotDeletedElsewhere(isWatched: Bool) throws {
        try arrange(isWatched: isWatched, begin: "rm Letter.txt", end: "printf anew > Letter.txt") { machine, holder in
            #expect(try machine.run("sync", "a").code == 2)
            _ = try machine.run("sync", "b")
            #expect(machine.read("b/Letter.txt") == "dear\n")
            let why = try machine.run("-C", "a", "why", "Letter.txt")
            #expect(why.output.contains("is using it"), "\(why.output)")
            try letGo(machine, holder)
            if !isWatched { #expect(try machine.run("sync", "a").code == 0) }
            #expect(
                eventually {
                    _ = try? machine.run("sync", "b")
                    return machine.read("b/Letter.txt") == "anew"
                })
        }
    }

    /// What was deleted is deleted everywhere once nobody may bring it back.
    @Test(arguments: [false, true])
    func whatStaysAwayIsDeletedAfterwards(isWatched: Bool) throws {
        try arrange(isWatched: isWatched, options: ["--deleting"], begin: "rm Letter.txt", end: "true") {
            machine, holder in
            #expect(try machine.run("sync", "a").code == 2)
            try letGo(machine, holder)
            if !isWatched { #expect(try machine.run("sync", "a").code == 0) }
            #expect(
                eventually {
                    _ = try? machine.run("sync", "b")
                    return machine.read("b/Letter.txt") == nil
                })
        }
    }

    /// A program that keeps the old one until the new one is whole.
    @Test(arguments: [false, true])
    func whatIsRenamedAwayForAMomentStaysElsewhere(isWatched: Bool) throws {
        try arrange(
            isWatched: isWatched, begin: "mv Letter.txt Letter.txt~", end: "printf new > Letter.txt; rm Letter.txt~"
        ) { machine, holder in
            #expect(try machine.run("sync", "a").code == 2)
            _ = try machine.run("sync", "b")
            #expect(machine.read("b/Letter.txt") == "dear\n" && machine.read("b/Letter.txt~") == nil)
            for name in ["Letter.txt", "Letter.txt~"] {
                let why = try machine.run("-C", "a", "why", name)
                #expect(why.output.contains("is using it"), "\(why.output)")
            }
            try letGo(machine, holder)
            if !isWatched { #expect(try machine.run("sync", "a").code == 0) }
            #expect(
                eventually {
                    _ = try? machine.run("sync", "b")
                    return machine.read("b/Letter.txt") == "new"
                })
            #expect(machine.read("b/Letter.txt~") == nil)
            #expect(try machine.run("-C", "a", "versions", "Letter.txt").output.contains("5 bytes"))
        }
    }

    /// The copy that it keeps is sent in the end, though nobody touches it any more.
    @Test(arguments: [false, true])
    func whatWasRenamedAwayIsSentAfterwards(isWatched: Bool) throws {
        try arrange(isWatched: isWatched, begin: "mv Letter.txt Letter.txt~", end: "printf new > Letter.txt") {
            machine, holder in
            #expect(try machine.run("sync", "a").code == 2)
            try letGo(machine, holder)
            if !isWatched { #expect(try machine.run("sync", "a").code == 0) }
            #expect(
                eventually {
                    _ = try? machine.run("sync", "b")
                    return machine.read("b/Letter.txt") == "new" && machine.read("b/Letter.txt~") == "dear\n"
                })
        }
    }

    /// A folder that is moved, and one that is a document, which is saved as one.
    @Test(arguments: [false, true])
    func aFolderOnItsWayStaysElsewhere(isWatched: Bool) throws {
        let machine = try Machine()
        try machine.twoDrives(["Folder/Sub/one": "1", "Doc.rtfd/TXT.rtf": "old", "Doc.rtfd/image": "same"])
        let watch = isWatched ? try machine.watch("a") : nil
        defer { watch?.end() }
        func hold(_ options: [String], _ script: String) throws -> Running {
            let holder = try machine.start(["-C", "a", "coordinate"] + options + ["--", "sh", "-c", script])
            #expect(eventually { holder.output == "held\n" }, "\(holder.error)")
            return holder
        }
        let mover = try hold(
            ["--write", "Folder", "--moving", "--to", "Moved"],
            "mv Folder Moved; echo 2 > Moved/Sub/two; echo held; \(Self.untilLetGo)")
        let saver = try hold(
            ["--write", "Doc.rtfd"],
            "mv Doc.rtfd Doc.old; mkdir Doc.rtfd; echo half > Doc.rtfd/TXT.rtf; echo held; \(Self.untilLetGo); "
                + "echo new > Doc.rtfd/TXT.rtf; cp Doc.old/image Doc.rtfd; rm -r Doc.old")
        defer { try? machine.write("", to: "go") }
        #expect(try machine.run("sync", "a").code == 2)
        _ = try machine.run("sync", "b")
        #expect(
            machine.files("b").filter { $0.value != "/" } == [
                "Doc.rtfd/TXT.rtf": "old", "Doc.rtfd/image": "same", "Folder/Sub/one": "1",
            ])
        try machine.write("", to: "go")
        #expect(mover.finish().code == 0 && saver.finish().code == 0)
        if !isWatched { #expect(try machine.run("sync", "a").code == 0) }
        #expect(
            eventually {
                _ = try? machine.run("sync", "b")
                return machine.files("b") == machine.files("a") && machine.read("b/Moved/Sub/two") == "2\n"
                    && machine.read("b/Doc.rtfd/TXT.rtf") == "new\n"
            })
        #expect(try machine.run("-C", "b", "log", "--limit", "50").output.contains("moved       Moved  (was Folder)"))
    }

    /// Who writes by a link has what it leads to.
    @Test func whatIsWrittenByALinkIsNotSentHalf() throws {
        let machine = try Machine()
        try machine.twoDrives(["Letter.txt": "dear\n"])
        symlink("Letter.txt", "\(machine.root)/a/Link")
        #expect(try machine.run("sync", "a").code == 0)
        let holder = try machine.start([
            "-C", "a", "coordinate", "--write", "Link", "--", "sh", "-c",
            "printf half > Link; echo held; \(Self.untilLetGo); printf 'and half' >> Link",
        ])
        defer { try? machine.write("", to: "go") }
        #expect(eventually { holder.output == "held\n" }, "\(holder.error)")
        #expect(try machine.run("sync", "a").code == 2)
        try letGo(machine, holder)
        #expect(try machine.run("sync", "a").code == 0)
        _ = try machine.run("sync", "b")
        #expect(machine.read("b/Letter.txt") == "halfand half")
        let read = try machine.run(
            "-C", "a", "coordinate", "--read", "Link", "--snapshot", "--", "sh", "-c", "cat \"$DOCDRIVE_ITEM\"")
        #expect(read.output == "halfand half", "\(read.error)")
    }

    /// Who has the item and asks for a pass wants it sent as it is.
    @Test(arguments: ["sync", "wait Letter.txt", "wait"], [false, true])
    func aPassWithinTheAccessSends(_ command: String, isWatched: Bool) throws {
        let begin = "(printf whole > Letter.txt; \(Machine.program) \(command)) > ../log 2>&1; echo $? > ../code"
        try arrange(isWatched: isWatched, begin: begin, end: "true") { machine, holder in
            #expect(machine.read("code") == "0\n", "\(machine.read("log") ?? "")")
            _ = try machine.run("sync", "b")
            #expect(machine.read("b/Letter.txt") == "whole")
            try letGo(machine, holder)
        }
    }
}
