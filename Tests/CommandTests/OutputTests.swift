import Foundation
import TestSupport
import Testing

@Suite(.mayBlock)
struct OutputTests {
    @Test(arguments: [
        ["status", "--json"], ["ls", "-R", "--json"], ["find", "e", "--json"], ["plan", "--json"], ["log", "--json"],
        ["conflicts", "ls", "--json"], ["trash", "ls", "--json"], ["deletes", "ls", "--json"], ["ignored", "--json"],
        ["device", "ls", "--json"], ["config", "get", "--json"], ["why", ".", "--json"],
        ["config", "get", "store", "--json"], ["find", "--count", "--json"],
        ["find", "--group-by", "ext", "--count", "--json"], ["verify", "--json"], ["store", "check", "--json"],
        ["store", "gc", "--json"], ["doctor", "--json"], ["attrs", "Letter.txt", "--json"], ["dupes", "--json"],
        ["tag", "Letter.txt", "--json"], ["versions", "Letter.txt", "--json"], ["undo", "--list", "--json"],
        ["search", "ls", "--json"], ["service", "status", "--json"], ["sync", "--json"],
    ])
    func jsonParses(_ arguments: [String]) throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("from a\n", to: "a/Letter.txt")
        try machine.write("from b\n", to: "b/Letter.txt")
        try machine.settle()
        let result = try machine.run(["-C", "a"] + arguments)
        #expect(result.code == 0 || arguments[0] == "service", "\(result.error)")
        let value = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
        #expect(value is [Any] || value is [String: Any])
        for object in value as? [[String: Any]] ?? [value as? [String: Any] ?? [:]] {
            // Those whose times were seconds once have their second form.
            let types = ["item", "version", "explanation", "attributes", "value", "group"]
            let isSecond = (object["type"] as? String).map(types.contains) ?? false
            #expect(object["v"] as? Int == (isSecond ? 2 : 1), "\(object)")
            #expect(object["type"] is String, "\(object)")
        }
    }

    /// In every command that has both, before anything is looked for.
    @Test(arguments: [
        ["find"], ["ls"], ["dupes"], ["attrs", "x"], ["tag", "x"], ["search", "ls"], ["search", "show", "x"],
        ["status"], ["why", "x"],
        ["plan"], ["log"], ["conflicts", "ls"], ["conflicts", "clean", "x"], ["deletes", "ls"], ["trash", "ls"],
        ["ignored"],
        ["verify"], ["doctor"], ["device", "ls"], ["config", "get"], ["service", "status"], ["store", "check"],
        ["store", "gc"],
    ]) func oneFormOfJSONIsPrinted(_ arguments: [String]) throws {
        let refused = try Machine().run(arguments + ["--json", "--jsonl"])
        #expect(refused.code == 64 && refused.output.isEmpty)
        #expect(refused.error.contains("--json or --jsonl, not both"), "\(arguments): \(refused.error)")
    }

    /// What has no answer in JSON says so.
    @Test(arguments: [
        ["sync", "--dry-run", "--json"], ["watch", "--dry-run", "--jsonl"], ["find", "--explain", "--json"],
        ["attrs", "f", "--raw", "-name", "name", "--jsonl"],
        ["find", "--evaluate", "-", "--json"],
    ]) func jsonIsNotPassedOver(_ arguments: [String]) throws {
        let refused = try Machine().run(arguments)
        #expect(
            refused.code == 64 && refused.output.isEmpty && refused.error.contains("JSON")
                || refused.error.contains("--json"), "\(refused)")
    }

    @Test func settingsAreADocument() throws {
        let machine = try Machine()
        try machine.write("x", to: "a/f")
        #expect(try machine.run("init", "a", "--yes", "--name", "alpha").code == 0)
        let one = try machine.run("-C", "a", "config", "get", "device-name", "--jsonl")
        #expect(one.output == "{\"device-name\":\"alpha\",\"type\":\"config\",\"v\":1}\n")
        let none = try machine.run("-C", "a", "config", "get", "store", "--jsonl")
        #expect(none.code == 1 && none.output == "{\"store\":null,\"type\":\"config\",\"v\":1}\n")
        #expect(try machine.run("-C", "a", "config", "get", "device-name").output == "alpha\n")
    }

    @Test func theVersionIsToldEitherWay() throws {
        let machine = try Machine()
        let said = try machine.run("version")
        #expect(said.code == 0 && said.output.hasPrefix("docdrive "))
        #expect(try machine.run("--version").output == said.output)
    }

    @Test func linesOfJSONAreAnObjectEach() throws {
        let machine = try Machine()
        try machine.twoDrives(["one": "1", "two": "2"])
        let lines = try machine.run("-C", "b", "ls", "--jsonl").output.split(separator: "\n")
        #expect(lines.count == 3)
        for line in lines { #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any]) }
    }

    @Test func timesInJSONAreMillisecondsEverywhere() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let now = Date().timeIntervalSince1970 * 1000
        let date = Date(timeIntervalSince1970: 1_700_000_000.25)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: "\(machine.root)/a/Letter.txt")
        #expect(try machine.run("sync", "a").code == 0)
        func times(_ arguments: String...) throws -> [Double] {
            let text = try machine.run(["-C", "a"] + arguments + ["--json"]).output
            let names = ["modified", "since", "time", "recorded", "replaced", "asOf", "kMDItemFSContentChangeDate"]
            func found(_ value: Any) -> [Double] {
                if let list = value as? [Any] { return list.flatMap(found) }
                guard let object = value as? [String: Any] else { return [] }
                return object.flatMap { name, value in
                    (names.contains(name) ? (value as? Double).map { [$0] } : nil) ?? found(value)
                }
            }
            return found(try JSONSerialization.jsonObject(with: Data(text.utf8)))
        }
        let file = 1_700_000_000_250.0
        for command in [["ls", "Letter.txt"], ["find", "Letter"], ["attrs", "Letter.txt"]] {
            let text = try machine.run(["-C", "a"] + command + ["--json"]).output
            #expect(text.contains("1700000000250"), "\(text)")
        }
        #expect(try times("versions", "Letter.txt").contains(file))
        for found in try [
            times("ls"), times("find", "Letter"), times("versions", "Letter.txt"), times("why", "Letter.txt"),
            times("log"), times("status"), times("attrs", "Letter.txt"),
        ] {
            #expect(!found.isEmpty && found.allSatisfy { $0 == file || abs($0 - now) < 86_400_000 }, "\(found)")
        }
    }

    @Test func pathsEndWithNULWhereAskedFor() throws {
        let machine = try Machine()
        try machine.twoDrives(["two\nlines": "1"])
        #expect(try machine.run("-C", "a", "find", "LINES", "-0").output == "two\nlines\0")
    }

    @Test func namesThatAreNoTextComeInBase64() throws {
        let machine = try Machine()
        try machine.write("x", to: "a/plain")
        let name: [CChar] = Array("\(machine.root)/a/odd".utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0]
        let file = fopen(name, "w")
        fclose(file)
        #expect(try machine.run("sync", "a", "--to", "store", "--yes").code == 0)
        let output = try machine.run("-C", "a", "ls", "--jsonl").output
        #expect(output.contains("\"pathBase64\":\"b2Rk/w==\""), "\(output)")
    }

    /// What reads a list from a pipe can open what it names.
    @Test(arguments: ["ls", "find odd -l", "find odd --group-by extension", "dupes"])
    func namesThatAreNoTextAreListedAsTheyAre(_ command: String) throws {
        let machine = try Machine()
        try machine.write("equal", to: "a/plain")
        let make = try machine.run(["-c", "cp a/plain \"a/$(printf 'odd\\377')\""], program: "/bin/sh")
        #expect(make.code == 0, "\(make.error)")
        #expect(try machine.run("init", "a", "--yes").code == 0)
        let script = "cd a && \(Machine.program) \(command) | LC_ALL=C grep -c \"$(printf 'odd\\377')\""
        #expect(try machine.run(["-c", script], program: "/bin/sh").output == "1\n")
    }

    /// Two that look alike are two.
    @Test(arguments: ["name", "path"]) func groupsOfNamesThatAreNoTextAreByTheirBytes(_ attribute: String) throws {
        let machine = try Machine()
        let script = "mkdir a && cd a && touch \"$(printf 'dup\\376')\" \"$(printf 'dup\\375')\""
        #expect(try machine.run(["-c", script], program: "/bin/sh").code == 0)
        #expect(try machine.run("init", "a", "--yes").code == 0)
        let find = ["-C", "a", "find", "dup", "--group-by", attribute]
        for options in [[], ["--count"]] {
            let lines = try machine.run(find + ["--jsonl"] + options).output.split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.allSatisfy { $0.contains("\"valueBase64\":") })
            guard attribute == "name" else { continue }
            // In their order.
            #expect(lines.first?.contains("\"ZHVw/Q==\"") == true, "\(lines)")
            #expect(lines.last?.contains("\"ZHVw/g==\"") == true, "\(lines)")
        }
        let plain = "cd a && \(Machine.program) find dup --count --group-by \(attribute)"
        let listed = plain + " | LC_ALL=C grep -c \"$(printf 'dup\\376')\""
        #expect(try machine.run(["-c", listed], program: "/bin/sh").output == "1\n")
    }

    /// They are two files, whatever Unicode says.
    @Test func compositionsOfOneNameAreTwoGroups() throws {
        let machine = try Machine()
        for name in ["caf\u{E9}", "cafe\u{301}"] { try machine.write("1", to: "a/\(name)") }
        #expect(try machine.run("init", "a", "--yes").code == 0)
        let lines = try machine.run("-C", "a", "find", "caf", "--group-by", "name", "--count").output
        #expect(lines.split(separator: "\n").count == 2, "\(lines)")
    }

    /// Only a shell can give such an argument.
    @Test func pathsThatAreNoTextAreTakenAsTheyAre() throws {
        let machine = try Machine()
        try machine.write("x", to: "a/plain")
        #expect(try machine.run("init", "a", "--yes").code == 0)
        let folder = "cd a && f=$(printf 'odd\\377') && mkdir -p \"$f\" && touch \"$f/in\" && "
        for option in ["--onlyin=\"$f\"", "-onlyin=\"$f\"", "--onlyin \"$f\""] {
            let script = folder + "\(Machine.program) find --barrier \(option)"
            let result = try machine.run(["-c", script + " --count"], program: "/bin/sh")
            #expect(result.output == "1\n", "\(option): \(result.error)")
            let kept = try machine.run(["-c", script + " --save odd"], program: "/bin/sh")
            #expect(kept.code == 64 && kept.error.contains("the folder's name is no text"))
        }
    }

    /// Beside whatever names it, and in lists at its place.
    @Test func pathsThatAreNoTextAreTheirBytesInJSON() throws {
        let machine = try Machine()
        try machine.twoDrives(["plain": "x"])
        func shell(_ script: String) throws -> Machine.Result {
            let names = "odd=$(printf 'odd\\377') new=$(printf 'new\\377') && d() { '\(Machine.program)' \"$@\"; } && "
            return try machine.run(["-c", names + script], program: "/bin/sh")
        }
        let moved = try shell("echo 1 > a/\"$odd\" && d sync a && d sync b && mv b/\"$odd\" b/\"$new\" && d sync b")
        #expect(moved.code == 0, "\(moved)")
        let plan = try shell("d -C a plan --jsonl").output
        #expect(plan.contains(#""fromBase64":"b2Rk/w==""#) && plan.contains(#""pathBase64":"bmV3/w==""#), "\(plan)")
        #expect(try machine.run("sync", "a").code == 0)
        let why = try shell("d -C a why --jsonl \"$odd\"").output
        #expect(why.contains(#""othersBase64":["bmV3/w=="]"#) && why.contains(#""pathBase64":"b2Rk/w==""#), "\(why)")
        #expect(try shell("mkfifo a/\"$odd\" && { d sync a || true; }").code == 0)
        let status = try shell("d -C a status --jsonl").output
        #expect(status.contains(#""exampleBase64":"b2Rk/w==""#), "\(status)")
        #expect(try shell("d sync b && d attrs --jsonl b/\"$new\"").output.contains(#""kMDItemFSName":"bmV3/w==""#))
        let raw = try shell("d attrs -raw -name name -name path b/\"$new\" | tr '\\0' '\\n' | od -An -c | tr -d ' \\n'")
        #expect(raw.output.hasPrefix(#"new377\n/"#) && raw.output.hasSuffix(#"b/new377\n"#), "\(raw)")
        // Those that are text have nothing of it.
        #expect(try !shell("d attrs --jsonl a/plain").output.contains("Base64"))
        #expect(try !shell("d -C a why --jsonl plain").output.contains("Base64"))
    }

    @Test func aDriveWhoseFolderIsNoTextIsTheBytesInJSON() throws {
        let machine = try Machine()
        let script = "odd=$PWD/$(printf 'odd\\377') && mkdir \"$odd\" && echo 1 > \"$odd/f\" && cd \"$odd\" && "
        func told(_ command: String) throws -> String? {
            struct Told: Decodable { var folderBase64: String?, pathBase64: String? }
            let whole =
                script + "d() { '\(Machine.program)' \"$@\"; } && d init --yes > /dev/null && d \(command) --jsonl"
            let result = try machine.run(["-c", whole + "; rm -r \"$odd\""], program: "/bin/sh")
            let line = try #require(result.output.split(separator: "\n").last, "\(result)")
            let told = try JSONDecoder().decode(Told.self, from: Data(line.utf8))
            return told.folderBase64 ?? told.pathBase64
        }
        let folder = Data("\(machine.root)/odd".utf8) + [0xFF]
        #expect(try told("status") == folder.base64EncodedString())
        #expect(try told("verify") == folder.base64EncodedString())
        #expect(try told("tag \"$odd/f\"") == (folder + Data("/f".utf8)).base64EncodedString())
        #expect(try told("doctor") == folder.base64EncodedString())
    }

    /// A store that is not there.
    @Test func whatKeepsADriveFromGoingOnIsTheBytesInJSON() throws {
        let machine = try Machine()
        let script = """
            odd=$PWD/$(printf 'odd\\377'); d() { '\(Machine.program)' "$@"; }; mkdir -p "$odd/a" &&
            d sync "$odd/a" --to "$odd/store" --yes > /dev/null && mv "$odd/store" "$odd/gone" &&
            echo 1 > "$odd/a/f" && exec '\(Machine.program)' watch "$odd/a" --jsonl
            """
        // Foundation could not remove it.
        defer { _ = try? machine.run(["-c", "rm -r odd*"], program: "/bin/sh") }
        let watch = try machine.start(["-c", script], program: "/bin/sh")
        defer { watch.end() }
        func told() -> String? {
            watch.output.split(separator: "\n").first { $0.contains("\"trouble\"") }.map(String.init)
        }
        #expect(eventually { told() != nil || !watch.process.isRunning })
        struct Told: Decodable { var pathBase64: String? }
        let line = try #require(told(), "\(watch.error)")
        let store = Data("\(machine.root)/odd".utf8) + [0xFF] + Data("/store".utf8)
        #expect(try JSONDecoder().decode(Told.self, from: Data(line.utf8)).pathBase64 == store.base64EncodedString())
    }

    /// Both read the same where they are shown; so does a third, which is text.
    @Test func pathsThatAreNoTextAreToldFromOneAnother() throws {
        let machine = try Machine()
        try machine.write("x", to: "a/plain")
        #expect(try machine.run("init", "a", "--yes").code == 0)
        func told(_ script: String) throws -> Machine.Result {
            let names = "cd a && a=$(printf 'n\\377') b=$(printf 'n\\376') c=$(printf 'n\\357\\277\\275') && "
            let whole = names + "d() { '\(Machine.program)' \"$@\"; } && " + script
            return try machine.run(["-c", whole], program: "/bin/sh")
        }
        let tagged = try told(
            "touch \"$a\" \"$b\" \"$c\" && d tag \"$a\" \"$b\" \"$c\" --add all && d tag \"$a\" --add first && "
                + "d tag \"$b\" --add second && d tag \"$c\" --add third && d tag \"$c\" \"$b\" \"$a\" \"$b\" --jsonl")
        #expect(tagged.code == 0, "\(tagged)")
        let tags = tagged.output.split(separator: "\n").map { $0.contains("first") ? 1 : $0.contains("second") ? 2 : 3 }
        #expect(tags == [3, 2, 1, 2], "\(tagged)")
        #expect(tagged.output.components(separatedBy: "\"all\"").count == 5, "\(tagged)")
        // A value that stands behind its option's sign, too.
        let restored = try told(
            "echo zero > \"$a\" && d sync --to ../store --yes >/dev/null && echo one > \"$a\" && rm \"$b\" && "
                + "d sync >/dev/null && d restore \"$a\" --to=\"$b\" >/dev/null && cat \"$a\" \"$b\"")
        #expect(restored.code == 0 && restored.output == "one\nzero\n", "\(restored)")
        // Words are what they read as.
        let found = try told("d find --barrier \"$a\" \"$b\" --count")
        #expect(found.output == "3\n", "\(found)")
        let none = try told("rm \"$a\" && d tag \"$b\" \"$a\" --add x")
        #expect(none.code == 2 && none.error.contains("there is no such file"), "\(none)")
    }

    /// Letters of two columns, marks of none, and a picture of several scalars.
    @Test func columnsStandUnderOneAnother() throws {
        let machine = try Machine()
        let names = ["plain", "日本語", "cafe\u{301}", "한글", "👩\u{200D}💻x", "ＡＢ", "❤\u{FE0F}"]
        for name in names { try machine.write("x", to: "a/\(name)") }
        let files = names.map { "a/\($0)" }
        #expect(try machine.run(["tag"] + files + ["--add", "T"]).code == 0)
        let lines = try machine.run(["tag"] + files).output.split(separator: "\n")
        // How far the tag is from the end of the name: the widest has 8 columns with its folder, and two blanks stand behind.
        let blanks = lines.map { $0.filter { $0 == " " }.count }
        #expect(blanks == [3, 2, 4, 4, 5, 4, 6], "\(lines)")
    }

    @Test func readingNeedsNoStoreAndNothingRunning() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.remove("store")
        for arguments in [["status"], ["ls"], ["find", "letter"], ["log"], ["conflicts"], ["device"], ["trash"]] {
            #expect(try machine.run(["-C", "a"] + arguments).code == 0)
        }
    }

    @Test func everyCommandHasThreeExamples() throws {
        let machine = try Machine()
        for command in [
            "init", "sync", "watch", "status", "ls", "find", "attrs", "dupes", "search", "tag", "plan", "log",
            "conflicts", "deletes",
            "trash", "ignored", "device", "config", "why", "wait", "pause", "resume",
        ] {
            let help = try machine.run(command, "--help")
            #expect(help.code == 0)
            let examples = help.output.components(separatedBy: "EXAMPLES").last ?? ""
            let lines = examples.components(separatedBy: "\n\n")[0].split(separator: "\n")
            #expect(lines.filter { $0.contains("docdrive \(command)") }.count == 3, "\(command)")
        }
        #expect(try machine.run("help", "exit-codes").output.contains("75   not now: try again later"))
        #expect(try machine.run().output.contains("docdrive sync ~/Documents --to"))
    }

    /// However wide the terminal is.
    @Test func examplesAreNeverWrapped() throws {
        let commands = ["coordinate", "completions", "transport test", "verify", "conflicts clean", "init", ""]
        for columns in ["30", "80", "200"] {
            let machine = try Machine(variables: ["COLUMNS": columns])
            for command in commands {
                let help = try machine.run(command.split(separator: " ").map(String.init) + ["--help"]).output
                let examples = help.components(separatedBy: "EXAMPLES\n").last?.split(separator: "\n") ?? []
                #expect(examples.count == 3, "\(command) at \(columns): \(examples)")
                #expect(
                    examples.allSatisfy { $0.hasPrefix("  ") && $0.contains("docdrive ") }, "\(command): \(examples)")
                // What the parser has wrapped of them is left nowhere.
                let top = help.components(separatedBy: "USAGE").first ?? ""
                #expect(!top.contains("\n--json\n"), "\(command) at \(columns)")
            }
        }
    }

    /// In a pane of a few columns the terminal breaks the lines.
    @Test(arguments: ["26", "20", "1", "0", "-5"]) func helpNeedsNoWideTerminal(_ columns: String) throws {
        let machine = try Machine(variables: ["COLUMNS": columns])
        for command in [["sync", "--help"], ["help"], ["help", "conflicts", "clean"]] {
            let help = try machine.run(command)
            #expect(help.code == 0 && help.error.isEmpty, "\(command): \(help.code), \(help.error)")
            #expect(help.output.contains("  -h, --help              Show help"), "\(help.output)")
        }
        // Mistakes are told with the usage.
        #expect(try machine.run("sync", "--frobnicate").code == 64)
    }

    @Test func theExamplesOfCompletionsMakeTheirFolders() throws {
        let machine = try Machine()
        let help = try machine.run("completions", "--help").output
        let examples = help.components(separatedBy: "EXAMPLES\n").last?.split(separator: "\n") ?? []
        for example in examples {
            let script = "docdrive() { '\(Machine.program)' \"$@\"; }; \(example)"
            let result = try machine.run(["-c", script], program: "/bin/sh")
            #expect(result.code == 0 && result.error.isEmpty, "\(example): \(result.error)")
        }
        let bash = "home/.local/share/bash-completion/completions/docdrive"
        #expect(machine.read(bash)?.contains("docdrive") == true)
    }

    @Test func checksAnswerByTheirCode() throws {
        let machine = try Machine()
        try machine.twoDrives()
        #expect(try machine.run("-C", "a", "status", "--check").code == 0)
        #expect(try machine.run("-C", "a", "plan", "--check").code == 0)
        try machine.write("new", to: "a/New")
        #expect(try machine.run("-C", "a", "plan", "--check").code == 1)
        #expect(try machine.run("-C", "a", "find", "nothing-like-it", "--fail-empty").code == 1)
    }
}

// What is printed and does not arrive.
extension OutputTests {
    private func shell(_ machine: Machine, _ script: String) throws -> Machine.Result {
        try machine.run(["-c", "docdrive() { '\(Machine.program)' \"$@\"; }; cd a && \(script)"], program: "/bin/sh")
    }

    @Test func aFullDiskIsAnError() throws {
        let machine = try Machine()
        for number in 0..<300 { try machine.write("x", to: "a/file \(number)") }
        #expect(try machine.run("init", "a", "--yes").code == 0)
        for command in [
            "ls -R -0", "find", "find --json", "find --fail-empty file", "status", "help", "help exit-codes",
            "version", "ls --help", "completions bash",
        ] {
            let result = try shell(machine, "docdrive \(command) > /dev/full")
            #expect(result.code == 10, "\(command): \(result.code)")
            #expect(
                result.error.contains("docdrive: cannot write to standard output: the disk is full: what was printed"))
        }
        // Nothing is printed, or the answer is another one.
        #expect(try shell(machine, "docdrive find nothing-like-it > /dev/full").code == 0)
        #expect(try shell(machine, "docdrive ls nowhere > /dev/full").code == 64)
    }

    /// A reader that went away has had enough.
    @Test func aReaderMayGoAway() throws {
        let machine = try Machine()
        for number in 0..<3_000 {
            try machine.write("", to: "a/a file with a long name, of which there are many \(number)")
        }
        #expect(try machine.run("init", "a", "--yes").code == 0)
        let result = try shell(machine, "{ docdrive ls 2>&1; echo $? >code; } | head -n 1; cat code")
        #expect(result.output.hasSuffix("0\n") && result.output.split(separator: "\n").count == 2)
    }

    /// Then the next file that is opened would have the number of one of them.
    @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"]) func standardFilesMayBeClosed(_ closed: String) throws {
        let machine = try Machine()
        try machine.write("text\n", to: "a/f")
        #expect(try shell(machine, "docdrive sync --to ../store --yes \(closed)").code == 0)
        try machine.write("more\n", to: "a/g")
        #expect(
            try shell(machine, "docdrive sync \(closed); docdrive log \(closed); docdrive ls -l \(closed)").code == 0)
        #expect(machine.files("a") == ["f": "text\n", "g": "more\n"])
        #expect(try machine.run("verify", "a").code == 0 && machine.run("store", "check", "a").code == 0)
    }
}

extension OutputTests {
    @Test func whoAnswersNoIsNotTheCommandsMistake() throws {
        let machine = try Machine()
        try machine.write("same", to: "any/Note.txt")
        try machine.write("same", to: "any/Note.sync-conflict-20260821-140307-ABCDEFG.txt")
        for command in ["conflicts clean any", "init any --to store"] {
            for (answer, code) in [("n", 1), ("", 1), ("y", 0)] as [(String, Int32)] {
                let script = "printf '\(answer)\\n' | script -qec \"'\(Machine.program)' \(command)\" /dev/null"
                let result = try machine.run(["-c", script], program: "/bin/sh")
                #expect(result.code == code, "\(command), \(answer): \(result.output)")
                #expect(result.output.contains("docdrive: nothing was changed") == (code == 1), "\(result.output)")
            }
        }
        #expect(machine.files("any") == ["Note.txt": "same"])
    }

    /// On a terminal, which `script` (util-linux) is here, no name moves the cursor.
    @Test func namesOnATerminalAreEscaped() throws {
        let machine = try Machine()
        try machine.twoDrives(["a\u{1B}[2Jb.txt": "text\n"])
        let command = "'\(Machine.program)' -C '\(machine.root)/a' ls"
        let result = try machine.run(["-qec", command, "/dev/null"], program: "/usr/bin/script")
        #expect(result.output.contains("a\\x1b[2Jb.txt"), "\(result.output)")
        #expect(!result.output.contains("\u{1B}[2J"))
    }

    /// A line break in a name begins no line that looks like one of the program's. Lists of names are as they are.
    @Test func namesInLinesForPeopleAreEscapedInPipesToo() throws {
        let machine = try Machine()
        let name = "a\ndocdrive: \u{1B}[31mall is lost"
        try machine.twoDrives([name: "text\n"])
        for command in ["log", "why", "versions"] {
            let result = try machine.run("-C", "a", command, name + (command == "versions" ? "x" : ""))
            let text = result.output + result.error
            #expect(
                text.contains("a\\ndocdrive: \\x1b[31mall is lost") || text.contains(#"'a\ndocdrive: \033[31mall"#),
                "\(text)")
            #expect(!text.contains("\u{1B}") && !text.contains("\ndocdrive: all"), "\(text)")
        }
        #expect(try machine.run("-C", "a", "find", "lost").output == name + "\n")
    }

    /// It may have been pasted.
    @Test func aVersionThatThereIsNotSteersNoTerminal() throws {
        let machine = try Machine()
        try machine.twoDrives()
        for command in ["restore", "diff"] {
            let refused = try machine.run("-C", "a", command, "Letter.txt@q\u{1B}[7m\nz")
            #expect(refused.code == 64 && refused.error.contains("no version q\\x1b[7m\\nz: "), "\(refused)")
            #expect(!refused.error.contains("\u{1B}"))
        }
    }

    @Test func aQueryErrorOnATerminalHasLinesOfItsOwn() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let command = "'\(Machine.program)' -C '\(machine.root)/a' find \"$(printf 'size:\\033[2J;  x')\""
        let result = try machine.run(["-qec", command, "/dev/null"], program: "/usr/bin/script")
        let lines = result.output.split(whereSeparator: \.isNewline)
        #expect(lines.count == 3 && lines[1] == "  size:\\x1b[2J;  x" && lines[2] == "       ^", "\(lines)")
    }
}
