import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.mayBlock) struct FindTests {
    private func drive() throws -> Machine {
        let machine = try Machine()
        try machine.twoDrives([
            "Budget 2026.ods": "sheet\n", "notes/Éclair.txt": "cake\n", "notes/draft budget.txt": "old\n",
            "large.bin": String(repeating: "x", count: 5_000),
        ])
        return machine
    }

    private func found(_ machine: Machine, _ arguments: String...) throws -> [String] {
        let result = try machine.run(["find", "-C", "a"] + arguments)
        #expect(result.code == 0, "\(arguments): \(result.error)")
        return result.output.split(separator: "\n").map { String($0.split(separator: "/a/", maxSplits: 1).last ?? "") }
    }

    @Test func wordsRawQueriesAndPredicatesFindTheSame() throws {
        let machine = try drive()
        #expect(try found(machine, "BUDGET") == ["Budget 2026.ods", "notes/draft budget.txt"])
        #expect(try found(machine, "budget -draft") == ["Budget 2026.ods"])
        #expect(try found(machine, "eclair") == ["notes/Éclair.txt"])
        #expect(try found(machine, "size:>4kb") == ["large.bin"])
        #expect(try found(machine, "kind:spreadsheet") == ["Budget 2026.ods"])
        #expect(try found(machine, "--predicate", "kMDItemContentType UTI-CONFORMS-TO 'public.text'").count == 2)
        #expect(try found(machine, "kMDItemFSName == \"*.txt\"c && kMDItemFSSize < 5") == ["notes/draft budget.txt"])
        #expect(
            try found(
                machine, "--predicate", "kMDItemFSName ENDSWITH '.txt' AND NOT kMDItemFSName CONTAINS[cd] 'ECLAIR'")
                == ["notes/draft budget.txt"])
        #expect(try found(machine, "-name", "2026") == ["Budget 2026.ods"])
        #expect(try machine.run("find", "-C", "a", "budget", "-count").output == "2\n")
    }

    @Test func daysBeginAtMidnight() throws {
        let machine = try drive()
        // Now is later than the last midnight, and nothing here is older than a minute.
        #expect(try found(machine, "--kind", "file", "--since", "yesterday").count == 5)
        #expect(try found(machine, "--kind", "file", "--before", "yesterday") == [])
        let words = try found(machine, "--kind", "file", "modified:today")
        #expect(try found(machine, "--kind", "file", "--since", "today") == words)
    }

    @Test func chainsAreAsLongAsTheTextAllows() throws {
        let machine = try drive()
        let any = (0..<1_500).map { "name:w\($0)" } + ["name:budget"]
        #expect(try found(machine, any.joined(separator: " | ")).count == 2)
        let all = Array(repeating: "name:budget", count: 1_500).joined(separator: " ")
        #expect(try found(machine, all).count == 2)
    }

    @Test func aFolderThatIsLookedFromIsADot() throws {
        let machine = try drive()
        #expect(try machine.run("-C", "a/notes", "find", "-name", "notes").output == ".\n")
        #expect(try machine.run("-C", "a/notes", "find", "-name", "notes", "-0").output == ".\0")
    }

    @Test func onlyInTakesFolders() throws {
        let machine = try drive()
        #expect(try found(machine, "-onlyin", "notes").count == 2)
        #expect(symlink("notes", "\(machine.root)/a/link") == 0 && symlink("a", "\(machine.root)/drive") == 0)
        #expect(try found(machine, "-onlyin", "link").count == 2)
        #expect(try machine.run("find", "-onlyin", "drive", "budget", "--count").output == "2\n")
        let file = try machine.run("find", "-C", "a", "-onlyin", "large.bin")
        #expect(file.code == 64 && file.error.contains("takes a folder"), "\(file.error)")
        #expect(try machine.run("-C", "a", "find", "x", "--save", "n", "--group-by", "kind").code == 64)
    }

    @Test func oldDatesAreShown() throws {
        let machine = try drive()
        var times = [timespec(), timespec()]
        times[1].tv_sec = -1_000_000_000
        #expect(utimensat(AT_FDCWD, "\(machine.root)/a/large.bin", &times, 0) == 0)
        try machine.settle()
        #expect(try machine.run("-C", "a", "find", "-l", "-name", "large").output.contains("1938-04-24 22:13"))
    }

    @Test func tagsAreFound() throws {
        let machine = try drive()
        #expect(try machine.run("tag", "a/large.bin", "--add", "work,déjà").code == 0)
        try machine.settle()
        #expect(try found(machine, "tag:work") == ["large.bin"])
        #expect(try found(machine, "_kMDItemUserTags == \"deja\"cd") == ["large.bin"])
        #expect(try found(machine, "--predicate", "ANY _kMDItemUserTags == 'work'") == ["large.bin"])
    }

    @Test func whatCannotBeUnderstoodIsToldWithItsPlace() throws {
        let machine = try drive()
        let broken = try machine.run("find", "-C", "a", "--predicate", "kMDItemFSName LIKE")
        #expect(broken.code == 64 && broken.error.contains("column 19") && broken.error.contains("^"))
        let unknown = try machine.run("find", "-C", "a", "--predicate", "kMDItemFSNam == 'a'")
        #expect(unknown.code == 64 && unknown.error.contains("did you mean kMDItemFSName"))
        let wrong = try machine.run("find", "-C", "a", "--predicate", "kMDItemFSName < 3")
        #expect(wrong.code == 64 && wrong.error.contains("cannot be compared"))
        #expect(try machine.run("find", "-C", "a", "budget", "--predicate", "TRUEPREDICATE").code == 64)
    }

    @Test func explainTellsHowItIsTaken() throws {
        let machine = try Machine()
        let words = try machine.run("find", "--explain", "budget")
        #expect(words.code == 0 && words.output.contains("words") && words.output.contains("CONTAINS[cd]"))
        let mixed = try machine.run(
            "find", "--explain", "--predicate", "kMDItemFSSize > 1 AND kMDItemFSSize < 5 OR kMDItemKind == 'pdf'")
        #expect(mixed.output.contains("a predicate") && mixed.output.contains("note"))
    }

    @Test func linesAreEvaluated() throws {
        let machine = try Machine()
        let lines = [
            #"{"format": "a == 1", "args": [], "object": {"a": 1}}"#, #"{"format": "a ==", "args": [], "object": {}}"#,
            "", #"{"format": "a > 2", "args": [], "object": {"a": 1}}"#,
        ]
        try machine.write(lines.joined(separator: "\n"), to: "lines")
        let result = try machine.run("find", "--evaluate", "lines")
        let answers = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(result.code == 0 && answers.count == lines.count + 1 && answers.last == "")
        #expect(answers.first == "true" && answers[3] == "false" && answers[1].hasPrefix("error: column 5"))
        #expect(answers[2] == "error: JSON, byte 1: no value")
        #expect(try machine.run("find", "--evaluate", "none").code == 64)
    }

    /// Whoever asks over a pipe may wait for an answer before asking on.
    @Test func aLineIsAnsweredBeforeTheInputEnds() throws {
        let machine = try Machine()
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        defer { close(ends[0]) }
        let asked = try machine.start(["find", "--evaluate", "-"], input: ends[0])
        let question = Array("{\"format\": \"1 == 1\"}\n".utf8)
        for count in 1...2 {
            #expect(write(ends[1], question, question.count) == question.count)
            #expect(eventually { asked.output == String(repeating: "true\n", count: count) }, "\(asked.error)")
        }
        close(ends[1])
        #expect(asked.finish().code == 0)
    }

    /// A part of the input has 64 KiB.
    @Test func linesMayBeLongButNotEndless() throws {
        let machine = try Machine()
        let long = "{\"format\": \"a == 1\", \"object\": {\"a\": \"\(String(repeating: "x", count: 200_000))\"}}"
        let endless = String(repeating: "x", count: (16 << 20) + 1)
        let short = "{\"format\": \"1 == 1\"}"
        try machine.write([long, endless, short, endless].joined(separator: "\n"), to: "lines")
        let result = try machine.run("find", "--evaluate", "lines")
        let refused = "error: the line has more than 16 MiB; ask of less at once"
        #expect(result.output == "false\n\(refused)\ntrue\n\(refused)\n", "\(result)")
    }

    @Test func linesAreReadFromWhateverFileIsNamed() throws {
        let machine = try Machine()
        let script =
            "name=$(printf 'b\\377'); echo '{\"format\": \"1 == 1\"}' >\"$name\"; "
            + "'\(Machine.program)' find --evaluate \"$name\""
        let odd = try machine.run(["-c", script], program: "/bin/sh")
        #expect(odd.code == 0 && odd.output == "true\n", "\(odd)")
        let folder = try machine.run("find", "--evaluate", "run")
        #expect(folder.code == 64 && folder.error.contains("this is a folder, and has no lines"), "\(folder)")
    }
}
