import Foundation
import TestSupport
import Testing

/// Files of which three devices made three contents.
@Suite(.mayBlock)
struct SeveralCopiesTests {
    private static let drives = ["a", "b", "c"]

    private func settle(_ machine: Machine) throws {
        for drive in Self.drives + Self.drives + ["a"] { _ = try machine.run("sync", drive) }
    }

    /// `texts` are those of the three devices, which send them in this order: the last has the name.
    private func conflicting(_ texts: [String], _ dates: [Double] = []) throws -> Machine {
        let machine = try Machine()
        try machine.twoDrives(["f": "old\n"])
        #expect(try machine.run("sync", "c", "--to", "store", "--yes", "--name", "gamma").code == 0)
        for (drive, text) in zip(Self.drives, texts) { try machine.write(text, to: "\(drive)/f") }
        for (drive, date) in zip(Self.drives, dates) {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000 + date)],
                ofItemAtPath: "\(machine.root)/\(drive)/f")
        }
        try settle(machine)
        #expect(Set(machine.files("a").values) == Set(texts))
        return machine
    }

    private func resolve(_ machine: Machine, _ words: String...) throws -> Machine.Result {
        let command = ["-C", "a", "conflicts", "resolve"] + words
        let trial = try machine.run(command + ["--dry-run"])
        let result = try machine.run(command)
        #expect(trial.code == result.code, "\(trial.output)\(result.output)")
        return result
    }

    /// The files are what they were, on all devices.
    private func isUndone(_ machine: Machine, _ before: [String: String]) throws {
        let undone = try machine.run("-C", "a", "undo", "--yes")
        #expect(undone.code == 0, "\(undone.output)\(undone.error)")
        try settle(machine)
        for drive in Self.drives { #expect(machine.files(drive) == before, "\(drive)") }
    }

    @Test func whatIsSuggestedLosesNoLine() throws {
        let machine = try conflicting(["l1\nby a\n", "l1\nby b\n", "l1\n"])
        let before = machine.files("a")
        let list = try machine.run("-C", "a", "conflicts").output
        #expect(before["f"] == "l1\n" && list.contains("ends up to 2 without loss"), "\(list)")
        let result = try resolve(machine, "--all", "--suggested")
        #expect(result.code == 2 && result.output.hasSuffix("1 conflict left.\n"), "\(result.output)")
        #expect(result.output.contains("another of its copies comes first"), "\(result.output)")
        try settle(machine)
        for drive in Self.drives {
            let files = machine.files(drive)
            #expect(Set(files.values) == ["l1\nby a\n", "l1\nby b\n"], "\(files)")
            #expect(try machine.run("-C", drive, "conflicts").output.contains("1 conflict."))
        }
        try isUndone(machine, before)
    }

    @Test func ofCopiesThatGrowTheOneWithAllLinesStays() throws {
        let machine = try conflicting(["l1\nby a\n", "l1\nby a\nby b\n", "l1\n"])
        let before = machine.files("a")
        let result = try resolve(machine, "--all", "--suggested")
        #expect(result.code == 0, "\(result.output)\(result.error)")
        try settle(machine)
        for drive in Self.drives { #expect(machine.files(drive) == ["f": "l1\nby a\nby b\n"]) }
        try isUndone(machine, before)
    }

    @Test(arguments: [["a", "b", "c"], ["b", "a", "c"], ["c", "b", "a"]])
    func theLargestOfAllStays(_ order: [String]) throws {
        let texts = ["a": String(repeating: "a", count: 300), "b": String(repeating: "b", count: 30), "c": "ccc"]
        let machine = try conflicting(order.compactMap { texts[$0] })
        let before = machine.files("a")
        let result = try resolve(machine, "f", "--keep", "largest")
        #expect(result.code == 0, "\(result.output)\(result.error)")
        try settle(machine)
        for drive in Self.drives { #expect(machine.files(drive) == ["f": texts["a"]]) }
        try isUndone(machine, before)
    }

    @Test(arguments: [[20, 30, 10], [30, 20, 10], [10, 20, 30]])
    func theNewestOfAllStays(_ dates: [Double]) throws {
        let texts = ["by a", "by b", "by c"]
        let machine = try conflicting(texts, dates)
        let result = try resolve(machine, "f", "--keep", "newest")
        #expect(result.code == 0, "\(result.output)\(result.error)")
        #expect(machine.files("a") == ["f": texts[dates.firstIndex(of: 30) ?? 0]])
    }

    @Test func oneCopyOfSeveralHasToBeNamed() throws {
        let machine = try conflicting(["by a", "by b", "by c"])
        let before = machine.files("a")
        let result = try resolve(machine, "f", "--keep", "copy")
        #expect(result.code == 2 && machine.files("a") == before, "\(result.output)")
        #expect(result.output.contains("f: left as it is: 2 contend for its name; `docdrive -C a conflicts resolve "))
        #expect(result.output.hasSuffix("--keep copy` takes that by beta\n2 conflicts left.\n"), "\(result.output)")
        let copy = try #require(before.first { $0.value == "by a" }?.key)
        #expect(try resolve(machine, copy, "--keep", "copy").code == 0)
        try settle(machine)
        for drive in Self.drives {
            #expect(machine.files(drive).values.sorted() == ["by a", "by b"])
            #expect(machine.read("\(drive)/f") == "by a")
        }
        try isUndone(machine, before)
    }
}
