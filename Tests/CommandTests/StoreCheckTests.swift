import Foundation
import TestSupport
import Testing

/// Bit flips in every kind of object, with the real program: found, named, never delivered, healed by whoever has the
/// bytes.
@Suite(.mayBlock)
struct StoreCheckTests {
    /// More than 64 chunks, so that it has a list of chunks; and small ones in a pack.
    private func machine(large: Bool = false) throws -> Machine {
        let machine = try Machine()
        if large {
            try FileManager.default.createDirectory(atPath: "\(machine.root)/a", withIntermediateDirectories: true)
            var random = SystemRandomNumberGenerator()
            var bytes = Data(capacity: 90 << 20)
            for _ in 0..<(90 << 20) / 8 {
                withUnsafeBytes(of: random.next() as UInt64) { bytes.append(contentsOf: $0) }
            }
            try bytes.write(to: URL(fileURLWithPath: "\(machine.root)/a/Film"))
        }
        try machine.twoDrives(["Letter.txt": "dear Ada\n", "Sub/Note": "a note\n"])
        return machine
    }

    private func check(_ machine: Machine, _ folder: String, _ options: String...) throws -> Machine.Result {
        try machine.run(["-C", folder, "store", "check"] + options)
    }

    private func join(_ machine: Machine, _ folder: String) throws -> Machine.Result {
        try machine.run("sync", folder, "--to", "store", "--yes", "--name", folder)
    }

    @Test func awholeStoreHasNoDamage() throws {
        let machine = try machine()
        for option in [[], ["--quick"], ["--repair"]] {
            let result = try machine.run(["-C", "a", "store", "check"] + option)
            #expect(result.code == 0)
            #expect(result.output.hasSuffix("; no damage\n"), "\(result.output)")
        }
    }

    @Test(arguments: [false, true])
    func aDamagedOrMissingPackIsNamedNeverDeliveredAndHealedByTheOtherDevice(isMissing: Bool) throws {
        let machine = try machine()
        for pack in machine.objects("pack") {
            // The first bytes of each hold the first file.
            for bit in stride(from: 32, to: 8_000, by: 64) { try machine.flipBit(bit, of: pack) }
            if isMissing { try machine.remove(pack) }
        }
        let found = try check(machine, "b")
        #expect(found.code == 65)
        #expect(found.output.contains(isMissing ? "missing pack/" : "damaged pack/"), "\(found.output)")
        #expect(found.output.contains("Letter.txt"), "\(found.output)")
        #expect(try check(machine, "b", "--quick").code == (isMissing ? 65 : 0))
        let newcomer = try join(machine, "c")
        #expect(newcomer.code == 2, "\(newcomer.output) \(newcomer.error)")
        for text in machine.files("c").values { #expect(["/", "dear Ada\n", "a note\n"].contains(text)) }
        // Who has nothing can repair nothing.
        #expect(try check(machine, "c", "--repair").code == 65)
        let repaired = try check(machine, "b", "--repair")
        #expect(repaired.code == 0, "\(repaired.output) \(repaired.error)")
        #expect(try check(machine, "a").code == 0)
        #expect(try machine.run("sync", "c").code == 0)
        #expect(machine.files("c") == machine.files("a"))
        try machine.settle()
        #expect(machine.files("a") == machine.files("b"))
        #expect(try machine.run("-C", "a", "trash", "ls").output == "The trash is empty.\n")
    }

    /// New here, an edit, and one side of a conflict, of which the store has lost the contents before anybody brought them.
    @Test(arguments: [[], ["--jsonl"]])
    func whatNobodyHasIsGivenUp(format: [String]) throws {
        let machine = try machine()
        try machine.write("of b\n", to: "b/Sub/Both.txt")
        let old = Set(contents(machine))
        for (path, text) in [("New.txt", "new\n"), ("Letter.txt", "dear Bob\n"), ("Sub/Both.txt", "of a\n")] {
            try machine.write(text, to: "a/\(path)")
        }
        #expect(try machine.run("sync", "a").code == 0)
        for object in contents(machine) where !old.contains(object) { try machine.remove(object) }
        #expect(try machine.run("sync", "b").code == 2)
        let asked = try check(machine, "b", "--give-up")
        #expect(asked.code == 64)
        #expect(asked.error.contains("say --yes"), "\(asked.error)")
        #expect(asked.output.contains("Sub/Both.txt"), "\(asked.output)")
        let result = try machine.run(["-C", "b", "store", "check", "--give-up", "--yes"] + format)
        #expect(result.code == 0, "\(result.output) \(result.error)")
        if format.isEmpty {
            #expect(result.output.contains("\nNew.txt: deleted: its content is given up\n"), "\(result.output)")
            #expect(result.output.contains("\nSub/Both.txt: deleted: its content is given up\n"), "\(result.output)")
            #expect(result.output.contains("\nLetter.txt: what lies here counts from now on\n"), "\(result.output)")
        } else {
            #expect(result.output.contains(#""givenUp":true"#), "\(result.output)")
        }
        let left = machine.files("b")
        #expect(left["Letter.txt"] == "dear Ada\n")
        #expect(left["New.txt"] == nil)
        #expect(left.values.contains("of b\n"))
        let status = try machine.run("-C", "b", "status").output
        #expect(status.contains("Everything is in step."), "\(status)")
        // Whoever has them keeps them in the trash, and can bring them back.
        try machine.settle()
        #expect(machine.files("a") == machine.files("b"))
        let trash = try machine.run("-C", "a", "trash", "ls").output
        for name in ["New.txt", "Letter.txt"] { #expect(trash.contains(name), "\(trash)") }
        #expect(try machine.run("-C", "a", "restore", "New.txt").code == 0)
        try machine.settle()
        #expect(machine.files("b")["New.txt"] == "new\n")
    }

    /// Nobody deleted the file, and nobody has what was given up.
    @Test func whatWasGivenUpIsNotOnTheStore() throws {
        let machine = try machine()
        let old = Set(contents(machine))
        try machine.write("dear Bob\n", to: "a/Letter.txt")
        #expect(try machine.run("sync", "a").code == 0)
        for object in contents(machine) where !old.contains(object) { try machine.remove(object) }
        #expect(try machine.run("sync", "b").code == 2)
        #expect(try machine.run("-C", "b", "store", "check", "--give-up", "--yes").code == 0)
        let versions = try machine.run("-C", "b", "versions", "Letter.txt").output
        #expect(versions.hasSuffix("replaced, not on the store any more\n"), "\(versions)")
        let id = try #require(versions.split(separator: "\n").last).prefix(8)
        let restore = try machine.run("-C", "b", "restore", "Letter.txt@\(id)", "--dry-run")
        #expect(restore.code == 64 && restore.error.contains("what it held is not kept anywhere"), "\(restore)")
        // Whoever has it yet brings it back to the store, as another content.
        try machine.settle()
        let trash = try machine.run("-C", "a", "versions", "Letter.txt").output
        #expect(trash.contains(", in the trash"), "\(trash)")
    }

    /// Two edits of one file, of which one is lost.
    @Test func aConflictGoesOnWithoutTheSideThatIsLost() throws {
        let machine = try machine()
        let old = Set(contents(machine))
        try machine.write("dear Bob\n", to: "a/Letter.txt")
        #expect(try machine.run("sync", "a").code == 0)
        for object in contents(machine) where !old.contains(object) { try machine.remove(object) }
        try machine.write("dear Eve\n", to: "b/Letter.txt")
        #expect(try machine.run("sync", "b").code == 2)
        let result = try check(machine, "b", "--give-up", "--yes")
        #expect(result.code == 0, "\(result.output) \(result.error)")
        #expect(
            result.output.contains("\nLetter.txt: goes on without the content that is given up\n"), "\(result.output)")
        try machine.settle()
        #expect(machine.files("b")["Letter.txt"] == "dear Eve\n")
        #expect(machine.files("a") == machine.files("b"))
        #expect(try machine.run("-C", "a", "trash", "ls").output.contains("Letter.txt"))
    }

    @Test func nothingIsGivenUpThatThisDeviceHas() throws {
        let machine = try machine()
        for object in contents(machine) { try machine.remove(object) }
        let result = try check(machine, "b", "--give-up")
        #expect(result.code == 0, "\(result.output) \(result.error)")
        #expect(!result.output.contains("given up"), "\(result.output)")
        #expect(machine.files("b").values.contains("dear Ada\n"))
    }

    private func contents(_ machine: Machine) -> [String] { machine.objects("pack") + machine.objects("blob") }

    @Test func aDamagedSegmentIsPublishedAnewByItsDevice() throws {
        let machine = try machine()
        for segment in machine.objects("log") { try machine.flipBit(900, of: segment) }
        let found = try check(machine, "a")
        #expect(found.code == 65)
        #expect(found.output.contains("part of this device's journal"), "\(found.output)")
        #expect(try join(machine, "c").code == 2)
        #expect(machine.files("c").isEmpty)
        #expect(try check(machine, "a", "--repair").code == 0)
        #expect(try machine.run("sync", "c").code == 0)
        #expect(machine.files("c") == machine.files("a"))
        try machine.settle()
        #expect(machine.files("b") == machine.files("a"))
    }

    @Test func whatAnotherJournalLostIsPublishedByWhoHasReadIt() throws {
        let machine = try machine()
        for segment in machine.objects("log") { try machine.flipBit(900, of: segment) }
        // Only its own device can mend the journal itself: the answer stays no.
        let repaired = try check(machine, "b", "--repair")
        #expect(repaired.code == 65)
        #expect(repaired.output.contains("the journal of alpha"), "\(repaired.output)")
        _ = try join(machine, "c")
        #expect(machine.files("c") == machine.files("b"))
        // Not again and again.
        let size = machine.objects("log").count
        _ = try check(machine, "b", "--repair")
        #expect(machine.objects("log").count == size)
        #expect(try check(machine, "a", "--repair").code == 0)
        #expect(try check(machine, "b").code == 0)
        try machine.settle()
        #expect(try machine.run("sync", "c").code == 0)
        #expect(machine.files("c") == machine.files("a"))
    }

    @Test func damagedHeadsArePutAnew() throws {
        let machine = try machine()
        for head in machine.objects("head") { try machine.flipBit(300, of: head) }
        let found = try check(machine, "a")
        #expect(found.code == 65)
        #expect(found.output.contains("damaged head/"), "\(found.output)")
        #expect(try join(machine, "c").code == 2)
        #expect(machine.files("c").isEmpty)
        // Each puts its own.
        #expect(try check(machine, "a", "--repair").code == 65)
        #expect(try check(machine, "b", "--repair").code == 0)
        #expect(try machine.run("sync", "c").code == 0)
        #expect(machine.files("c") == machine.files("a"))
    }

    @Test func aDamagedFormatObjectIsPutAnewByAnybody() throws {
        let machine = try machine()
        let format = try #require(machine.objects("format").first)
        let before = FileManager.default.contents(atPath: "\(machine.root)/\(format)")
        try machine.flipBit(200, of: format)
        let sync = try machine.run("sync", "b")
        #expect(sync.code == 65)
        #expect(sync.error.contains("docdrive -C b store check --repair"), "\(sync.error)")
        #expect(try check(machine, "b").output.contains("damaged format"))
        #expect(try check(machine, "b", "--repair").code == 0)
        #expect(FileManager.default.contents(atPath: "\(machine.root)/\(format)") == before)
        #expect(try machine.run("sync", "b").code == 0)
    }

    @Test func anEmptyFolderInItsPlaceGivesWay() throws {
        let machine = try machine()
        let format = try #require(machine.objects("format").first)
        try machine.remove(format)
        try FileManager.default.createDirectory(
            atPath: "\(machine.root)/\(format)", withIntermediateDirectories: false)
        #expect(try machine.run("sync", "b").code == 65)
        #expect(try check(machine, "b", "--repair").code == 0)
        #expect(try machine.run("sync", "b").code == 0)
    }

    @Test func chunksAndListsOfLargeFilesAreHealed() throws {
        let machine = try machine(large: true)
        let old = Set(machine.objects("blob"))
        #expect(old.count > 64)
        // The list is small: it lies in a pack, beside the small files, and so may the end of the file.
        try machine.flipBit(4_000, of: try #require(machine.objects("pack").first))
        try heal(machine, "Film")
        // Where it was the list, nobody knew which chunks were the file's: all were stored again.
        let blobs = machine.objects("blob")
        try machine.flipBit(4_000, of: try #require(blobs.first { !old.contains($0) } ?? blobs.first))
        try heal(machine, "Film")
        #expect(try join(machine, "c").code == 0)
        #expect(
            FileManager.default.contentsEqual(
                atPath: "\(machine.root)/a/Film", andPath: "\(machine.root)/c/Film"))
    }

    private func heal(_ machine: Machine, _ path: String) throws {
        let found = try check(machine, "b")
        #expect(found.code == 65)
        #expect(found.output.contains(path), "\(found.output)")
        let repaired = try check(machine, "b", "--repair")
        #expect(repaired.code == 0, "\(repaired.output) \(repaired.error)")
    }

    /// One object after the other, whatever it is: found, or needed by nobody.
    @Test func anyFlippedBitIsFoundAndHealed() throws {
        let machine = try machine()
        try machine.write("from b\n", to: "b/Other")
        try machine.settle()
        let all = machine.files("a")
        var found = 0
        for round in 0..<24 {
            let objects = machine.objects("")
            let object = objects[(round * 7) % objects.count]
            let size = FileManager.default.contents(atPath: "\(machine.root)/\(object)")?.count ?? 0
            try machine.flipBit((round * 2_654_435_761) % (size * 8), of: object)
            let result = try check(machine, "b")
            if result.code == 65 { found += 1 }
            let newcomer = "c\(round)"
            let joined = try join(machine, newcomer)
            let delivered = machine.files(newcomer)
            for (path, text) in delivered { #expect(all[path] == text, "\(object): \(path)") }
            if result.code == 0 { #expect(joined.code == 0 && delivered == all, "\(object): \(joined.error)") }
            let newcomers = (0...round).map { "c\($0)" }.filter { joined.code == 0 || $0 != newcomer }
            for folder in ["b", "a"] + newcomers where machine.files(folder) != [:] {
                if try check(machine, "b").code == 0 { break }
                _ = try check(machine, folder, "--repair")
            }
            let after = try check(machine, "b")
            #expect(after.code == 0, "\(object): \(after.output)")
            if joined.code == 64 || joined.code == 65 { continue }
            #expect(try machine.run("sync", newcomer).code == 0)
            #expect(machine.files(newcomer) == all, "\(object)")
        }
        print("objects of the store: \(found) of 24 flips found, the others in what nothing needs")
        #expect(found > 12)
        try machine.settle()
        #expect(machine.files("a") == all)
        #expect(machine.files("b") == all)
    }

    @Test func whatNothingRefersToIsCounted() throws {
        let machine = try machine()
        let pack = try #require(machine.objects("pack").first)
        let orphan = String(pack.dropLast(4)) + "0000"
        try FileManager.default.copyItem(
            atPath: "\(machine.root)/\(pack)", toPath: "\(machine.root)/\(orphan)")
        let result = try check(machine, "a")
        #expect(result.code == 0)
        #expect(result.output.contains("1 that nothing refers to"), "\(result.output)")
        let json = try check(machine, "a", "--jsonl").output
        #expect(json.contains("\"unreferencedObjects\":1"), "\(json)")
        #expect(FileManager.default.fileExists(atPath: "\(machine.root)/\(orphan)"))
    }

    @Test func deletedFilesNeedNothing() throws {
        let machine = try machine()
        try machine.remove("a/Letter.txt")
        try machine.remove("a/Sub")
        try machine.remove("a/.driveignore")
        try machine.settle()
        for pack in machine.objects("pack") { try machine.remove(pack) }
        #expect(try check(machine, "a").code == 0)
    }
}
