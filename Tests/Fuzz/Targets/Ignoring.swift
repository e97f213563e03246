@testable import DriveCore

extension FuzzTarget {
    /// Two files of ignore rules, one further down, and paths that they are asked about, each on a line.
    static let ignore = FuzzTarget(name: "ignore", run: Ignoring.run, seeds: Ignoring.seeds)
}

private enum Ignoring {
    static func run(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let files = [input.bytes(), input.bytes()]
        let rules = files.map { IgnoreRules($0) }
        var tree = IgnoreTree()
        tree[.root] = rules[0]
        tree["a"] = rules[1]
        for (file, rules) in zip(files, rules) { try check(rules, of: file) }
        for line in input.remainder().split(separator: 0x0A, maxSplits: 16) {
            let path = DrivePath(bytes: line)
            guard path.components.allSatisfy(\.isValid) else { continue }
            for isFolder in [false, true] { try check(tree, rules[0], path, isFolder) }
        }
    }

    static func seeds() -> [[UInt8]] {
        let second = "!keep.txt\n/only-here\n"
        let paths = "a/b.txt\na/keep.txt\nbuild/x/y.o\ndoc/frotz/z\n.~lock.x#\na/x]y\nÜ.tmp\na/only-here\n"
        let files = [
            IgnoreRules.defaultFile, "*.txt\n!keep.txt\n/build/\ndoc/**/z\n**/y.o\na/**\n",
            "[a-c]?[!x]*\n[[:alpha:]].tmp\n",
            "\u{FEFF}x\\ \r\ny \r\n\\#z\n\\!w\n", "[\n[]\n[z-a]\n[[:none:]]\nx\\\n//\na//b\n./x\n\n",
            "**\n**/**\n***\n*/*/*\n",
        ]
        return files.map { measured(Array($0.utf8)) + measured(Array(second.utf8)) + Array(paths.utf8) }
    }

    private static func check(_ rules: IgnoreRules, of file: [UInt8]) throws {
        let lines = file.count { $0 == 0x0A } + 1
        let numbers = rules.rules.map(\.line) + rules.problems.map(\.line)
        try require(Set(numbers).count == numbers.count, "each line is a rule, or a problem, or nothing")
        try require(numbers.allSatisfy { (1...lines).contains($0) }, "a rule stands on a line of the file")
        try require(rules.problems.allSatisfy { !$0.reason.isEmpty }, "a problem has a reason")
    }

    private static func check(_ tree: IgnoreTree, _ root: IgnoreRules, _ path: DrivePath, _ isFolder: Bool) throws {
        let decision = tree.decision(for: path, isFolder: isFolder)
        try require(
            tree.ignores(path, isFolder: isFolder) == (decision?.isIgnored ?? false), "one decision, told twice")
        guard let decision else { return }
        try require(path.isInside(decision.path), "a rule matched the path or a folder above it")
        try require(decision.isIgnored || decision.path == path, "only what is ignored hides what is below it")
        try require([".driveignore", "a/.driveignore"].contains(decision.file), "a rule comes from a file")
        guard decision.file == ".driveignore" else { return }
        // The rule matches by itself too, whatever stands around it.
        let alone = IgnoreRules(decision.text)
        try require(alone.rules.count == 1 || decision.text.first == 0xEF, "a rule is one by itself")
        guard alone.rules.count == 1 else { return }
        var single = IgnoreTree()
        single[.root] = alone
        let again = single.decision(for: decision.path, isFolder: isFolder || decision.path != path)
        // Nothing lets the folder above go that it matches as well.
        try require(again.map { decision.path.isInside($0.path) } == true, "a rule matches by itself")
        try require(again?.isIgnored == decision.isIgnored, "a rule decides the same by itself")
    }
}
