import TestSupport
import Testing

/// Simple searches are read without the parser: they mean what they mean to it.
@Suite(.mayBlock)
struct PlainFindTests {
    /// A colour is nothing that such a search has, and changes nothing that is not a state: it brings in the parser.
    private func parsed(_ arguments: [String]) -> [String] { ["find", "--color", "never"] + arguments }

    @Test func theyAreReadAsTheParserReadsThem() throws {
        let machine = try Machine()
        for (name, text) in [
            ("apple.txt", "red fruit\n"), ("pear.md", "green fruit\n"), ("-n.txt", "dash\n"), ("--count", "dash\n"),
            ("help", "help\n"),
        ] { try machine.write(text, to: "a/\(name)") }
        #expect(try machine.run("init", "a", "--yes").code == 0)
        #expect(try machine.run("-C", "a", "find", "--refresh", "fruit").code == 0)
        #expect(try machine.run("-C", "a", "find", "--save", "fruits", "fruit").code == 0)
        for arguments in [
            [], ["fruit"], ["fruit", "red"], ["apple", "--count"], ["--count", "fruit"], ["-count", "fruit"],
            ["-name", "p"],
            ["--name", "p", "--limit", "1"], ["--limit", "+1", "--name", "p"], ["--limit", "x"], ["--limit", "-1"],
            ["--limit"], ["--limit", "1", "--limit", "2", "p"], ["--name"], ["--name", "--count"], ["--name", "-n"],
            ["--sort", "name"], ["--sort", "-name"], ["--sort", "name", "--sort", "size"], ["--sort", "nothing"],
            ["--predicate", "kMDItemFSName LIKE 'p*'"], ["--predicate", "kMDItemFSName LIKE 'p*'", "fruit"],
            ["--predicate", "kMDItem"], ["-l", "fruit"], ["-0", "fruit"], ["-0", "-l"], ["-0", "--json"],
            ["--json", "fruit"], ["--jsonl", "fruit"], ["--json", "--jsonl"], ["--json", "--count", "fruit"],
            ["-name", "-n"], ["-name", "-name"], ["--name", "-0"], ["--name", "--limit", "1"], ["--name", "--help"],
            ["-name", "-h"], ["--name", "--"], ["--name", "--", "p"], ["--name=-n"], ["--name", "--name=-n"],
            ["--fail-empty", "nothing"], ["--count", "--count"], ["help"], ["--help"], ["fruit", "help"], [""], ["--"],
            ["--", "-n"], ["-n"], ["@fruits"], ["@fruits", "red"], ["@none"], ["kind:nothing"], ["\"fruit"],
            ["--name="],
            ["--name=p"], ["--counts"], ["\u{301}p"], ["-\u{301}p"], ["--name", "\u{301}p"], ["fruit", "-red"],
        ] {
            let plain = try machine.run(["-C", "a", "find"] + arguments)
            let whole = try machine.run(["-C", "a"] + parsed(arguments))
            #expect(plain.code == whole.code, "\(arguments)")
            #expect(plain.output == whole.output, "\(arguments)")
            #expect(plain.error == whole.error, "\(arguments)")
        }
    }
}
