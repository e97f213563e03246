import Foundation
import Glibc
import TestSupport
import Testing

/// Drives that another user has made of a folder above, as anybody can of /tmp.
@Suite(.mayBlock)
struct ForeignDriveTests {
    private static let stranger: uid_t = 4711

    /// A drive `a` in a folder of ours, which somebody else has made one.
    private func foreign(_ variables: [String: String] = [:]) throws -> Machine {
        guard geteuid() == 0 else { try Test.cancel("only root may give files away") }
        let machine = try Machine(variables: variables)
        try machine.twoDrives(["work/old": "old\n"])
        try #require(chown("\(machine.root)/a/.docdrive", Self.stranger, Self.stranger) == 0)
        try machine.write("secret\n", to: "a/work/secret")
        return machine
    }

    @Test(arguments: [
        ["sync"], ["watch"], ["watch", "--wait-for-drive", ".."], ["wait"], ["status"], ["ls"],
        ["find", "--refresh", "secret"],
        ["find", "secret"],
        ["why", "secret"], ["log"], ["restore", "old"], ["trash"], ["tag", "secret", "--add", "x"], ["doctor"],
        ["conflicts", "clean", ".", "--dry-run"], ["service", "status"],
    ]) func noCommandTakesThemForOnesOwn(_ command: [String]) throws {
        let machine = try foreign()
        let refused = try machine.run(["-C", "a/work"] + command)
        #expect(refused.code == 78 && refused.output.isEmpty, "\(refused)")
        let sentence =
            "docdrive: this drive belongs to another user (uid 4711), who says where all that lies beneath it is sent: "
        #expect(machine.plain(refused.error).hasPrefix(sentence + "~/a/.docdrive: "), "\(refused.error)")
        #expect(try machine.run("sync", "b").code == 0)
        #expect(machine.read("b/work/secret") == nil)
    }

    /// Nor does one make a drive of a folder where they have put something ready.
    @Test func noDriveIsMadeOfWhatIsThere() throws {
        let machine = try foreign()
        try machine.write("x\n", to: "c/.docdrive/x")
        try machine.write("x\n", to: "c/x")
        try #require(chown("\(machine.root)/c/.docdrive", Self.stranger, Self.stranger) == 0)
        for command in [
            ["init", "c", "--yes"], ["sync", "c", "--to", "store", "--yes"], ["sync", "a", "--to", "store", "--yes"],
        ] {
            let refused = try machine.run(command)
            #expect(refused.code == 78 && refused.error.contains("belongs to another user"), "\(refused)")
        }
        // That its marker is lost is told to whose it is.
        try machine.remove("a/.docdrive/replica")
        let refused = try machine.run("-C", "a/work", "sync")
        #expect(refused.code == 78 && refused.error.contains("belongs to another user"), "\(refused)")
    }

    /// A line that allows it does not open it, and nobody but its owner can.
    @Test(arguments: [false, true]) func whoseADriveIsThatOneCannotLookIntoIsNamed(isAllowed: Bool) throws {
        let machine = try foreign()
        func runAsNobody(_ arguments: String...) throws -> Machine.Result {
            let options = ["--reuid=65534", "--regid=65534", "--clear-groups", Machine.program]
            return try machine.run(options + arguments, program: "/usr/bin/setpriv")
        }
        guard try runAsNobody("--version").code == 0 else { try Test.cancel("nobody else can run the program here") }
        #expect(chmod("\(machine.root)/a/.docdrive", 0o700) == 0)
        if isAllowed { try machine.write("*\n", to: "home/.config/docdrive/allowed-drives") }
        for command in [["-C", "a/work", "status"], ["-C", "a", "ls"], ["-C", "a", "log"]] {
            let refused = try runAsNobody(command[0], command[1], command[2])
            #expect(refused.code != 0, "\(command): \(refused)")
            let sentence = "this drive belongs to another user (uid 4711), who alone can work on it"
            #expect((refused.output + refused.error).contains(sentence), "\(command): \(refused)")
        }
    }

    @Test func whatIsSaidToDoAllowsThem() throws {
        let machine = try foreign()
        let refused = try machine.run("sync", "a")
        let parts = refused.error.split(separator: "`", omittingEmptySubsequences: false)
        try #require(refused.code == 78 && parts.count == 3, "\(refused)")
        #expect(try machine.run(["-c", String(parts[1])], program: "/bin/sh").code == 0)
        #expect(machine.read("home/.config/docdrive/allowed-drives") == "\(machine.root)/a\n")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("sync", "b").code == 0)
        #expect(machine.read("b/work/secret") == "secret\n")
        // Another one is not meant.
        try machine.write("/nowhere\n\(machine.root)/a/work\n", to: "home/.config/docdrive/allowed-drives")
        #expect(try machine.run("sync", "a").code == 78)
        try machine.write("# all\n*\n", to: "home/.config/docdrive/allowed-drives")
        #expect(try machine.run("sync", "a").code == 0)
    }

    /// As `safe.directory` of git, and as editors leave lines.
    @Test func theyAreNamedInSeveralWays() throws {
        let machine = try foreign()
        let file = "home/.config/docdrive/allowed-drives"
        let place = "\(machine.root)/a"
        for line in ["\(place)\r\n", " \(place) \t\n", "~/../a", "~/../a/\r\n", "* \r\n", "\(machine.root)/*\n"] {
            try machine.write("# ours\r\n\r\n\(line)", to: file)
            let synced = try machine.run("sync", "a")
            #expect(synced.code == 0, "\(line): \(synced)")
        }
        for line in ["\(place)/*", "\(machine.root)/b", "~", "#\(place)"] {
            try machine.write("\(line)\r\n", to: file)
            let refused = try machine.run("sync", "a")
            #expect(refused.code == 78 && !refused.error.contains("; line "), "\(line): \(refused)")
        }
    }

    /// Nobody looks in vain for why a line does not help.
    @Test(arguments: ["a", "~somebody/a", "\"/a\""]) func aLineThatMeansNothingIsTold(_ line: String) throws {
        let machine = try foreign()
        let file = "home/.config/docdrive/allowed-drives"
        try machine.write("# ours\n\(line)", to: file)
        let refused = try machine.run("sync", "a")
        let sentence = "; line 2 of that file allows none as it is: begin its path with / or ~/\n"
        #expect(refused.code == 78 && refused.error.hasSuffix(sentence), "\(refused)")
        // What is said to do is a line of its own.
        let parts = refused.error.split(separator: "`", omittingEmptySubsequences: false)
        try #require(parts.count == 3, "\(refused)")
        #expect(try machine.run(["-c", String(parts[1])], program: "/bin/sh").code == 0)
        #expect(machine.read(file) == "# ours\n\(line)\n\(machine.root)/a\n")
        #expect(try machine.run("sync", "a").code == 0)
    }

    @Test func allLinesThatMeanNothingAreTold() throws {
        let machine = try foreign()
        try machine.write("a\r\n/nowhere\r\n~somebody/a\r\n\r\n", to: "home/.config/docdrive/allowed-drives")
        let refused = try machine.run("sync", "a")
        let sentence = "; the lines 1, 3 of that file allow none as they are: begin their paths with / or ~/\n"
        #expect(refused.code == 78 && refused.error.hasSuffix(sentence), "\(refused)")
    }

    @Test func aListThatCannotBeReadIsNamed() throws {
        let machine = try foreign()
        try machine.write("x", to: "home/.config/docdrive/allowed-drives/x")
        let refused = try machine.run("sync", "a")
        let sentence = "allowed-drives, where it is to be named: cannot read it: it is no file; move it away\n"
        #expect(refused.code == 78 && refused.error.hasSuffix(sentence), "\(refused)")
    }

    @Test func whoBecameRootKeepsTheirDrives() throws {
        let machine = try foreign(["SUDO_UID": "4711"])
        #expect(try machine.run("-C", "a/work", "sync").code == 0)
        #expect(try machine.run("sync", "b").code == 0)
        #expect(machine.read("b/work/secret") == "secret\n")
    }

    /// A service of root keeps the drive of a person; from a folder of root's in it, it is another's.
    @Test func rootWorksOnTheDriveOfWhoseTheFolderIs() throws {
        let machine = try foreign()
        try #require(chown("\(machine.root)/a", Self.stranger, Self.stranger) == 0)
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("-C", "a/work", "sync").code == 78)
        try #require(chown("\(machine.root)/a/work", Self.stranger, Self.stranger) == 0)
        #expect(try machine.run("-C", "a/work", "sync").code == 0)
    }
}
