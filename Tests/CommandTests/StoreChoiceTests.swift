import Foundation
import Testing

/// Two stores that a tool which syncs folders has brought into one.
struct StoreChoiceTests {
    private let machine: Machine
    private let ids: [String]

    init() throws {
        machine = try Machine()
        var ids: [String] = []
        let all = "\(machine.root)/stores/dd1"
        try FileManager.default.createDirectory(atPath: all, withIntermediateDirectories: true)
        for name in ["one", "two"] {
            try machine.write(name, to: "\(name)/\(name)")
            #expect(try machine.run("sync", name, "--to", "store-\(name)", "--yes").code == 0)
            let place = "\(machine.root)/store-\(name)/dd1"
            let id = try #require(try FileManager.default.contentsOfDirectory(atPath: place).first)
            try FileManager.default.moveItem(atPath: "\(place)/\(id)", toPath: "\(all)/\(id)")
            ids.append(id)
        }
        self.ids = ids
    }

    @Test func whoeverJoinsIsToldHowToChooseAndCan() throws {
        let asked = try machine.run("sync", "new", "--to", "stores", "--yes")
        #expect(asked.code == 78 && asked.error.contains("choose one with --store-id"), "\(asked.error)")
        #expect(ids.allSatisfy(asked.error.contains))
        let look = try machine.run("sync", "new", "--to", "stores", "--store-id", ids[1], "--dry-run")
        #expect(look.code == 0 && look.output.contains("2 only there come here"), "\(look.output) \(look.error)")
        let joined = try machine.run("sync", "new", "--to", "stores", "--store-id", ids[1], "--yes")
        #expect(joined.code == 0, "\(joined.error)")
        #expect(machine.files("new") == ["two": "two"])
        // From then on it is known.
        #expect(try machine.run("sync", "new").code == 0)
        #expect(try machine.run("sync", "new", "--to", "stores", "--store-id", ids[1]).code == 0)
        let other = try machine.run("sync", "new", "--to", "stores", "--store-id", ids[0])
        #expect(other.code == 64 && other.error.contains("the drive has the store \(ids[1])"), "\(other.error)")
    }

    @Test func noStoreIsMadeInThePlaceOfTheOneThatIsNamed() throws {
        let unknown = String(repeating: "a", count: 26)
        for place in ["stores", "nowhere"] {
            let result = try machine.run("init", "new", "--to", place, "--store-id", unknown, "--yes")
            #expect(result.code == 64 && result.error.contains("no store with this --store-id"), "\(result.error)")
        }
        for options in [["--store-id", ids[0]], ["--to", "stores", "--store-id", "x"]] {
            #expect(try machine.run(["sync", "new"] + options).code == 64)
        }
        #expect(machine.files("new").isEmpty && machine.files("nowhere").isEmpty)
    }
}

/// Two devices that made the store of one place at the same moment, of which each has seen its own.
@Suite(.mayBlock)
struct StoreMeetingTests {
    private let machine: Machine

    init() throws {
        machine = try Machine()
        for name in ["a", "b"] { try machine.write(name, to: "\(name)/\(name)") }
        #expect(try machine.run("init", "a", "--to", "store", "--yes").code == 0)
    }

    private func id(_ folder: String) throws -> String {
        let settings = try #require(machine.read("\(folder)/.docdrive/config.toml"))
        let line = try #require(settings.split(separator: "\n").first { $0.hasPrefix("store-id") })
        return try #require(line.split(separator: "\"").dropFirst().first.map(String.init))
    }

    /// Brings the store of `b`, which has published to it, beside that of `a`.
    private func meet() throws -> String {
        #expect(try machine.run("sync", "b", "--to", "other", "--yes").code == 0)
        let theirs = try id("b")
        try machine.move("other/dd1/\(theirs)", to: "store/dd1/\(theirs)")
        return theirs
    }

    @Test(arguments: [false, true]) func theOneThatHasPublishedNothingTakesTheOthers(isWatched: Bool) throws {
        let theirs = try meet()
        #expect(try id("a") != theirs)
        if isWatched {
            let watch = try machine.start("watch", "a")
            defer { watch.end() }
            #expect(eventually { machine.files("a") == ["a": "a", "b": "b"] }, "\(watch.error)")
        } else {
            let sync = try machine.run("sync", "a")
            #expect(sync.code == 0 && machine.files("a") == ["a": "a", "b": "b"], "\(sync)")
        }
        #expect(try id("a") == theirs)
    }

    @Test func ofTwoThatNobodyUsesBothTakeTheSame() throws {
        #expect(try machine.run("init", "b", "--to", "other", "--yes").code == 0)
        let ids = [try id("a"), try id("b")]
        try machine.move("other/dd1/\(ids[1])", to: "store/dd1/\(ids[1])")
        #expect(try machine.run("sync", "a").code == 0)
        // Letters come before digits (RFC 4648, section 6).
        let digits = Array("abcdefghijklmnopqrstuvwxyz234567")
        let values = ids.map { id in id.compactMap { digits.firstIndex(of: $0) } }
        #expect(try id("a") == (values[0].lexicographicallyPrecedes(values[1]) ? ids[0] : ids[1]))
    }

    /// Nor whoever has published: then it is for a person to decide.
    @Test func whatWasChosenStays() throws {
        let own = try id("a")
        let joined = try machine.run("init", "c", "--to", "store", "--store-id", own, "--yes")
        #expect(joined.code == 0, "\(joined)")
        let theirs = try meet()
        #expect(try machine.run("sync", "c").code == 0)
        #expect(try id("c") == own)
        let found = try machine.run("-C", "c", "doctor")
        #expect(found.output.contains("nothing with this drive: \(theirs)"), "\(found)")
    }
}
