import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.mayBlock)
struct WhyCommandTests {
    @Test func itSaysWhatHelpsAndWhetherThereIsSuchAnItem() throws {
        let machine = try Machine()
        try machine.twoDrives()
        #expect(try machine.run("why", "a/Letter.txt").output.hasPrefix("S Letter.txt  synced\n  why        in step"))
        let never = try machine.run("why", "a/Never/was")
        #expect(never.code == 1 && never.output.hasPrefix("? Never/was  unknown\n"), "\(never.output)\(never.error)")
        try machine.write("new", to: "a/Some file")
        let new = try machine.run("why", "a/Some file")
        #expect(new.code == 0 && new.output.contains("  do         docdrive -C a sync\n"), "\(new.output)")
        #expect(try machine.run("why", "nowhere").code == 64)
    }

    @Test func eachItemIsToldOnce() throws {
        let machine = try Machine()
        try machine.twoDrives(["d/in/f": "1"])
        try machine.write("new", to: "a/d/in/new")
        func told(_ paths: String...) throws -> [String] {
            let lines = try machine.run(["-C", "a", "why"] + paths).output.split(separator: "\n")
            return lines.filter { !$0.hasPrefix(" ") }.map { String($0.split(separator: " ")[1]) }
        }
        #expect(try told("d/in/f", "d/in/f", "d/in/../in/f") == ["d/in/f"])
        #expect(try told("d", "d/in") == ["d", "d/in/new", "d/in"])
        #expect(try told("d", "d/in/new", "d") == ["d", "d/in/new"])
    }

    @Test func aLinkOnTheWayIsFollowed() throws {
        let machine = try Machine()
        try machine.twoDrives(["Folder/one": "1"])
        try FileManager.default.createSymbolicLink(atPath: "\(machine.root)/a/L", withDestinationPath: "Folder")
        try machine.settle()
        #expect(try machine.run("-C", "a", "why", "L/one").output.hasPrefix("S Folder/one  synced\n"))
        #expect(try machine.run("-C", "a", "why", "L").output.hasPrefix("S L  synced\n"))
        try machine.remove("a/Folder/one")
        try machine.settle()
        #expect(try machine.run("-C", "a", "restore", "L/one").code == 0)
        #expect(machine.read("a/Folder/one") == "1")
    }

    @Test func commandsWorkWhereTheyAreTold() throws {
        let machine = try Machine()
        try machine.twoDrives(["Some folder/one  two": "1"])
        try machine.remove("a/Some folder/one  two")
        try machine.settle()
        func inside(_ command: String) throws -> String {
            let line = "cd 'a/Some folder' && exec '\(Machine.program)' \(command)"
            return try machine.run(["-c", line], program: "/bin/sh").output
        }
        let why = try inside("why 'one  two'")
        #expect(why.contains("do         docdrive -C .. restore 'Some folder/one  two'\n"), "\(why)")
        let outside = try machine.run("why", "a/Some folder/one  two").output
        #expect(outside.contains("do         docdrive -C a restore 'Some"), "\(outside)")
        try machine.write("new", to: "a/Some folder/new")
        let status = try inside("status")
        #expect(status.contains("`docdrive -C .. why 'Some folder/new'`"), "\(status)")
        #expect(try inside("why new").contains("do         docdrive sync\n"))
    }

    /// `-C` moves the program, and not the person who reads what it tells.
    @Test func commandsWorkWhereTheyAreToldAlsoWithAnotherFolderNamed() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("new", to: "a/new")
        let status = try machine.run("-C", "a", "status").output
        #expect(status.contains("`docdrive -C a why new`"), "\(status)")
        #expect(try machine.run("-C", "a", "why", "new").output.contains("do         docdrive -C a sync\n"))
    }

    /// Also at a terminal, which a name could steer.
    @Test func commandsWorkAsTheyArePrintedWhateverANameHolds() throws {
        let machine = try Machine()
        let name = "p\u{1B}[31mq\u{7}\nit's"
        try machine.twoDrives([name: "1"])
        func command(in text: String) throws -> String {
            let parts = text.split(separator: "`", omittingEmptySubsequences: false)
            let part = try #require(parts.first { $0.hasPrefix("docdrive -C") })
            return "\(Machine.program)\(part.dropFirst("docdrive".count))"
        }
        try machine.write("new", to: "a/\(name)")
        let status = try machine.run("status", "a").output
        #expect(status.contains(#"`docdrive -C a why "$(printf 'p\033[31mq\a\nit\047s')"`"#), "\(status)")
        let why = try machine.run(["-c", try command(in: status)], program: "/bin/sh")
        #expect(why.code == 0 && why.output.contains("  why        changed here, "), "\(why.output)\(why.error)")
        try machine.remove("a/\(name)")
        try machine.settle()
        let gone = try machine.run("why", "a/\(name)").output
        let lines = gone.split(separator: "\n").filter { $0.hasPrefix("  do ") }
        let restore = try command(in: lines.joined().replacingOccurrences(of: "docdrive -C", with: "`docdrive -C"))
        #expect(try machine.run(["-c", restore], program: "/bin/sh").code == 0)
        #expect(machine.read("a/\(name)") == "1")
    }

    /// As a program runs it that reads JSON: by the shell behind system(3).
    @Test func aRemedyIsACommandOfEveryShell() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let name = #""$(printf 'p\377%%\t!\001')""#
        #expect(try machine.run(["-c", "mkfifo a/\(name)"], program: "/bin/sh").code == 0)
        #expect(try machine.run("sync", "a").code != 0)
        let why = "'\(Machine.program)' -C a why --json \(name)"
        let report = Data(try machine.run(["-c", why], program: "/bin/sh").output.utf8)
        let found = try JSONSerialization.jsonObject(with: report) as? [[String: Any]]
        let remedy = try #require(found?.first?["remedy"] as? String)
        for shell in ["/bin/sh", "/bin/bash"] {
            let done = try machine.run(["-c", "cd a && \(remedy)"], program: shell)
            #expect(done.code == 0, "\(remedy): \(done)")
        }
        #expect(try machine.run("sync", "a").code == 0, "\(remedy)")
    }

    @Test func whatTheStoreDoesNotKnowIsNotSaidToBeThere() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("new and long", to: "a/Letter.txt")
        #expect(try machine.run("-C", "a", "find", "--refresh", "long").code == 0)
        let why = try machine.run("-C", "a", "why", "Letter.txt").output
        #expect(why.contains("store      does not have this yet") && !why.contains("in step    file"), "\(why)")
    }

    @Test func itReadsOnlyAndNeedsNoStore() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.remove("store")
        try machine.remove("a/Letter.txt")
        let why = try machine.run("why", "a/Letter.txt", "a", "--json")
        #expect(why.code == 0, "\(why.error)")
        let found = try JSONSerialization.jsonObject(with: Data(why.output.utf8)) as? [[String: Any]]
        #expect(found?.map { $0["cause"] as? String } == ["gone-here", "in-step"])
        #expect(found?.first?["remedy"] as? String == "docdrive sync")
        #expect((found?.first?["last"] as? [String: Any])?["size"] as? Int == 5)
    }

    @Test func aConflictHasTheSameLettersAsInAList() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("from a\n", to: "a/Letter.txt")
        try machine.write("from b, longer\n", to: "b/Letter.txt")
        try machine.settle()
        let names = machine.files("a").keys.sorted()
        #expect(names.count == 2)
        for name in names {
            let listed = try machine.run("ls", "a/\(name)").output
            let why = try machine.run("why", "a/\(name)").output
            #expect(listed.first == why.first && listed.first == (name == "Letter.txt" ? "S" : "C"), "\(listed)\(why)")
        }
    }

    @Test func aFolderSaysWhatWaitsInIt() throws {
        let machine = try Machine()
        try machine.twoDrives(["Folder/one": "1"])
        mkfifo("\(machine.root)/a/Folder/pipe", 0o600)
        #expect(try machine.run("sync", "a").code == 2)
        let why = try machine.run("why", "a/Folder")
        #expect(why.output.hasPrefix("S Folder  synced\n") && why.output.contains("\n! Folder/pipe  error\n"))
        let status = try machine.run("-C", "a", "status")
        #expect(status.output.contains("Waiting  1 item: `docdrive -C a why Folder/pipe`\n"), "\(status.output)")
        #expect(status.output.contains("         1: sockets, pipes and devices are not synced\n"))
        let json = try machine.run("-C", "a", "status", "--json")
        #expect(json.output.contains("\"cause\" : \"special-file\"") && json.output.contains("\"count\" : 1"))
    }

    @Test func whatMayNotBeReadOrWrittenIsNamed() throws {
        let machine = try Machine()
        try machine.twoDrives(["Folder/one": "1"])
        func sync(_ folder: String) throws -> Machine.Result { try machine.runBound("sync", folder) }
        try machine.write("secret", to: "a/Secret")
        chmod("\(machine.root)/a/Secret", 0)
        #expect(try sync("a").code == 2)
        let secret = try machine.run("why", "a/Secret")
        #expect(secret.output.contains("why        it may not be read\n"), "\(secret.output)")
        #expect(secret.output.contains("do         (cd a && chmod u+r Secret)\n"))
        #expect(try machine.runBound("-C", "a", "wait", "--timeout", "10m").code == 11)
        chmod("\(machine.root)/a/Secret", 0o600)
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("why", "a/Secret").output.hasPrefix("S Secret  synced"))

        try machine.write("two", to: "a/Folder/two")
        #expect(try machine.run("sync", "a").code == 0)
        chmod("\(machine.root)/b/Folder", 0o500)
        defer { chmod("\(machine.root)/b/Folder", 0o700) }
        #expect(try sync("b").code == 2)
        #expect(try machine.runBound("-C", "b", "wait", "--timeout", "10m").code == 11)
        let two = try machine.runBound("why", "b/Folder/two")
        #expect(two.output.contains("why        its place here may not be written\n"), "\(two.output)")
        #expect(two.output.contains("do         (cd b && chmod u+rwx Folder)\n"), "\(two.output)")
        // It is not said that nothing is there.
        chmod("\(machine.root)/b/Folder", 0)
        let one = try machine.runBound("why", "b/Folder/one")
        #expect(one.output.contains("here       cannot be looked at\n"), "\(one.output)")
        #expect(try machine.runBound("why", "b/Folder/one", "--json").output.contains("\"hereInstead\" : \"unseen\""))
    }

    /// A move that cannot be done here has one cause, wherever one asks, and is one item.
    @Test func whatMayNotLeaveItsFolderIsNamedOnce() throws {
        let machine = try Machine()
        try machine.twoDrives(["Folder/one": "1", "Folder/two": "2"])
        try machine.move("a/Folder/one", to: "a/one")
        #expect(try machine.run("sync", "a").code == 0)
        chmod("\(machine.root)/b/Folder", 0o500)
        defer { chmod("\(machine.root)/b/Folder", 0o700) }
        #expect(try machine.runBound("sync", "b").code == 2)
        for path in ["b/Folder", "b/Folder/one", "b/one"] {
            let why = try machine.runBound("why", path).output
            #expect(why.contains("why        its place here may not be written\n"), "\(path): \(why)")
            #expect(why.contains("do         (cd b && chmod u+rwx Folder)\n"), "\(path): \(why)")
        }
        let status = try machine.runBound("-C", "b", "status").output
        #expect(status.contains("Waiting  1 item: "), "\(status)")
    }

    /// What has a name stays where people find it for as long as nothing can come in its place.
    @Test func whatCannotChangePlacesStaysInTheFolder() throws {
        let machine = try Machine()
        try machine.twoDrives(
            ["file": "f", "Closed/one": "1", "Folder/in": "in", "Closed/two": "2", "report": "old", "notes": "old"])
        for (one, other) in [("a/file", "a/Closed/one"), ("a/Folder", "a/Closed/two")] {
            try machine.move(one, to: "a/between")
            try machine.move(other, to: one)
            try machine.move("a/between", to: other)
        }
        // Into it, and into a folder that would have to be made in it.
        try machine.move("a/report", to: "a/Closed/report")
        try machine.write("new", to: "a/report")
        try machine.write("new", to: "a/Closed/new/other")
        try machine.move("a/notes", to: "a/Closed/new/notes")
        try machine.write("new", to: "a/notes")
        #expect(try machine.run("sync", "a").code == 0)
        let before = machine.files("b")
        chmod("\(machine.root)/b/Closed", 0o500)
        defer { chmod("\(machine.root)/b/Closed", 0o700) }
        for _ in 0..<2 { #expect(try machine.runBound("sync", "b").code == 2) }
        #expect(machine.files("b") == before)
        for path in ["b/file", "b/Folder", "b/Closed/one"] {
            let why = try machine.runBound("why", path).output
            #expect(why.contains("why        its place here may not be written\n"), "\(path): \(why)")
        }
        let status = try machine.runBound("-C", "b", "status").output
        #expect(status.contains("Closed/one: what has its name cannot go to file: "), "\(status)")
        chmod("\(machine.root)/b/Closed", 0o700)
        #expect(try machine.runBound("sync", "b").code == 0)
        #expect(machine.files("b") == machine.files("a"))
    }

    /// Not only `status` knows: who watches is told once.
    @Test func aWatchTellsOfWhatCannotBeSynced() throws {
        let machine = try Machine()
        try machine.twoDrives(["Folder/one": "1"])
        let running = try machine.watch("a", "--jsonl")
        defer { running.end() }
        mkfifo("\(machine.root)/a/Folder/pipe", 0o600)
        #expect(eventually { running.output.contains("\"type\":\"problem\"") }, "\(running.output)")
        try machine.write("2", to: "a/Folder/two")
        #expect(eventually { running.output.contains("Folder/two") })
        #expect(running.output.split(separator: "\n").count { $0.contains("\"type\":\"problem\"") } == 1)
        #expect(running.output.contains("\"path\":\"Folder/pipe\""))
        running.end()
        let again = try machine.watch("a")
        defer { again.end() }
        let line = "docdrive: not synced: Folder/pipe: sockets, pipes and devices are not synced\n"
        #expect(eventually { again.error.contains(line) }, "\(again.error)")
        // As it says.
        let why = try machine.run("why", "a/Folder/pipe").output
        #expect(why.contains("do         (cd a && printf '\\n%s\\n' /Folder/pipe >> .driveignore)\n"), "\(why)")
        try machine.write("*.bak", to: "a/.driveignore")
        let advice = try #require(why.split(separator: "\n").first { $0.hasPrefix("  do  ") }?.dropFirst(13))
        #expect(try machine.run(["-c", "cd \(machine.root) && \(advice)"], program: "/bin/sh").code == 0)
        #expect(machine.read("a/.driveignore") == "*.bak\n/Folder/pipe\n")
        #expect(try eventually { try machine.run("sync", "a").code == 0 })
    }

    /// It is not said to be no drive.
    @Test func aDriveThatMayNotBeLookedIntoIsNamed() throws {
        let machine = try Machine()
        try machine.twoDrives()
        defer { chmod("\(machine.root)/a", 0o700) }
        for place in ["a/.docdrive", "a"] {
            chmod("\(machine.root)/\(place)", 0)
            for result in [
                try machine.runBound("sync", "a"), try machine.runBound("-C", "a", "status"),
                try machine.runBound("watch", "a"),
                try machine.runBound("why", "a/Letter.txt"),
                try machine.runBound("sync", "a", "--to", "store", "--yes"), try machine.runBound("init", "a", "--yes"),
            ] {
                #expect(result.code == 11, "\(place): \(result.code) \(result.error)")
                #expect(result.error.contains(place), "\(result.error)")
            }
            chmod("\(machine.root)/\(place)", 0o700)
        }
        #expect(try machine.runBound("sync", "a").code == 0)
        mkdir("\(machine.root)/none", 0o700)
        #expect(try machine.runBound("sync", "none").code == 64)
    }

    @Test func aStoreOfANewerVersionIsNamed() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let store = "\(machine.root)/store"
        let names = FileManager.default.enumerator(atPath: store)?.compactMap { $0 as? String } ?? []
        for name in names where name.hasSuffix("/format") { try makeNewer("\(store)/\(name)") }
        try machine.write("new", to: "a/New")
        #expect(try machine.run("sync", "a").code == 78)
        let why = try machine.run("why", "a/New")
        #expect(why.output.contains("why        the store was written by a newer version\n"), "\(why.output)")
        #expect(try machine.run("-C", "a", "status", "--check").code == 1)
        let wait = try machine.run("-C", "a", "wait")
        #expect(wait.code == 78, "\(wait.error)")
    }
}
