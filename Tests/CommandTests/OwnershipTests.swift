import Foundation
import Glibc
import TestSupport
import Testing

/// `sudo docdrive`, and services that run as root: a person can still use what was made in their folder.
@Suite(.mayBlock)
struct OwnershipTests {
    private static let person: uid_t = 4711

    @Test func whatRootMakesBelongsToWhoseTheFolderIs() throws {
        guard geteuid() == 0 else { try Test.cancel("only root may give files away") }
        let machine = try Machine()
        try machine.write("a\n", to: "a/letter")
        try machine.write("", to: "store/here")
        try machine.remove("store/here")
        for folder in ["a", "store"] { try #require(chown("\(machine.root)/\(folder)", Self.person, Self.person) == 0) }
        try #require(chown("\(machine.root)/a/letter", Self.person, Self.person) == 0)
        try machine.twoDrives([:])
        try machine.write("x\n", to: "b/new/deep/x")
        try machine.write("b\n", to: "b/letter")
        #expect(symlink("letter", "\(machine.root)/b/link") == 0)
        try machine.settle()
        let watch = try machine.watch("a")
        try machine.write("later\n", to: "b/new/later")
        #expect(try machine.run("sync", "b").code == 0)
        #expect(try machine.run("-C", "a", "sync").code == 0)
        #expect(machine.read("a/new/later") == "later\n")
        watch.end()
        _ = try machine.run("-C", "a", "find", "letter", "--save", "letters")
        #expect(machine.read("a/.docdrive/searches/letters.json") != nil)
        for folder in ["a", "store"] {
            #expect(others(machine, folder).isEmpty)
        }
        // Root's own stay root's.
        var facts = stat()
        #expect(lstat("\(machine.root)/b/letter", &facts) == 0 && facts.st_uid == 0)
    }

    /// Root works on it for that person, to whom all of it is to belong.
    @Test func theDoctorGivesTheDriveOfAPersonToNobodyElse() throws {
        guard geteuid() == 0 else { try Test.cancel("only root may give files away") }
        let machine = try Machine()
        try machine.write("a\n", to: "a/letter")
        try #require(chown("\(machine.root)/a", Self.person, Self.person) == 0)
        try machine.twoDrives([:])
        let looked = try machine.run("doctor", "a").output
        #expect(looked.contains("open to its owner alone"), "\(looked)")
        try #require(chown("\(machine.root)/a/.docdrive/config.toml", 0, 0) == 0)
        let found = try machine.run("doctor", "a").output
        #expect(found.contains("config.toml belongs to somebody else"), "\(found)")
        #expect(found.contains("sudo chown --reference="), "\(found)")
    }

    /// Another name of a file of root's, where ours are looked for: to give that away would be to give all away.
    @Test func whatIsRootsStaysRoots() throws {
        guard geteuid() == 0 else { try Test.cancel("only root may give files away") }
        let machine = try Machine()
        try machine.write("secret\n", to: "secret")
        try machine.write("a\n", to: "a/letter")
        try #require(chown("\(machine.root)/a", Self.person, Self.person) == 0)
        try machine.twoDrives([:])
        let names = ["lock", "coordination", "config.toml.new", "search.sqlite", "reserve", "reserve-for-making-room"]
        for name in names {
            try? machine.remove("a/.docdrive/\(name)")
            try #require(link("\(machine.root)/secret", "\(machine.root)/a/.docdrive/\(name)") == 0)
        }
        _ = try machine.run("sync", "a")
        _ = try machine.run("-C", "a", "config", "set", "scrub-days", "30")
        _ = try machine.run("-C", "a", "find", "--refresh", "letter")
        var facts = stat()
        #expect(lstat("\(machine.root)/secret", &facts) == 0 && facts.st_uid == 0 && facts.st_gid == 0)
    }

    /// What there belongs to somebody else.
    private func others(_ machine: Machine, _ folder: String) -> [String] {
        let root = "\(machine.root)/\(folder)"
        let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        #expect(names.count > 3)
        return names.filter { name in
            var facts = stat()
            return lstat("\(root)/\(name)", &facts) != 0 || facts.st_uid != Self.person || facts.st_gid != Self.person
        }
    }
}
