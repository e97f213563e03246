import Foundation
import TestSupport
import Testing

@Suite(.mayBlock) struct DocumentSearchTests {
    private func drive() throws -> Machine {
        let machine = try Machine()
        try machine.twoDrives([
            "plan.txt": "The annual\nbudget of the committee, in cafés\n",
            "notes/report.md": "---\ntitle: Annual Report\nauthor: Ada Lovelace\n---\n# Heading\nBudgets and more\n",
            "page.html": "<html><head><title>Web</title></head><body>threads <b>of</b> the web</body></html>",
            "broken.docx": "no archive",
            "budget.bin": "\u{1}\u{2}",
        ])
        try StoredZip.word("the cost of paper", title: "Paper Budget").data.write(
            to: URL(fileURLWithPath: "\(machine.root)/a/paper.docx"))
        try StoredZip.openText("letters to the committee", author: "Grace Hopper").data.write(
            to: URL(fileURLWithPath: "\(machine.root)/a/letter.odt"))
        #expect(try machine.run("sync", "a").code == 0)
        return machine
    }

    private func found(_ machine: Machine, _ arguments: String...) throws -> [String] {
        let result = try machine.run(["find", "-C", "a"] + arguments)
        #expect(result.code == 0, "\(arguments): \(result.error)")
        return result.output.split(separator: "\n").map { String($0.split(separator: "/a/", maxSplits: 1).last ?? "") }
    }

    private func unreadNote(_ machine: Machine) throws -> String {
        try machine.run("find", "-C", "a", "text:nothing").error
    }

    @Test func aCacheThatIsRemovedUnderAWatchIsMadeAnew() throws {
        let machine = try drive()
        let watch = try machine.watch("a")
        defer { watch.end() }
        #expect(try found(machine, "--refresh", "text:annual") == ["notes/report.md", "plan.txt"])
        for end in ["", "-wal", "-shm"] { try? machine.remove("a/.docdrive/search.sqlite\(end)") }
        #expect(try found(machine, "--refresh", "text:annual") == ["notes/report.md", "plan.txt"])
        try machine.write("another annual thing\n", to: "a/new.txt")
        #expect(try found(machine, "--refresh", "text:annual") == ["new.txt", "notes/report.md", "plan.txt"])
    }

    @Test func aLiveSearchGoesOnWithACacheThatWasMadeAnew() throws {
        let machine = try drive()
        let watch = try machine.watch("a")
        defer { watch.end() }
        #expect(try found(machine, "--refresh", "text:annual") == ["notes/report.md", "plan.txt"])
        let live = try machine.start("-C", "a", "find", "-live", "--batch", "0", "text:annual")
        #expect(eventually { live.output.contains("plan.txt\n") })
        for end in ["", "-wal", "-shm"] { try? machine.remove("a/.docdrive/search.sqlite\(end)") }
        try machine.write("another annual thing\n", to: "a/new.txt")
        #expect(try found(machine, "--refresh", "text:annual") == ["new.txt", "notes/report.md", "plan.txt"])
        #expect(eventually { live.output.contains("+ new.txt\n") })
        live.signal(SIGINT)
        _ = live.finish()
    }

    @Test func manyWordsAndEndingsAreAsGoodAsFew() throws {
        let machine = try drive()
        #expect(try found(machine, "--refresh", "text:annual") == ["notes/report.md", "plan.txt"])
        let endings = (1...1_500).map { "e\($0)" }.joined(separator: ",") + ",txt,html"
        #expect(try found(machine, "--ext", endings) == ["page.html", "plan.txt"])
        // As many as an argument holds (128 KiB, execve(2)).
        let words = Array(repeating: "an", count: 34_000).joined(separator: " ")
        let many = try machine.run("find", "-C", "a", words)
        #expect(many.code == 0 && !many.error.contains("damaged"), "\(many.error)")
        #expect(try many.output == machine.run("find", "-C", "a", "an").output)
    }

    @Test func documentsAreFoundByTextAndAttributes() throws {
        let machine = try drive()
        #expect(try found(machine, "budget") == ["budget.bin"])
        #expect(try unreadNote(machine).contains("8 files not read yet; `docdrive -C a find --refresh` reads them"))
        #expect(try found(machine, "--refresh", "budget") == ["budget.bin", "notes/report.md", "plan.txt"])
        #expect(try !unreadNote(machine).contains("not read yet"))
        #expect(try found(machine, "\"annual budget\"") == ["plan.txt"])
        #expect(try found(machine, "text:CAFES") == ["plan.txt"])
        #expect(try found(machine, "* == \"*budget*\"") == ["budget.bin", "notes/report.md", "plan.txt"])
        #expect(try found(machine, "kMDItemTextContent == \"budget\"") == ["plan.txt"])
        #expect(try found(machine, "kMDItemTextContent == \"budg*\"") == ["notes/report.md", "plan.txt"])
        #expect(try found(machine, "threads") == ["page.html"])
        #expect(try found(machine, "committee") == ["letter.odt", "plan.txt"])
        #expect(try found(machine, "cost -plan") == ["paper.docx"])
        #expect(try found(machine, "title:budget") == ["paper.docx"])
        #expect(try found(machine, "author:lovelace") == ["notes/report.md"])
        #expect(try found(machine, "pages:>5 author:grace") == ["letter.odt"])
        #expect(try found(machine, "--predicate", "kMDItemTextContent MATCHES '.*cost.*'") == ["paper.docx"])
    }

    @Test func whatChangedIsMissingUntilItIsRead() throws {
        let machine = try drive()
        #expect(try found(machine, "--refresh", "threads") == ["page.html"])
        try machine.write("entirely other words\n", to: "a/plan.txt")
        try machine.move("a/notes/report.md", to: "a/notes/summary.md")
        try machine.remove("a/page.html")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try found(machine, "\"annual budget\"") == [])
        #expect(try found(machine, "entirely") == [])
        #expect(try unreadNote(machine).contains("1 file not read yet"))
        // Its text is that of its content, whatever it is called.
        #expect(try found(machine, "author:lovelace") == ["notes/summary.md"])
        #expect(try found(machine, "threads") == [])
        #expect(try found(machine, "--refresh", "entirely") == ["plan.txt"])
        // A refresh looks at the folder first.
        try machine.write("brand new\n", to: "a/new.txt")
        #expect(try found(machine, "--refresh", "\"brand new\"") == ["new.txt"])
    }

    @Test func whatCannotBeReadIsToldAndNotTriedAgain() throws {
        let machine = try drive()
        for _ in 0..<2 { _ = try found(machine, "--refresh", "x") }
        let list = try machine.run("-C", "a", "status", "--documents")
        #expect(list.output.contains("broken.docx: ") && list.output.contains("(not before it changes)"))
        #expect(list.output.split(separator: "\n").count == 1)
        let json = try machine.run("-C", "a", "status", "--documents", "--json").output
        #expect(json.contains("\"attempts\" : 1") && json.contains("\"path\" : \"broken.docx\""))
        let status = try machine.run("-C", "a", "status").output
        #expect(status.contains("1 cannot be read: `docdrive -C a status --documents`"))
        try StoredZip.word("whole now", title: "x").data.write(
            to: URL(fileURLWithPath: "\(machine.root)/a/broken.docx"))
        #expect(try found(machine, "--refresh", "\"whole now\"") == ["broken.docx"])
        #expect(try machine.run("-C", "a", "status", "--documents").output.contains("could be read"))
    }

    @Test(arguments: ["garbage", "", "pages"]) func aDamagedSearchIndexIsMadeAnew(_ damage: String) throws {
        let machine = try drive()
        #expect(try found(machine, "--refresh", "committee").count == 2)
        let file = "a/.docdrive/search.sqlite"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: "\(machine.root)/\(file)"))
        if damage == "pages" {
            for place in stride(from: 4_100, to: bytes.count, by: 512) { bytes[place] ^= 0xFF }
        } else {
            bytes = Data(damage.utf8)
        }
        for ending in ["-wal", "-shm"] { try? machine.remove(file + ending) }
        try bytes.write(to: URL(fileURLWithPath: "\(machine.root)/\(file)"))
        // Names are found whatever has become of it.
        #expect(try found(machine, "name:plan") == ["plan.txt"])
        #expect(try machine.run("find", "-C", "a", "committee").code == 0)
        #expect(try found(machine, "--refresh", "committee").count == 2)
        try machine.remove(file)
        #expect(try found(machine, "committee") == [])
        #expect(try unreadNote(machine).contains("8 files not read yet"))
        #expect(try found(machine, "--refresh", "committee").count == 2)
    }

    @Test func attributesArePrinted() throws {
        let machine = try drive()
        _ = try found(machine, "--refresh", "x")
        let all = try machine.run("attrs", "a/letter.odt")
        #expect(all.code == 0 && all.output.contains("kMDItemNumberOfPages") && all.output.contains("\"Grace Hopper\""))
        #expect(!all.output.contains("letters to"))
        let raw = try machine.run("attrs", "-raw", "-name", "pages", "-name", "title", "a/letter.odt")
        #expect(raw.output == "7\0(null)\0")
        let json = try machine.run("attrs", "--jsonl", "-name", "title", "a/paper.docx", "a/plan.txt").output
        #expect(
            json.contains(#""attributes":{"kMDItemTitle":"Paper Budget"}"#) && json.contains(#""kMDItemTitle":null"#))
        #expect(try machine.run("attrs", "-name", "titel", "a/letter.odt").error.contains("did you mean"))
        #expect(try machine.run("attrs", "a/none").code == 64)
    }

    @Test func explainTellsWhatTheIndexesSay() throws {
        let machine = try drive()
        _ = try found(machine, "--refresh", "x")
        let text = try machine.run("find", "-C", "a", "--explain", "text:committee name:plan").output
        #expect(text.contains("#0 is kMDItemTextContent CONTAINS[cd] \"committee\": 2 by the search index, 0 to be"))
        #expect(text.contains("SCAN nameIndexBlock FOR *plan*"))
    }

    @Test func aWatchReadsWhatChanges() async throws {
        let machine = try drive()
        let watch = try machine.start("watch", "a")
        #expect(try eventually { try found(machine, "committee").count == 2 })
        try machine.write("written while watched\n", to: "a/later.txt")
        #expect(try eventually { try found(machine, "\"while watched\"") == ["later.txt"] })
        try machine.write("another thing entirely\n", to: "a/later.txt")
        #expect(try found(machine, "--refresh", "\"another thing\"") == ["later.txt"])
        #expect(try found(machine, "\"while watched\"") == [])
        watch.signal(SIGTERM)
        #expect(watch.finish().code == 143)
    }

    @Test func aDriveWithoutAStoreKeepsItsFiles() throws {
        let machine = try Machine()
        for number in 0..<30 { try machine.write("words \(number)\n", to: "a/\(number).txt") }
        let files = machine.files("a")
        #expect(try machine.run("init", "a", "--yes").code == 0)
        for _ in 0..<2 { #expect(try machine.run("sync", "a").code == 0) }
        #expect(try found(machine, "--refresh", "\"words 17\"") == ["17.txt"])
        #expect(machine.files("a") == files)
        try machine.write("changed\n", to: "a/3.txt")
        #expect(try machine.run("sync", "a", "--to", "store", "--yes").code == 0)
        #expect(try machine.run("sync", "b", "--to", "store", "--yes").code == 0)
        #expect(machine.files("a")["3.txt"] == "changed\n" && machine.files("a").count == 30)
        #expect(machine.files("b") == machine.files("a"))
    }
}
