@testable import DriveCore

extension FuzzTarget {
    /// Names of conflict copies: a file's name, a label, a time, an ordinal.
    static let conflictNames = FuzzTarget(name: "conflict-names", run: ConflictNames.run, seeds: ConflictNames.seeds)
    /// Two texts and their ancestor.
    static let conflictClasses = FuzzTarget(
        name: "conflict-classes", run: ConflictClasses.run, seeds: ConflictClasses.seeds)
}

private enum ConflictNames {
    static func run(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let name = FileName(bytes: input.bytes())
        let label = input.text()
        let time = HybridTime(rawValue: input.number(UInt64.self))
        let ordinal = Int(input.byte()) + 1
        guard name.isValid else { return }
        for scheme in ConflictScheme.allCases {
            guard let marker = scheme.parse(name) else { continue }
            try require(marker.original.isValid, "a copy is one of a file that a disk can hold")
            try require(marker.original.bytes.count < name.bytes.count, "a copy's name is longer than the original's")
        }
        if let candidate = ConflictCandidate(DrivePath([name])) { _ = candidate.family }
        guard ConflictName.isValidLabel(label) else { return }
        try require(label.utf8.first != 0x20 && label.utf8.last != 0x20, "a label has no space at an end")
        let copy = ConflictName.derived(from: name, device: label, time: time, ordinal: ordinal)
        try require(copy.isValid, "a copy's name fits on a disk")
        guard let parsed = ConflictName.parse(copy) else {
            // All of the name was a marker, or its end had to give way.
            try require(copy.bytes.first == 0x20 || copy.bytes.count > 200, "a copy's name is known again")
            return
        }
        try require(parsed.device == label, "a copy tells its device")
        try require(parsed.time == ConflictName.timeText(milliseconds: time.milliseconds), "a copy tells its time")
        let again = ConflictName.derived(from: copy, device: label, time: time, ordinal: ordinal)
        try require(again.bytes.count <= copy.bytes.count, "markers do not pile up")
    }

    static func seeds() -> [[UInt8]] {
        let names = [
            "Budget.ods", "src.tar.gz", ".bashrc", "a..b", "Budget (conflicted copy from pc 2026-08-21 140307) 2.ods",
            "x.sync-conflict-20260821-140307-ABCDEFG.txt", "x (conflicted copy 2026-08-21 140307).txt",
            "x (SFConflict me@example.org 2026-08-21-14-03-07).txt", ". (conflicted copy 2026-08-21 140307)",
            "x_conflict_me-20260821-140307.txt", "x (conflict #1_on_2026-08-21_was_deleted).txt",
            "x.txt.2026-08-21-conflict1", "x.txt..path2", "x (Ann's conflicted copy 2026-08-21 (1)).txt",
            "x (Copie en conflit de pc 2026-08-21).txt", "x (Case Conflict 1).txt", "x (conflicting copy 1).txt",
            "x-my-host-safeBackup-0001.txt", "x.variant-c696.txt", "x.Conflict1.txt",
            "x (Conflicted copy pc 202608211403).md", "x 2.txt", "x (1).txt",
        ]
        let rest = measured(Array("pc 2".utf8)) + [0x01, 0xA0, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0x01]
        return names.map { measured(Array($0.utf8)) + rest }
    }
}

private enum ConflictClasses {
    static func run(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let a = input.bytes()
        let b = input.bytes()
        let ancestor = input.choice(2) == 0 ? nil : input.remainder()
        let found = ConflictClass(a, b, ancestor: ancestor)
        try require(found == ConflictClass(b, a, ancestor: ancestor), "the class does not depend on the order")
        try require((found == .identical) == (a == b), "equal bytes are identical")
        try require(ConflictClass(nil, b, ancestor: ancestor) == .deleteVersusEdit, "a side that is gone was deleted")
    }

    static func seeds() -> [[UInt8]] {
        let base = "one\ntwo\nthree\nfour\nfive\n"
        let pairs = [
            ("zero\none\ntwo\nthree\nfour\nfive\n", "one\ntwo\nthree\nfour\nFIVE\n"), ("one\n", "two\n"), (base, base),
            ("one\ntwo\nthree\n", base), ("\u{0}", "x"), ("", "one"),
        ]
        return pairs.map { measured(Array($0.utf8)) + measured(Array($1.utf8)) + [1] + Array(base.utf8) }
    }
}
