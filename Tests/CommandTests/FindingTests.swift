import Foundation
import TestSupport
import Testing

/// What `find` does with results: order, groups, saved searches, and going on.
@Suite(.mayBlock) struct FindingTests {
    private func drive() throws -> Machine {
        let machine = try Machine()
        try machine.write("# Plan\n", to: "a/Plan.md")
        try machine.write(String(repeating: "b", count: 300), to: "a/Papers/Budget.csv")
        try machine.write(String(repeating: "t", count: 200), to: "a/Papers/Thesis.txt")
        #expect(try machine.run("init", "a", "--yes").code == 0)
        return machine
    }

    @Test func resultsComeInTheOrderThatIsAskedFor() throws {
        let machine = try drive()
        let found = ["-C", "a", "find", "kind:document | ext:md | ext:csv | ext:txt"]
        #expect(
            try machine.run(found + ["--sort", "-size"]).output
                == "Papers/Budget.csv\nPapers/Thesis.txt\nPlan.md\n")
        #expect(try machine.run(found + ["--sort", "size", "--limit", "1"]).output == "Plan.md\n")
        #expect(try machine.run(found + ["--sort", "ext", "--sort", "-name"]).output.hasPrefix("Papers/Budget.csv\n"))
        let wrong = try machine.run(found + ["--sort", "sice"])
        #expect(wrong.code == 64 && wrong.error.contains("there is no attribute sice"))
    }

    @Test func valuesAreCounted() throws {
        let machine = try drive()
        let counts = try machine.run("-C", "a", "find", "--ext", "md,csv,txt", "--group-by", "ext", "--count")
        #expect(counts.output == "1  csv\n1  md\n1  txt\n")
        let groups = try machine.run("-C", "a", "find", "--ext", "md,csv", "--group-by", "ext")
        #expect(groups.output == "csv (1)\n  Papers/Budget.csv\nmd (1)\n  Plan.md\n")
        let json = try machine.run("-C", "a", "find", "--ext", "md", "--group-by", "ext", "--count", "--jsonl")
        #expect(json.output.contains("\"count\":1") && json.output.contains("\"value\":\"md\""))
    }

    /// By the clock that people see, which need not be that of Greenwich.
    @Test func datesAreGroupedByTheDay() throws {
        let machine = try Machine(variables: ["TZ": "XYZ-13"])
        let noon = 1_768_433_400.0  // 2026-01-15 12:30 there
        let times = ["a": noon, "b": noon + 0.25, "c": noon + 11 * 3600, "d": noon + 12 * 3600]
        for (name, time) in times {
            try machine.write(name, to: "a/\(name).txt")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: "\(machine.root)/a/\(name).txt")
        }
        #expect(try machine.run("init", "a", "--yes").code == 0)
        func grouped(_ arguments: String...) throws -> String {
            try machine.run(["-C", "a", "find", "--ext", "txt", "--group-by", "modified"] + arguments).output
        }
        #expect(try grouped() == "2026-01-15 (3)\n  a.txt\n  b.txt\n  c.txt\n2026-01-16 (1)\n  d.txt\n")
        #expect(try grouped("--count") == "3  2026-01-15\n1  2026-01-16\n")
        let objects = try grouped("--count", "--jsonl")
        #expect(objects.contains("\"count\":3") && objects.contains("\"value\":1768388400000"), "\(objects)")
    }

    /// In Havana clocks go back to midnight, so that it comes twice; in spring they go on from there, and it never comes.
    @Test func daysWhoseMidnightComesTwiceOrNeverAreOne() throws {
        let machine = try Machine(variables: ["TZ": "America/Havana"])
        let times = [
            "before": 1_730_606_340.0,  // 2024-11-02 23:59, and then 2024-11-03
            "first": 1_730_608_200, "second": 1_730_611_800, "noon": 1_730_653_200, "evening": 1_730_696_340,
            "summer": 1_721_000_000, "winter": 1_735_000_000,
            "dark": 1_710_046_740, "spring": 1_710_046_800,  // 2024-03-09 23:59, and a minute later 2024-03-10 01:00
        ]
        for (name, time) in times {
            try machine.write(name, to: "a/\(name).txt")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: "\(machine.root)/a/\(name).txt")
        }
        #expect(try machine.run("init", "a", "--yes").code == 0)
        func found(_ arguments: String...) throws -> String {
            try machine.run(["-C", "a", "find", "--ext", "txt"] + arguments).output
        }
        let day = "evening.txt\nfirst.txt\nnoon.txt\nsecond.txt\n"
        #expect(try found("--since", "2024-11-03", "--before", "2024-11-04") == day)
        #expect(try found("modified:2024-11-03") == day)
        #expect(
            try found("--since", "2024-11-03T00:30", "--before", "2024-11-03T13:00")
                == "first.txt\nnoon.txt\nsecond.txt\n")
        #expect(try found("--since", "2024-03-10", "--before", "2024-03-11") == "spring.txt\n")
        let counts = try found("--group-by", "modified", "--count").split(separator: "\n").sorted()
        #expect(
            counts == [
                "1  2024-03-09", "1  2024-03-10", "1  2024-07-14", "1  2024-11-02", "1  2024-12-23", "4  2024-11-03",
            ], "\(counts)")
        #expect(try found("--group-by", "modified", "--count", "--jsonl").contains("\"value\":1730606400000"))
    }

    @Test func whatHasNoEndIsNoDocument() throws {
        let machine = try drive()
        for extra in [[], ["--count"]] {
            let refused = try machine.run(["-C", "a", "find", "-live", "--json", "plan"] + extra)
            #expect(refused.code == 64 && refused.output.isEmpty, "\(refused)")
            #expect(refused.error.contains("-live goes on, and --json is one document; use --jsonl"), "\(refused)")
        }
    }

    @Test func savedSearchesAreRunAgainAndRefined() throws {
        let machine = try drive()
        let saved = try machine.run(
            "-C", "a", "find", "--save", "texts", "p | t", "--ext", "txt,md,csv", "--sort", "-size")
        #expect(saved.code == 0 && saved.error.contains("@texts"))
        #expect(try machine.run("-C", "a", "find", "@texts").output == saved.output)
        #expect(try machine.run("-C", "a", "find", "@texts", "thesis").output == "Papers/Thesis.txt\n")
        #expect(try machine.run("-C", "a", "find", "@texts", "--ext", "md").output == "Plan.md\n")
        #expect(try machine.run("-C", "a", "search").output.hasPrefix("@texts  'p | t' --ext txt,md,csv"))
        #expect(try machine.run("-C", "a", "search", "show", "@texts").output.hasPrefix("docdrive -C a find 'p | t'"))
        let missing = try machine.run("-C", "a", "find", "@other")
        #expect(missing.code != 0 && missing.error.contains("there is no saved search of this name"))
        #expect(try machine.run("-C", "a", "find", "--save", "a/b", "x").code == 64)
        #expect(try machine.run("-C", "a", "search", "rm", "texts").code == 0)
        #expect(try machine.run("-C", "a", "search", "ls").output.isEmpty)
    }

    @Test func aBarrierWithoutAWatchLooksAtTheFolder() throws {
        let machine = try drive()
        try machine.write("new", to: "a/deep/New.txt")
        #expect(try machine.run("-C", "a", "find", "new.txt").output.isEmpty)
        #expect(try machine.run("-C", "a", "find", "--barrier", "new.txt").output == "deep/New.txt\n")
    }

    @Test func aBarrierMissesNothingThatWasWrittenBefore() throws {
        let machine = try drive()
        // A search with a barrier has the drive itself where nobody watches it, and keeps a watch from beginning.
        let watch = try machine.watch("a")
        defer { watch.signal(SIGTERM) }
        for number in 0..<30 {
            try machine.write("new", to: "a/many/x\(number)y")
            let found = try machine.run("-C", "a", "find", "--barrier", "-name", "x\(number)y", "-count")
            #expect(found.output == "1\n", "\(number): \(found.error)")
        }
        try machine.remove("a/many")
        #expect(try machine.run("-C", "a", "find", "--barrier", "-name", "x1y", "-count").output == "0\n")
    }

    @Test func aLiveSearchTellsWhatChanges() throws {
        let machine = try drive()
        let watch = try machine.watch("a")
        defer { watch.signal(SIGTERM) }
        let live = try machine.start("-C", "a", "find", "-live", "--batch", "0", "--ext", "txt")
        #expect(eventually { live.output.contains("Papers/Thesis.txt\n") })
        try machine.write("one", to: "a/One.txt")
        #expect(eventually { live.output.contains("+ One.txt\n") })
        try machine.write("one and more", to: "a/One.txt")
        #expect(eventually { live.output.contains("~ One.txt\n") })
        try machine.move("a/One.txt", to: "a/Two.txt")
        #expect(eventually { live.output.contains("- One.txt\n+ Two.txt\n") })
        try machine.move("a/Two.txt", to: "a/Two.pdf")
        #expect(eventually { live.output.contains("- Two.txt\n") })
        live.signal(SIGINT)
        _ = live.finish()
    }

    /// Whoever follows the lines one after the other knows what is there, also where names change places.
    @Test func aLiveSearchCanBeFollowed() throws {
        let machine = try Machine()
        for name in ["log", "log.1", "x", "y"] { try machine.write("\(name)\n", to: "a/\(name)") }
        #expect(try machine.run("init", "a", "--yes").code == 0)
        let lines = try machine.start("-C", "a", "find", "-live", "--kind", "file", "--batch", "0")
        let objects = try machine.start("-C", "a", "find", "-live", "--kind", "file", "--batch", "0", "--jsonl")
        #expect(eventually { lines.output.contains("y\n") && objects.output.contains("\"y\"") })
        try machine.move("a/log.1", to: "a/log.2")
        try machine.move("a/log", to: "a/log.1")
        try machine.move("a/x", to: "a/z")
        try machine.move("a/y", to: "a/x")
        try machine.move("a/z", to: "a/y")
        // One pass for all of it, and so one update.
        #expect(try machine.run("-C", "a", "sync").code == 0)
        func followed() -> Set<String> {
            var names: Set<String> = []
            for line in lines.output.split(separator: "\n") {
                let name = String(line.drop { "+-~ ".contains($0) })
                if line.hasPrefix("- ") { names.remove(name) } else { names.insert(name) }
            }
            return names
        }
        let expected: Set = [".driveignore", "log.1", "log.2", "x", "y"]
        #expect(eventually { lines.output.contains("+ y") && followed() == expected }, "\(lines.output)")
        func byNumber() throws -> [String] {
            var names: [Int: String] = [:]
            for line in objects.output.split(separator: "\n") {
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                let item = object?["item"] as? [String: Any]
                if let id = object?["id"] as? Int { names[id] = item?["path"] as? String }
            }
            return names.values.sorted()
        }
        #expect(eventually { (try? byNumber()) == expected.sorted() }, "\(objects.output)")
        for process in [lines, objects] {
            process.signal(SIGINT)
            _ = process.finish()
        }
    }

    /// The kernel's answer to a page of a mapped file that the disk does not give (mmap(2)).
    @Test func aPageOfTheIndexThatCannotBeReadIsToldOf() throws {
        let machine = try drive()
        let live = try machine.start("-C", "a", "find", "-live", "--ext", "txt")
        #expect(eventually { live.output.contains("Papers/Thesis.txt\n") })
        live.signal(SIGBUS)
        let ended = live.finish()
        #expect(ended.code == 78)
        #expect(ended.error.contains("the drive's index cannot be read"))
        #expect(ended.error.contains("a/.docdrive: see to the disk, then run `docdrive verify`\n"))
    }

    @Test func whatCouldNotBeReadIsNamed() throws {
        let machine = try drive()
        let watch = try machine.watch("a")
        defer { watch.signal(SIGTERM) }
        // What is open for a minute is taken as it is, which a busy machine may need for one answer: then others are opened.
        var number = 0
        #expect(
            try eventually {
                number += 1
                let names = ["Song \(number).wav", "Tune \(number).wav"]
                let files = names.map { open("\(machine.root)/a/\($0)", O_CREAT | O_WRONLY | O_CLOEXEC, 0o644) }
                defer { for file in files { close(file) } }
                let told =
                    "docdrive: \(names[0]) and 1 other item could not be read so far and are not found; "
                    + "`docdrive -C a status` says why\n"
                let answer = try machine.run("-C", "a", "find", "--barrier", "--name", "song \(number)")
                return answer.output.isEmpty && answer.error == told
            })
    }
}
