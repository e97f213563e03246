import Foundation
import TestSupport
import Testing

/// What becomes of a search index that somebody damaged, emptied or removed.
@Suite(.mayBlock) struct SearchDamageTests {
    private static let file = "a/.docdrive/search.sqlite"

    enum Harm: CaseIterable { case removed, emptied, header }

    private func drive() throws -> Machine {
        let machine = try Machine()
        for number in 0..<5 { try machine.write("budget \(number)\n", to: "a/\(number).txt") }
        #expect(try machine.run("init", "a", "--yes").code == 0)
        return machine
    }

    private func count(_ machine: Machine, _ options: String...) throws -> String {
        let result = try machine.run(["find", "-C", "a", "-count", "text:budget"] + options)
        #expect(result.code == 0, "\(result.error)")
        return result.output.trimmingCharacters(in: .newlines)
    }

    private func note(_ machine: Machine) throws -> String { try machine.run("find", "-C", "a", "text:budget").error }

    private func harm(_ machine: Machine, _ harm: Harm) throws {
        if harm == .removed {
            for end in ["", "-wal", "-shm"] { try? machine.remove(Self.file + end) }
            return
        }
        let file = try #require(FileHandle(forWritingAtPath: "\(machine.root)/\(Self.file)"))
        if harm == .emptied {
            try file.truncate(atOffset: 0)
        } else {
            try file.write(contentsOf: Data(repeating: 0xFF, count: 100))
        }
        try file.close()
    }

    /// Where the index of words is; whoever opens the file sees nothing of it.
    private func harmWords(_ machine: Machine) throws {
        let place = "\(machine.root)/\(Self.file)"
        let bytes = try Data(contentsOf: URL(fileURLWithPath: place))
        let file = try #require(FileHandle(forWritingAtPath: place))
        var isFound = false
        for start in stride(from: 4_096, to: bytes.count, by: 4_096)
        where bytes[start..<min(start + 4_096, bytes.count)].range(of: Data("budget".utf8)) != nil {
            try file.seek(toOffset: UInt64(start))
            try file.write(contentsOf: Data(count: 4_096))
            isFound = true
        }
        try file.close()
        #expect(isFound)
    }

    @Test(arguments: Harm.allCases) func aWatchMakesItAnewAtItsNextTurn(_ kind: Harm) throws {
        let machine = try drive()
        let watch = try machine.watch("a")
        defer { watch.end() }
        #expect(try eventually { try count(machine) == "5" })
        try harm(machine, .removed)
        #expect(try count(machine, "--refresh") == "5")
        try harm(machine, kind)
        try machine.write("another budget\n", to: "a/new.txt")
        #expect(try eventually { try count(machine) == "6" })
        try harm(machine, kind)
        #expect(try count(machine, "--refresh") == "6")
        #expect(try !note(machine).contains("not read yet"))
    }

    /// Nothing changes in the folder, so that no pass tells it to read.
    @Test(arguments: [Harm.removed, .emptied]) func aWatchReadsWhatASearchSaysThatItReads(_ kind: Harm) throws {
        let machine = try drive()
        let watch = try machine.watch("a")
        defer { watch.end() }
        #expect(try eventually { try count(machine) == "5" })
        try harm(machine, kind)
        // By then they may have been read.
        let said = try note(machine)
        #expect(!said.contains("not read yet") || said.contains("they are being read"), "\(said)")
        #expect(try eventually { try count(machine) == "5" })
    }

    @Test func whatASearchMetIsMadeAnewByTheNextRefresh() throws {
        let machine = try drive()
        #expect(try count(machine, "--refresh") == "5")
        try harmWords(machine)
        let remedy = "damaged and was left out; `docdrive -C a find --refresh` reads them anew"
        #expect(try note(machine).contains(remedy))
        // As it was told, and not with what met the damage.
        let refresh = try machine.run("find", "-C", "a", "--refresh", "name:3")
        #expect(refresh.code == 0 && !refresh.error.contains("damaged"), "\(refresh)")
        #expect(try count(machine) == "5")
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(machine.root)/a/.docdrive")
        #expect(!files.contains { $0.hasPrefix("search.sqlite-damaged") })
    }

    @Test func aWatchMakesAnewWhatASearchMet() throws {
        let machine = try drive()
        #expect(try count(machine, "--refresh") == "5")
        let watch = try machine.watch("a")
        defer { watch.end() }
        try harmWords(machine)
        #expect(try note(machine).contains("damaged and was left out; they are being read anew"))
        #expect(try eventually { try count(machine) == "5" })
    }

    @Test func doctorFindsIt() throws {
        let machine = try drive()
        #expect(try machine.run("doctor", "a").output.contains("search index  no documents were read"))
        #expect(try count(machine, "--refresh") == "5")
        #expect(try machine.run("doctor", "a").output.contains("search index  sound"))
        try harmWords(machine)
        for _ in 0..<2 {
            let told = try machine.run("doctor", "a")
            #expect(told.code == 0 && told.output.contains("search index  what was read out of documents is damaged"))
            #expect(told.output.contains("`docdrive -C a find --refresh` reads them anew"), "\(told.output)")
        }
        #expect(try machine.run("find", "-C", "a", "--refresh", "name:3").code == 0)
        #expect(try machine.run("doctor", "a").output.contains("search index  sound"))
        #expect(try count(machine) == "5")
    }
}
