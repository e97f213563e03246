import Foundation
import Glibc
import TestSupport
import Testing

/// `conflicts clean`: what it says of what it did not read or look at, and how to take back what it did.
@Suite(.mayBlock)
struct CleaningReportTests {
    private let marker = ".sync-conflict-20260821-140307-ABCDEFG"

    private func pair(_ machine: Machine, _ folder: String) throws {
        try machine.write("one\ntwo\n", to: "\(folder)/Note.txt")
        try machine.write("one\n", to: "\(folder)/Note\(marker).txt")
    }

    /// Whatever else the cleaning was given, and whatever the folder is called.
    @Test(arguments: ["my notes' drafts", "-x", "any/Sub"], [false, true])
    func theUndoThatIsToldWorks(name: String, isElsewhere: Bool) throws {
        let machine = try Machine()
        try pair(machine, name)
        let before = machine.files(name)
        let place = isElsewhere ? ["-C", "home"] : []
        let folder = isElsewhere ? "../\(name)" : "./\(name)"
        let options = ["--superset", "--scheme", "syncthing", "--older-than", "0m", "--yes"]
        let cleaned = try machine.run(place + ["conflicts", "clean", folder] + options)
        #expect(cleaned.code == 0, "\(cleaned.error)")
        let total = try #require(cleaned.output.split(separator: "\n").last)
        let parts = total.split(separator: "`").map(String.init)
        try #require(parts.count == 3, "\(total)")
        #expect(parts[0] == "1 copy in the trash; " && parts[2] == " brings back what it took.")
        #expect(parts[1].hasPrefix("docdrive conflicts clean ") && parts[1].hasSuffix(" --undo"))
        let script = #"docdrive() { "$0" "$@" --yes; }; "# + parts[1]
        let undone = try machine.run(["-c", script, Machine.program], program: "/bin/sh")
        #expect(undone.code == 0 && undone.output == "1 copy is back.\n", "\(parts[1]): \(undone)")
        #expect(machine.files(name) == before)
    }

    /// Not even where its size alone says that it has other bytes.
    @Test func whatCannotBeReadIsNotCalledBinary() throws {
        let machine = try Machine()
        let large = String(repeating: "x", count: 2 << 20)
        let texts = [("A", "one", "longer"), ("B", "one", "two"), ("C", "one", "longer"), ("D", "one", large)]
        for (name, original, copy) in texts {
            try machine.write(original, to: "any/\(name).txt")
            try machine.write(copy, to: "any/\(name)\(marker).txt")
        }
        // Two equal copies of an original that nobody can read.
        try machine.write("longer", to: "any/C (conflicted copy 2018-04-10 093612).txt")
        let closed = ["A\(marker).txt", "B\(marker).txt", "C.txt", "D\(marker).txt"].map { "\(machine.root)/any/\($0)" }
        for file in closed { chmod(file, 0) }
        defer { for file in closed { chmod(file, 0o600) } }
        for options in [["--dry-run"], ["--superset", "--yes"]] {
            let told = try machine.runBound(["conflicts", "clean", "any"] + options)
            #expect(told.code == 2, "\(told)")
            let start = "5 copies that cannot be read, or whose original cannot:\n"
            #expect(told.output.hasPrefix(start), "\(told.output)")
            #expect(told.output.hasSuffix("0 copies, 0 bytes. Nothing was changed.\n"), "\(told.output)")
        }
        let lines = try machine.runBound("conflicts", "clean", "any", "--dry-run", "--jsonl")
        #expect(lines.code == 2 && lines.output.components(separatedBy: #""finding":"unreadable""#).count == 6)
    }

    /// A part of the same file system is one too: no rename leads out of it.
    @Test(.enabled(if: FullDiskTests.mayMount, "nothing can be mounted here"))
    func whatIsMountedBelowIsNamedAndLeftAlone() throws {
        let machine = try Machine()
        let root = machine.root
        for folder in ["any", "elsewhere"] { try pair(machine, folder) }
        for folder in ["any/.git", "any/bound", "any/disk"] { mkdir("\(root)/\(folder)", 0o700) }
        var mounted: [String] = []
        defer { for place in mounted { umount2(place, Int32(MNT_DETACH)) } }
        for place in ["\(root)/any/.git", "\(root)/any/bound"] {
            try #require(mount("\(root)/elsewhere", place, nil, UInt(MS_BIND), nil) == 0)
            mounted.append(place)
        }
        try #require(mount("none", "\(root)/any/disk", "tmpfs", 0, "size=1m") == 0)
        mounted.append("\(root)/any/disk")
        try pair(machine, "any/disk")
        let cleaned = try machine.run("conflicts", "clean", "any", "--superset", "--yes")
        #expect(cleaned.code == 0 && cleaned.output.contains("1 copy in the trash; "), "\(cleaned)")
        let told = ["bound", "disk"].map {
            "docdrive: another file system, a bind mount or a subvolume is here, and was left alone: \($0): clean it by itself\n"
        }
        #expect(cleaned.error == told.joined(), "what version control keeps for itself is left alone anyway")
        for folder in ["elsewhere", "any/disk"] { #expect(machine.read("\(folder)/Note\(marker).txt") == "one\n") }
        let own = try machine.run("conflicts", "clean", "any/disk", "--superset", "--yes")
        #expect(own.code == 0 && own.output.contains("1 copy in the trash; "), "\(own)")
    }

    /// As that of a server that does not answer any more: no access to it would help.
    @Test(.enabled(if: mayMountFUSE, "nothing of FUSE can be mounted here"))
    func aMountThatCannotBeLookedAtIsNamed() throws {
        let machine = try Machine()
        for folder in ["any", "any/Sub"] { try pair(machine, folder) }
        let place = "\(machine.root)/any/Sub/dead"
        mkdir(place, 0o700)
        try #require(Self.mountDead(place))
        defer { umount2(place, Int32(MNT_DETACH)) }
        let cleaned = try machine.run("conflicts", "clean", "any", "--superset", "--yes")
        #expect(cleaned.code == 2 && cleaned.output.contains("2 copies in the trash; "), "\(cleaned)")
        let advice = "unmount it, or bring its server back\n"
        #expect(cleaned.error == "docdrive: what is mounted here cannot be looked at: Sub/dead: \(advice)")
    }

    private static let mayMountFUSE: Bool = {
        let place = NSTemporaryDirectory() + "docdrive-dead-\(UUID().uuidString)"
        mkdir(place, 0o700)
        defer { rmdir(place) }
        guard FullDiskTests.mayMount, mountDead(place) else { return false }
        umount2(place, Int32(MNT_DETACH))
        return true
    }()

    /// A file system whose program has ended.
    private static func mountDead(_ place: String) -> Bool {
        let number = open("/dev/fuse", O_RDWR | O_CLOEXEC)
        guard number >= 0 else { return false }
        defer { close(number) }
        let options = "fd=\(number),rootmode=40000,user_id=\(getuid()),group_id=\(getgid())"
        return mount("none", place, "fuse", 0, options) == 0
    }
}
