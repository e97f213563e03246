import DriveCore
import DriveTesting
import Testing

@testable import FileCoordination

/// One device has a rule of which another does not know, with the real engine over a store in memory. What the rule names goes
/// where the others have it, nothing is left at a name that nobody else has, and all that the rule does not name is in step.
struct RuleMeetingTests {
    private let world = SharedStore()

    /// Two devices with the same files, of which the second has the rule from now on.
    private func devices(
        _ names: DrivePath..., rule: @escaping @Sendable (DrivePath) -> Bool
    ) async throws -> (EngineDevice, EngineDevice) {
        let (a, b) = (world.device(0), world.device(1))
        for name in names {
            if let folder = name.components.count > 1 ? name.parent : nil, folder.components.count == 1,
                a.folder.place(folder.appending("x")) == nil
            {
                #expect(a.folder.makeFolder(at: try #require(a.folder.place(folder))))
            }
            try a.make("\(name)", name)
        }
        try await world.sync(a, b, a)
        b.engine.parts.options.ignores = { path, _ in rule(path) }
        try await world.sync(b)
        return (a, b)
    }

    /// The texts of files, by their paths.
    private func names(_ device: EngineDevice) -> [String: String] {
        var result: [String: String] = [:]
        for (path, entry) in device.folder.tree() {
            if case .file(let bytes) = entry { result["\(path)"] = String(decoding: bytes, as: UTF8.self) }
        }
        return result
    }

    /// Two more turns of both; then nothing is left to do but what the rule hides.
    private func settle(_ devices: EngineDevice...) async throws {
        for _ in 0..<3 { for device in devices { try await world.sync(device) } }
        for device in devices {
            let outcome = try await device.engine.step()
            #expect(outcome.isQuiet && outcome.applied.changedUnderneath == 0)
            #expect(try device.state.parkedRows().isEmpty)
        }
    }

    private static func isText(_ path: DrivePath) -> Bool { path.name?.utf8Text?.hasSuffix(".txt") == true }

    private static func isBuild(_ path: DrivePath) -> Bool { path.components.first == "build" }

    @Test func whatIsRenamedToAHiddenNameIsRenamed() async throws {
        let (a, b) = try await devices("draft", "other", rule: Self.isText)
        try a.move("draft", to: "draft.txt")
        try await settle(a, b)
        #expect(names(b) == ["draft.txt": "draft", "other": "other"])
        // What is made under the old name is a file of its own.
        try b.make("of b", "draft")
        try await settle(b, a)
        #expect(names(a) == ["draft": "of b", "draft.txt": "draft", "other": "other"])
    }

    /// No walk tells that a hidden folder is gone.
    @Test func whatGoesIntoAHiddenFolderThatWasDeletedGoesThere() async throws {
        let (a, b) = try await devices("x", "build/y", rule: Self.isBuild)
        for path: DrivePath in ["build/y", "build"] { try b.remove(path) }
        try a.move("x", to: "build/x")
        try await settle(a, b)
        #expect(names(b) == ["build/x": "x"])
        #expect(names(a) == ["build/x": "x", "build/y": "build/y"])
    }

    @Test func whatGoesIntoAHiddenFolderGoesThere() async throws {
        let (a, b) = try await devices("x", "other", rule: Self.isBuild)
        #expect(a.folder.makeFolder(at: try #require(a.folder.place("build"))))
        try a.move("x", to: "build/x")
        try a.make("new", "build/new")
        try await settle(a, b)
        #expect(names(b) == ["build/x": "x", "other": "other"])
    }

    /// What is in the way is of that device alone, and nobody is asked to move it.
    @Test func whatHasNoRoomWhereItIsHiddenLeaves() async throws {
        let (a, b) = try await devices("x", "draft", "other", rule: { Self.isBuild($0) || Self.isText($0) })
        #expect(b.folder.makeFolder(at: try #require(b.folder.place("build"))))
        try b.make("of b", "build/x")
        try b.make("of b", "draft.txt")
        try await world.sync(b)
        #expect(a.folder.makeFolder(at: try #require(a.folder.place("build"))))
        try a.move("x", to: "build/x")
        try a.move("draft", to: "draft.txt")
        try await settle(a, b)
        #expect(names(b) == ["build/x": "of b", "draft.txt": "of b", "other": "other"])
        #expect(try b.state.problems().isEmpty)
        #expect(Set(b.folder.contents(of: .trash).map { String(decoding: $0, as: UTF8.self) }) == ["x", "draft"])
        #expect(names(a) == ["build/x": "x", "draft.txt": "draft", "other": "other"])
    }

    @Test func whatComesOutOfAHiddenFolderComes() async throws {
        let (a, b) = try await devices("build/y", "other", rule: Self.isBuild)
        try b.remove("build/y")
        try a.move("build/y", to: "result")
        try await settle(b, a)
        #expect(names(b) == ["result": "build/y", "other": "other"])
    }

    /// Of this device alone is what it has written where nothing is sent.
    @Test func whatWasEditedWhileItWasHiddenStays() async throws {
        let (a, b) = try await devices("build/y", "other", rule: Self.isBuild)
        try b.remove("build/y")
        try b.make("of b", "build/y")
        try a.move("build/y", to: "result")
        try await settle(b, a)
        #expect(names(b) == ["build/y": "of b", "result": "build/y", "other": "other"])
        #expect(names(a) == ["result": "build/y", "other": "other"])
    }

    @Test func whatChangesPlacesWithSomethingHiddenDoesSo() async throws {
        let (a, b) = try await devices("draft", "notes.txt", rule: Self.isText)
        try a.move("draft", to: "x")
        try a.move("notes.txt", to: "draft")
        try a.move("x", to: "notes.txt")
        try await settle(a, b)
        #expect(names(b) == ["draft": "notes.txt", "notes.txt": "draft"])
        #expect(names(a) == names(b))
    }

    /// It stays with what a rule hides in it, and nobody waits for it.
    @Test func aDeletedFolderIsKeptForWhatIsHidden() async throws {
        let (a, b) = try await devices("work/x.txt", "other", rule: Self.isText)
        try a.remove("work/x.txt")
        try a.remove("work")
        try await settle(a, b)
        #expect(names(b) == ["work/x.txt": "work/x.txt", "other": "other"])
        #expect(try KeptFolders(b.state).rows().count == 1)
    }

    /// Its folder is deleted with it where the rule holds: it lives on for the others, and nothing here stands for it.
    @Test func whatIsHiddenGoesWithItsFolderAndLivesOn() async throws {
        let (a, b) = try await devices("work/x.txt", "other", rule: Self.isText)
        try b.remove("work/x.txt")
        try b.remove("work")
        try await settle(b, a)
        #expect(names(a) == ["work/x.txt": "work/x.txt", "other": "other"])
        #expect(try await b.faults(hasLostContents: false).isEmpty)
        b.engine.parts.options.ignores = { _, _ in false }
        try await settle(b, a)
        #expect(names(b) == names(a))
    }

    /// What leaves elsewhere has its bytes, and is no file that somebody has moved there.
    @Test func whatIsHiddenAndWasRemovedIsNotMadeOfAnEqualFile() async throws {
        let (a, b) = (world.device(0), world.device(1))
        #expect(a.folder.makeFolder(at: try #require(a.folder.place("work"))))
        for name: DrivePath in ["work/x.txt", "other"] { try a.make("same", name) }
        try await world.sync(a, b, a)
        b.engine.parts.options.ignores = { path, _ in Self.isText(path) }
        try await world.sync(b)
        for name: DrivePath in ["work/x.txt", "work"] { try b.remove(name) }
        try await world.sync(b, a, b)
        try a.remove("other")
        try await settle(a, b)
        #expect(names(b).isEmpty)
        #expect(b.folder.contents(of: .trash).map { String(decoding: $0, as: UTF8.self) } == ["same"])
        #expect(names(a) == ["work/x.txt": "same"])
    }

    /// The rule is new, and nothing has been hidden by it yet when the folder goes.
    @Test func whatANewRuleHidesGoesWithItsFolderAndLivesOn() async throws {
        let (a, b) = try await devices("work/x.txt", "other", rule: { _ in false })
        b.engine.parts.options.ignores = { path, _ in Self.isText(path) }
        try b.remove("work/x.txt")
        try b.remove("work")
        try await settle(b, a)
        #expect(names(a) == ["work/x.txt": "work/x.txt", "other": "other"])
        #expect(try await b.faults(hasLostContents: false).isEmpty)
    }

    /// In whatever order it went: without rules both have the same again, and nothing is lost.
    @Test func withoutTheRuleBothHaveTheSame() async throws {
        let (a, b) = try await devices("draft", "notes.txt", "build/y", rule: { Self.isText($0) || Self.isBuild($0) })
        try a.move("draft", to: "draft.txt")
        try a.move("build/y", to: "y")
        try a.move("notes.txt", to: "build/n")
        try await settle(a, b)
        b.engine.parts.options.ignores = { _, _ in false }
        try await settle(b, a)
        #expect(names(a) == names(b))
        #expect(names(a) == ["draft.txt": "draft", "y": "build/y", "build/n": "notes.txt"])
    }
}
