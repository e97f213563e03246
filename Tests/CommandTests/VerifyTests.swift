import Foundation
import TestSupport
import Testing

/// Bit flips in files and in the index, with the real program.
@Suite(.mayBlock)
struct VerifyTests {
    private static let isQuiet: Comment = "no tmpfs at /dev/shm: elsewhere a map leaves a trace in a file's dates"

    private func machine() throws -> Machine {
        let machine = try Machine(in: Damage.quietPlace ?? NSTemporaryDirectory())
        try machine.twoDrives(["Letter.txt": "dear Ada\n", "Sub/Note": "a note\n"])
        return machine
    }

    @Test func awholeDriveHasNoDamage() throws {
        let machine = try machine()
        let result = try machine.run("-C", "a", "verify")
        #expect(result.code == 0)
        #expect(result.output.hasSuffix("; no damage\n"), "\(result.output)")
        try machine.write("edited\n", to: "a/Letter.txt")
        let edited = try machine.run("-C", "a", "verify")
        #expect(edited.code == 0)
        #expect(edited.output.contains("1 edited since the last sync; no damage"), "\(edited.output)")
    }

    /// They are not there to be read, and nobody has edited them.
    @Test func whatIsDeletedAndHeldCountsAsNothing() throws {
        let machine = try Machine()
        try machine.twoDrives(Dictionary(uniqueKeysWithValues: (0..<30).map { ("D/\($0)", "\($0)") }))
        try machine.remove("a/D")
        #expect(try machine.run("-C", "a", "sync").code == 12)
        let result = try machine.run("-C", "a", "verify")
        #expect(result.code == 0 && !result.output.contains("edited since"), "\(result.output)")
    }

    /// Inodes and change times are others, dates are not.
    @Test func aDriveThatWasBroughtBackIsCompared() throws {
        let machine = try machine()
        let copy = "cd '\(machine.root)' && mv a lost && cp -a lost a"
        #expect(try machine.run(["-c", copy], program: "/bin/sh").code == 0)
        let whole = try machine.run("-C", "a", "verify")
        #expect(whole.code == 0 && whole.output.hasPrefix("3 files read"), "\(whole.output)")
        #expect(!whole.output.contains("edited since"), "\(whole.output)")

        let edit = "cd '\(machine.root)/a' && printf 'A note\n' > Sub/Note && touch -r ../lost/Sub/Note Sub/Note"
        #expect(try machine.run(["-c", edit], program: "/bin/sh").code == 0)
        let found = try machine.run("-C", "a", "verify")
        #expect(found.code == 65, "\(found.output)")
        #expect(
            found.output.hasPrefix("damaged  Sub/Note: its bytes changed, its size and modification time did not"),
            "\(found.output)")
        #expect(found.output.contains("`docdrive -C a restore Sub/Note` brings back"), "\(found.output)")
        #expect(!found.output.contains("--repair"), "\(found.output)")
        // It may be meant.
        let repair = try machine.run("-C", "a", "verify", "--repair")
        #expect(repair.code == 65 && machine.read("a/Sub/Note") == "A note\n", "\(repair.output)")
        #expect(try machine.run("-C", "a", "restore", "Sub/Note").code == 0)
        #expect(machine.read("a/Sub/Note") == "a note\n")
        #expect(try machine.run("-C", "a", "trash", "ls").output.contains("Sub/Note"))
        #expect(try machine.run("-C", "a", "verify").code == 0)
    }

    @Test(.enabled(if: Damage.quietPlace != nil, isQuiet))
    func aFlippedBitInAFileIsNamedAndHealedFromTheStore() throws {
        let machine = try machine()
        try machine.flipBit(9, of: "a/Letter.txt")
        let wrong = try #require(machine.read("a/Letter.txt"))
        #expect(wrong != "dear Ada\n")
        // A sync sees nothing of it, and sends nothing.
        #expect(try machine.run("sync", "a").output.contains("nothing to do"))
        let found = try machine.run("-C", "a", "verify")
        #expect(found.code == 65)
        #expect(found.output.hasPrefix("damaged  Letter.txt: its bytes changed"), "\(found.output)")
        #expect(try machine.run("-C", "a", "verify", "Sub").code == 0)
        let lines = try machine.run("-C", "a", "verify", "--jsonl").output.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].contains("\"path\":\"Letter.txt\""), "\(lines)")
        #expect(machine.read("a/Letter.txt") == wrong)

        let repaired = try machine.run("-C", "a", "verify", "--repair")
        #expect(repaired.code == 0, "\(repaired.output) \(repaired.error)")
        #expect(machine.read("a/Letter.txt") == "dear Ada\n")
        #expect(try machine.run("-C", "a", "verify").code == 0)
        // What a program may have written on purpose is not lost.
        #expect(try machine.run("-C", "a", "trash", "restore", "Letter.txt").code == 0)
        #expect(machine.files("a")["Letter (restored).txt"] == wrong)
        #expect(machine.files("a")["Letter.txt"] == "dear Ada\n")
        #expect(machine.files("b")["Letter.txt"] == "dear Ada\n")
    }

    @Test(.enabled(if: Damage.quietPlace != nil, isQuiet))
    func whatItFoundIsToldElsewhereUntilItIsFoundWhole() throws {
        let machine = try machine()
        try machine.flipBit(9, of: "a/Letter.txt")
        #expect(try machine.run("-C", "a", "verify", "Sub").code == 0)
        #expect(try machine.run("why", "a/Letter.txt").output.hasPrefix("S Letter.txt"))
        #expect(try machine.run("-C", "a", "verify").code == 65)
        // A second look tells nothing new.
        #expect(try machine.run("-C", "a", "verify").code == 65)
        #expect(try machine.run("-C", "a", "verify", "Sub").code == 0)
        let status = try machine.run("-C", "a", "status", "--check")
        #expect(
            status.code == 1 && status.output.contains("!        Letter.txt: its bytes changed"), "\(status.output)")
        #expect(!status.output.contains("Note "), "\(status.output)")
        #expect(try machine.run("why", "a/Letter.txt", "--json").output.contains("\"cause\" : \"damaged-file\""))
        let log = try machine.run("-C", "a", "log", "Letter.txt").output
        #expect(log.components(separatedBy: "error       Letter.txt  its bytes changed").count == 2, "\(log)")

        try machine.flipBit(9, of: "a/Letter.txt")
        #expect(try machine.run("-C", "a", "verify").code == 0)
        #expect(try machine.run("-C", "a", "status", "--check").code == 0)
        let why = try machine.run("why", "a/Letter.txt", "--json").output
        #expect(why.contains("\"cause\" : \"in-step\""), "\(why)")
        #expect(try machine.run("-C", "a", "log", "Letter.txt").output.contains("recovered   Letter.txt  It was read"))
    }

    @Test(.enabled(if: Damage.quietPlace != nil, isQuiet))
    func aRunningWatchKeepsWhatWasFound() throws {
        let machine = try machine()
        let watch = try machine.watch("a")
        defer { watch.end() }
        #expect(try machine.run("sync", "a").code == 0)
        try machine.flipBit(9, of: "a/Letter.txt")
        let found = try machine.run("-C", "a", "verify")
        #expect(found.code == 65 && found.error.isEmpty, "\(found.error)")
        #expect(try machine.run("-C", "a", "status").output.contains("!        Letter.txt: its bytes changed"))
        #expect(try machine.run("-C", "a", "verify", "--repair").code == 0)
        #expect(try machine.run("-C", "a", "status", "--check").code == 0)
        let why = try machine.run("why", "a/Letter.txt", "--json").output
        #expect(why.contains("\"cause\" : \"in-step\""), "\(why)")
    }

    @Test func aDamagedJournalInTheStoreIsNamedWithTheCommandThatMendsIt() throws {
        let machine = try machine()
        for log in machine.objects("log") { try machine.flipBit(200, of: log) }
        let found = try machine.run("-C", "a", "verify")
        #expect(found.code == 65, "\(found.output)")
        let part = "damaged in the store: part of this device's journal"
        #expect(found.output.hasPrefix("journal  log/") && found.output.contains(part), "\(found.output)")
        #expect(found.output.contains("; no damage here\n"), "\(found.output)")
        #expect(found.output.contains("`docdrive -C a store check` names all of it"), "\(found.output)")
        #expect(!found.output.contains("verify --repair"), "\(found.output)")
        // Not what it mends.
        #expect(try machine.run("-C", "a", "verify", "--repair").code == 65)
        let json = try machine.run("-C", "a", "verify", "--json").output
        #expect(json.contains("\"what\" : \"journal\"") && json.contains("\"object\" : \"log/"), "\(json)")
        for folder in ["a", "b"] { _ = try machine.run("-C", folder, "store", "check", "--repair") }
        let after = try machine.run("-C", "a", "verify")
        #expect(after.code == 0 && after.output.hasSuffix("; no damage\n"), "\(after.output)")
    }

    /// The file is damaged here and the store has lost it; another device stores it again. No advice lets the damage go on to others.
    @Test(.enabled(if: Damage.quietPlace != nil, isQuiet))
    func whatAnotherDeviceHasStoredAgainHealsTheFile() throws {
        let machine = try machine()
        try machine.write(String(repeating: "thesis ", count: 60_000), to: "a/Thesis")
        try machine.settle()
        let whole = try #require(machine.read("b/Thesis"))
        for blob in machine.objects("blob") { try machine.remove(blob) }
        try machine.flipBit(9, of: "a/Thesis")
        let failed = try machine.run("-C", "a", "verify", "--repair")
        #expect(
            failed.code == 65
                && failed.output.contains("`docdrive store check --repair` there, then `docdrive -C a verify"),
            "\(failed.output)")
        _ = try machine.run("store", "check", "a", "--repair")
        let why = try machine.run("why", "a/Thesis").output
        #expect(why.contains("verify --repair") && !why.contains("touch"), "\(why)")
        #expect(try machine.run("store", "check", "b", "--repair").code == 0)
        let repaired = try machine.run("-C", "a", "verify", "--repair")
        #expect(repaired.code == 0, "\(repaired.output)\(repaired.error)")
        try machine.settle()
        for drive in ["a", "b"] { #expect(machine.read("\(drive)/Thesis") == whole) }
    }

    @Test(.enabled(if: Damage.quietPlace != nil, isQuiet))
    func whatIsTouchedIsKeptAsItIs() throws {
        let machine = try machine()
        try machine.flipBit(9, of: "a/Letter.txt")
        let meant = try #require(machine.read("a/Letter.txt"))
        try FileManager.default.setAttributes(
            [.modificationDate: Date()], ofItemAtPath: "\(machine.root)/a/Letter.txt")
        #expect(try machine.run("-C", "a", "verify", "--repair").code == 0)
        try machine.settle()
        #expect(machine.read("a/Letter.txt") == meant)
        #expect(machine.read("b/Letter.txt") == meant)
    }

    @Test(.enabled(if: Damage.quietPlace != nil, isQuiet))
    func whatTheStoreLacksIsNamedAndNotTouched() throws {
        let machine = try machine()
        try machine.flipBit(9, of: "a/Letter.txt")
        let wrong = machine.read("a/Letter.txt")
        for pack in machine.objects("pack") { try machine.remove(pack) }
        let result = try machine.run("-C", "a", "verify", "--repair")
        #expect(result.code == 65)
        #expect(
            result.output.contains("Letter.txt: not repaired: the store does not have it whole"), "\(result.output)")
        #expect(machine.read("a/Letter.txt") == wrong)
        #expect(try machine.run("-C", "a", "trash", "ls").output == "The trash is empty.\n")
        // The second device has it, and then the first one can be repaired.
        #expect(try machine.run("-C", "b", "store", "check", "--repair").code == 0)
        try machine.settle()
        #expect(try machine.run("-C", "a", "verify", "--repair").code == 0)
        #expect(machine.files("a") == machine.files("b"))
    }

    @Test(.enabled(if: Damage.quietPlace != nil, isQuiet))
    func aRunningWatchRepairs() throws {
        let machine = try machine()
        let watch = try machine.start("watch", "a")
        defer { watch.signal(SIGKILL) }
        #expect(try eventually { try machine.run("-C", "a", "status").output.contains("Running  process") })
        #expect(try machine.run("sync", "a").code == 0)
        try machine.flipBit(9, of: "a/Letter.txt")
        let result = try machine.run("-C", "a", "verify", "--repair")
        #expect(result.code == 0, "\(result.output) \(result.error)")
        #expect(machine.read("a/Letter.txt") == "dear Ada\n")
        watch.signal(SIGTERM)
        _ = watch.finish()
        #expect(try machine.run("sync", "b").code == 0)
        #expect(machine.files("b") == machine.files("a"))
    }

    /// A bit in every page, one after the other: each is named, and after the repair folder and store are as they were; or
    /// it changes nothing that anybody could see.
    @Test func aFlippedBitInAnyIndexPageIsFoundOrHarmless() throws {
        let machine = try machine()
        let index = "\(machine.root)/a/.docdrive/index.sqlite"
        let clean = try Data(contentsOf: URL(fileURLWithPath: index))
        let all = machine.files("a")
        let plan = try machine.run("-C", "a", "ls", "-R", "--json").output
        var found = 0
        var harmless = 0
        for page in 0..<clean.count / 4096 {
            var bytes = clean
            // Cells lie at a page's end, headers at its beginning.
            let place = page % 3 == 0 ? page * 4096 + 5 : page * 4096 + 4096 - 11 - page % 40
            bytes[place] ^= 1 << UInt8(page % 8)
            for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: index + ending) }
            try bytes.write(to: URL(fileURLWithPath: index))
            let result = try machine.run("-C", "a", "verify")
            if result.code == 0 {
                harmless += 1
                #expect(try machine.run("-C", "a", "ls", "-R", "--json").output == plan, "page \(page)")
            } else {
                found += 1
                #expect([65].contains(result.code), "page \(page): \(result.code) \(result.error)")
                #expect(result.output.contains("index"), "\(result.output)")
            }
        }
        print("index pages: \(found) flips found, \(harmless) harmless")
        #expect(found > 5, "found \(found), harmless \(harmless)")
        // The last flip, and a page that cannot be read at all.
        var bytes = clean
        for place in stride(from: 4096, to: bytes.count, by: 4096) { bytes[place] = 0xFF }
        try bytes.write(to: URL(fileURLWithPath: index))
        #expect(try machine.run("-C", "a", "verify").code == 65)
        let repaired = try machine.run("-C", "a", "verify", "--repair")
        #expect(repaired.code == 0, "\(repaired.output) \(repaired.error)")
        try machine.settle()
        #expect(machine.files("a") == all)
        #expect(machine.files("b") == all)
        #expect(try machine.run("-C", "a", "verify").code == 0)
        #expect(try machine.run("-C", "a", "trash", "ls").output == "The trash is empty.\n")
    }

    @Test(arguments: [0, 100, 20_000])
    func aTruncatedIndexIsMadeAnew(size: Int) throws {
        let machine = try machine()
        let all = machine.files("a")
        let index = "\(machine.root)/a/.docdrive/index.sqlite"
        for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: index + ending) }
        #expect(truncate(index, size) == 0)
        #expect(try machine.run("-C", "a", "verify").code == 65)
        let repaired = try machine.run("-C", "a", "verify", "--repair")
        #expect(repaired.code == 0, "\(repaired.output) \(repaired.error)")
        try machine.settle()
        #expect(machine.files("a") == all)
        #expect(machine.files("b") == all)
        #expect(try machine.run("-C", "a", "verify").code == 0)
    }

    @Test func theTrashOutlivesItsIndex() throws {
        let machine = try machine()
        try machine.remove("b/Letter.txt")
        try machine.settle()
        #expect(try machine.run("-C", "a", "trash", "ls").output.contains("Letter.txt"))
        let index = "\(machine.root)/a/.docdrive/index.sqlite"
        for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: index + ending) }
        try Data(repeating: 0x41, count: 9_000).write(to: URL(fileURLWithPath: index))
        #expect(try machine.run("-C", "a", "verify", "--repair").code == 0)
        let trash = try machine.run("-C", "a", "trash", "ls").output
        let id = try #require(trash.split(separator: " ").first.map(String.init))
        #expect(try machine.run("-C", "a", "trash", "restore", id).code == 0, "\(trash)")
        #expect(machine.files("a").values.contains("dear Ada\n"))
    }
}
