import Foundation
import TestSupport
import Testing

/// What waits to be sent outlives the index that knew of it.
@Suite(.mayBlock)
struct LostIndexTests {
    enum Loss: String, CaseIterable, Sendable { case removed, emptied, damaged, older }

    private func index(_ machine: Machine) -> URL {
        URL(fileURLWithPath: "\(machine.root)/a/.docdrive/index.sqlite")
    }

    private func lose(_ machine: Machine, _ loss: Loss, older: Data) throws {
        let index = index(machine)
        for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: index.path + ending) }
        switch loss {
        case .removed: try FileManager.default.removeItem(at: index)
        case .emptied: try Data().write(to: index)
        case .damaged:
            var bytes = try Data(contentsOf: index)
            bytes.replaceSubrange(0..<512, with: Data(repeating: 0x67, count: 512))
            try bytes.write(to: index)
        case .older: try older.write(to: index)
        }
    }

    private func edit(_ machine: Machine, _ texts: [String]) throws {
        for text in texts {
            try machine.write(text, to: "a/in/f")
            #expect(try machine.run("sync", "a").code == 69)
        }
    }

    /// While the store is away: three states of a file, and a note that is gone again.
    private func work(_ machine: Machine) throws {
        try edit(machine, ["1\n", "2\n", "3\n"])
        try machine.write("only here\n", to: "a/in/note")
        #expect(try machine.run("sync", "a").code == 69)
        try machine.remove("a/in/note")
        #expect(try machine.run("sync", "a").code == 69)
    }

    private func rescued(_ machine: Machine) -> Set<String> {
        let trash = "a/.docdrive/trash"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(machine.root)/\(trash)")) ?? []
        return Set(names.filter { $0.hasPrefix("unsent-") }.compactMap { machine.read("\(trash)/\($0)") })
    }

    private func unsent(_ machine: Machine) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(machine.root)/a/.docdrive").filter {
            $0.hasPrefix("unsent")
        }
    }

    /// An index that is put back to before something went to the trash does not hide it.
    @Test func theTrashIsListedInAnOlderIndex() throws {
        let machine = try Machine()
        try machine.twoDrives(["in/f": "0\n", "in/g": "g\n"])
        let older = try Data(contentsOf: index(machine))
        try machine.remove("b/in/g")
        for drive in ["b", "a"] { #expect(try machine.run("sync", drive).code == 0) }
        try machine.write("1\n", to: "a/in/f")
        #expect(try machine.run("sync", "a").code == 0)
        try lose(machine, .older, older: older)
        #expect(try machine.run("sync", "a").code == 0)
        let listed = try machine.run("-C", "a", "trash", "ls", "--jsonl").output
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: "\(machine.root)/a/.docdrive/trash").first)
        #expect(listed.contains(name), "\(listed)")
    }

    /// Nor where this device has published nothing since, so that nobody else knows that it is older.
    @Test func whatOnlyCameIsListedInAnOlderIndex() throws {
        let machine = try Machine()
        try machine.twoDrives(["in/f": "0\n", "in/g": "g\n"])
        let older = try Data(contentsOf: index(machine))
        try machine.remove("b/in/g")
        for drive in ["b", "a"] { #expect(try machine.run("sync", drive).code == 0) }
        // Put back as backups do: another file by the name.
        try lose(machine, .removed, older: older)
        try older.write(to: index(machine))
        #expect(try machine.run("sync", "a").code == 0)
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: "\(machine.root)/a/.docdrive/trash").first)
        let listed = try machine.run("-C", "a", "trash", "ls", "--jsonl").output
        #expect(listed.contains(name), "\(listed)")
    }

    /// Nor does one of before something was taken out of the trash offer what is not there.
    @Test func anOlderIndexOffersNothingThatLeftTheTrash() throws {
        let machine = try Machine()
        try machine.twoDrives(["in/f": "0\n", "in/g": "g\n"])
        try machine.remove("b/in/g")
        for drive in ["b", "a"] { #expect(try machine.run("sync", drive).code == 0) }
        #expect(try machine.run("-C", "a", "why", "in/g").output.contains("trash restore"))
        let older = try Data(contentsOf: index(machine))
        #expect(try machine.run("-C", "a", "trash", "empty", "--yes").code == 0)
        try lose(machine, .older, older: older)
        for _ in 0..<2 {
            #expect(try machine.run("-C", "a", "trash", "ls").output == "The trash is empty.\n")
            #expect(try machine.run("-C", "a", "trash", "restore", "in/g").code == 64)
            let why = try machine.run("-C", "a", "why", "in/g").output
            #expect(!why.contains("trash restore"), "\(why)")
            #expect(try machine.run("sync", "a").code == 0)
        }
        // The store has it still.
        #expect(try machine.run("-C", "a", "restore", "in/g").code == 0)
        #expect(machine.read("a/in/g") == "g\n")
    }

    @Test(arguments: Loss.allCases) func whatOnlyItKnewGoesToTheTrash(_ loss: Loss) throws {
        let machine = try Machine()
        try machine.twoDrives(["in/f": "0\n"])
        let older = try Data(contentsOf: index(machine))
        try machine.move("store", to: "gone")
        try work(machine)
        try lose(machine, loss, older: older)
        // An older one makes records of its own now, by numbers that it had before.
        _ = try machine.run("sync", "a")
        #expect(rescued(machine).isEmpty)
        try machine.move("gone", to: "store")
        _ = try machine.run("sync", "a")
        #expect(rescued(machine) == ["1\n", "2\n", "only here\n"])
        let log = try machine.run("-C", "a", "log").output
        #expect(log.contains("3 versions that the store never got"), "\(log)")
        // A new index takes the file for another one than the store's, so that it may have become a conflict copy.
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(machine.root)/a/in")
        let versions = try names.map { try machine.run("versions", "a/in/\($0)").output }.joined()
        #expect(versions.split(separator: "\n").count { $0.contains("in the trash") } == 2, "\(versions)")
        #expect(try machine.run("restore", "a/in/note").code == 0)
        #expect(machine.read("a/in/note") == "only here\n")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try unsent(machine).isEmpty)
        #expect(rescued(machine).count <= 3)
    }

    /// Parts of which the store has.
    @Test func ofALargeFileWhatTheStoreHasIsTakenFromIt() throws {
        let machine = try Machine()
        try machine.twoDrives()
        var older = Data()
        let bytes = try machine.loseALargeFileWhileTheStoreIsAway { older = try Data(contentsOf: index(machine)) }
        try lose(machine, .older, older: older)
        try machine.move("gone", to: "store")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.trashHolds(bytes))
    }

    @Test func whatTheIndexKnowsIsSentAndGoesToNoTrash() throws {
        let machine = try Machine()
        try machine.twoDrives(["in/f": "0\n"])
        try machine.move("store", to: "gone")
        try work(machine)
        try machine.move("gone", to: "store")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(rescued(machine).isEmpty)
        let versions = try machine.run("versions", "a/in/f").output
        #expect(versions.split(separator: "\n").count == 4, "\(versions)")
        #expect(try unsent(machine).isEmpty)
    }

    /// Nor is it dropped.
    @Test func whatCannotBeReadIsNamed() throws {
        let machine = try Machine()
        try machine.twoDrives(["in/f": "0\n"])
        let older = try Data(contentsOf: index(machine))
        try machine.move("store", to: "gone")
        try edit(machine, ["1\n", "2\n"])
        let place = try "\(machine.root)/a/.docdrive/" + #require(unsent(machine).first)
        let objects = FileManager.default.enumerator(atPath: place)?.compactMap { $0 as? String } ?? []
        var packs: [String] = []
        for object in objects where object.contains("/pack/") {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(place)/\(object)", isDirectory: &isFolder)
            if isFolder.boolValue { continue }
            #expect(truncate("\(place)/\(object)", 1) == 0)
            packs.append(object)
        }
        #expect(packs.count == 2)
        try lose(machine, .removed, older: older)
        try machine.move("gone", to: "store")
        for _ in 0..<2 { _ = try machine.run("sync", "a") }
        #expect(rescued(machine).isEmpty)
        for pack in packs { #expect(FileManager.default.fileExists(atPath: "\(place)/\(pack)")) }
        let doctor = try machine.run("-C", "a", "doctor").output
        #expect(doctor.contains("are left in \(place)") && doctor.contains("run `docdrive -C a sync`"), "\(doctor)")
    }

    @Test(arguments: Loss.allCases) func aPauseOutlastsIt(_ loss: Loss) throws {
        let machine = try Machine()
        try machine.twoDrives()
        let older = try Data(contentsOf: index(machine))
        #expect(try machine.run("-C", "a", "pause").code == 0)
        try lose(machine, loss, older: older)
        // What somebody asks for works all the same.
        #expect(try machine.run("sync", "a").code == 0)
        let status = try machine.run("-C", "a", "status").output
        #expect(status.contains("Paused   nothing is sent"), "\(status)")
        #expect(try machine.run("-C", "a", "resume").output == "resumed\n")
        try lose(machine, loss, older: older)
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("-C", "a", "resume").output == "the drive was not paused\n")
    }

    /// Everybody could read what is in it then.
    @Test(arguments: Loss.allCases) func thatAFolderWasClosedOutlastsIt(_ loss: Loss) throws {
        let machine = try Machine()
        try machine.twoDrives(["p/priv/in/secret": "s\n", "p/open": "o\n"])
        func permissions(_ path: String) -> mode_t {
            var facts = stat()
            return stat("\(machine.root)/\(path)", &facts) == 0 ? facts.st_mode & 0o777 : 0
        }
        chmod("\(machine.root)/a/p/priv", 0o700)
        chmod("\(machine.root)/a/p/priv/in", 0o750)
        #expect(try machine.run("sync", "a").code == 0)
        let older = try Data(contentsOf: index(machine))
        try machine.remove("b/p/priv")
        for drive in ["b", "a"] { #expect(try machine.run("sync", drive).code == 0) }
        #expect(permissions("a/p/priv") == 0)
        try lose(machine, loss, older: older)
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("restore", "b/p/priv").code == 0)
        try machine.settle()
        #expect(machine.read("a/p/priv/in/secret") == "s\n")
        #expect(permissions("a/p/priv") == 0o700 && permissions("a/p/priv/in") == 0o750)
    }

    /// A watch would say nothing, and send nothing, until somebody looks.
    @Test func whatWasResumedStaysSoWithAnOlderIndex() throws {
        let machine = try Machine()
        try machine.twoDrives()
        #expect(try machine.run("-C", "a", "pause").code == 0)
        let older = try Data(contentsOf: index(machine))
        #expect(try machine.run("-C", "a", "resume").code == 0)
        try lose(machine, .older, older: older)
        #expect(try machine.run("sync", "a").code == 0)
        let status = try machine.run("-C", "a", "status").output
        #expect(!status.contains("Paused"), "\(status)")
    }

    /// Before any pass has met the index that is older.
    @Test func whoLeavesTheStoreTakesItAlong() throws {
        let machine = try Machine()
        try machine.twoDrives(["in/f": "0\n"])
        let older = try Data(contentsOf: index(machine))
        try machine.move("store", to: "gone")
        try work(machine)
        try lose(machine, .older, older: older)
        let connected = try machine.connectAnew("a", to: "other")
        #expect(connected.code == 0, "\(connected)")
        #expect(rescued(machine).isSuperset(of: ["1\n", "2\n", "only here\n"]))
        #expect(try unsent(machine).isEmpty)
    }
}
