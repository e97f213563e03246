import DriveCore
import FileCoordination
import Foundation
import Testing

@testable import DocumentDrive

/// Two devices in one process.
private final class TwoDevices: Sendable {
    let root = NSTemporaryDirectory() + "docdrive-handler-\(UUID().uuidString)"
    let handler: ConflictHandler

    init(_ handler: @escaping ConflictHandler) async throws {
        self.handler = handler
        for name in ["a", "b"] {
            try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
        }
        try write("one\ntwo\nthree\n", to: "a/text.txt")
        let store = try StoreAddress(Array("\(root)/store".utf8))
        for name in ["a", "b"] {
            try await DriveSetup(folder: folder(name), store: store, deviceName: name).carryOut()
            try await sync(name)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    func folder(_ name: String) -> FolderPath { FolderPath("\(root)/\(name)") }
    func write(_ text: String, to path: String) throws {
        try text.write(toFile: "\(root)/\(path)", atomically: false, encoding: .utf8)
    }
    func read(_ path: String) -> String? { try? String(contentsOfFile: "\(root)/\(path)", encoding: .utf8) }
    func names(_ name: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(name)")) ?? [])
            .filter { !$0.hasPrefix(".") }.sorted()
    }
    func open(_ name: String) throws -> Drive { try Drive.open(folder(name), conflictHandler: handler) }

    func sync(_ name: String) async throws { _ = try await open(name).sync() }
    func settle() async throws { for name in ["a", "b", "a", "b"] { try await sync(name) } }

    func conflict() async throws {
        try write("one\ntwo\nthree by a\n", to: "a/text.txt")
        try write("one by b\ntwo\nthree\n", to: "b/text.txt")
        try await settle()
    }
}

struct ConflictHandlerTests {
    private static func text(_ path: FolderPath) -> String {
        (try? String(contentsOfFile: path.description, encoding: .utf8)) ?? ""
    }

    @Test func whatTheHandlerMergesIsTheOnlyContentEverywhere() async throws {
        let devices = try await TwoDevices { sides in
            let ancestor = sides.ancestor.map(Self.text)
            guard ancestor == "one\ntwo\nthree\n", sides.conflict.kind == .mergeable else { return .both }
            return .merged(Array([Self.text(sides.local), Self.text(sides.remote)].sorted().joined().utf8))
        }
        try await devices.conflict()
        for name in ["a", "b"] {
            #expect(devices.names(name) == ["text.txt"])
            #expect(devices.read("\(name)/text.txt") == "one\ntwo\nthree by a\none by b\ntwo\nthree\n".sortedHalves)
            #expect(try DriveReader(devices.folder(name)).conflicts().isEmpty)
        }
    }

    @Test func whoThrowsIsAskedOnceInEachSync() async throws {
        struct Busy: Error {}
        let asked = Counter()
        let devices = try await TwoDevices { _ in
            await asked.add()
            throw Busy()
        }
        try devices.write("by a\n", to: "a/text.txt")
        try devices.write("by b\n", to: "b/text.txt")
        try await devices.sync("a")
        for syncs in 1...3 {
            try await devices.sync("b")
            #expect(await asked.count == syncs)
        }
    }

    @Test func whoIsCancelledInTheHandlerIsToldSo() async throws {
        let asked = Counter()
        let devices = try await TwoDevices { _ in
            await asked.add()
            // The sync's own task, as whoever waits for it would.
            withUnsafeCurrentTask { $0?.cancel() }
            throw CancellationError()
        }
        try devices.write("by a\n", to: "a/text.txt")
        try devices.write("by b\n", to: "b/text.txt")
        try await devices.sync("a")
        // Not the test's own task.
        await #expect(throws: CancellationError.self) { try await Task { try await devices.sync("b") }.value }
        #expect(await asked.count == 1 && devices.names("b").count == 2)
    }

    @Test func whoKeepsBothIsAskedOnce() async throws {
        let asked = Counter()
        let devices = try await TwoDevices { sides in
            await asked.add()
            #expect(sides.local != sides.remote)
            return .both
        }
        try await devices.conflict()
        try await devices.settle()
        #expect(await asked.count == 2, "each device once")
        #expect(devices.names("a").count == 2)
    }

    /// Each line of both sides, once.
    private static func lines(_ sides: ConflictSides) -> [UInt8] {
        let lines = (text(sides.local) + text(sides.remote)).split(separator: "\n")
        return Array(Set(lines).sorted().joined(separator: "\n").utf8) + [0x0A]
    }

    @Test func ofTwoCopiesNoneIsLost() async throws {
        let devices = try await TwoDevices { .merged(Self.lines($0)) }
        try FileManager.default.createDirectory(atPath: "\(devices.root)/c", withIntermediateDirectories: true)
        let store = try StoreAddress(Array("\(devices.root)/store".utf8))
        try await DriveSetup(folder: devices.folder("c"), store: store, deviceName: "c").carryOut()
        try await devices.sync("c")
        for name in ["a", "b", "c"] { try devices.write("by \(name)\n", to: "\(name)/text.txt") }
        // Two of them publish before anybody merges.
        for name in ["a", "b"] { _ = try await Drive.open(devices.folder(name)).sync() }
        for _ in 0..<3 { for name in ["c", "a", "b"] { try await devices.sync(name) } }
        for name in ["a", "b", "c"] {
            #expect(devices.names(name) == ["text.txt"])
            #expect(devices.read("\(name)/text.txt") == "by a\nby b\nby c\n")
        }
    }

    @Test func whatIsSavedWhileTheHandlerThinksIsMergedToo() async throws {
        let saved = Counter()
        let devices = try await TwoDevices { sides in
            let answer = Self.lines(sides)
            // A person, in the middle.
            if await saved.add() == 1 {
                let file = sides.conflict.copySide?.device == "b" ? sides.local : sides.remote
                let other = file == sides.local ? sides.remote : sides.local
                let name = file.description.contains("conflicted copy") ? other : file
                try (Self.text(name) + "saved meanwhile\n").write(
                    toFile: name.description, atomically: false, encoding: .utf8)
            }
            return .merged(answer)
        }
        try await devices.conflict()
        try await devices.settle()
        let text = try #require(devices.read("a/text.txt"))
        for line in ["saved meanwhile", "three by a", "one by b"] { #expect(text.contains(line), "\(text)") }
        #expect(devices.read("b/text.txt") == text)
    }

    @Test func whoseCopyIsSavedMeanwhileKeepsBoth() async throws {
        let asked = Counter()
        let devices = try await TwoDevices { sides in
            guard await asked.add() == 1, let copy = sides.conflict.copy else { return .both }
            let isLocal = sides.local.description.hasSuffix(copy.description)
            let file = isLocal ? sides.local : sides.remote
            try (Self.text(file) + "saved meanwhile\n").write(
                toFile: file.description, atomically: false, encoding: .utf8)
            return .merged(Array("merged\n".utf8))
        }
        try await devices.conflict()
        try await devices.settle()
        let names = devices.names("a")
        let copies = names.filter { $0 != "text.txt" }.compactMap { devices.read("a/\($0)") }
        #expect(names.count == 2 && copies.count == 1)
        let contents = copies + [try #require(devices.read("a/text.txt"))]
        #expect(copies[0].hasSuffix("saved meanwhile\n") && !contents.contains("merged\n"))
        for line in ["three by a", "one by b"] { #expect(contents.contains { $0.contains(line) }, "\(contents)") }
        #expect(devices.names("b") == names)
    }

    @Test func whoseCopyIsTakenAwayMeanwhileKeepsTheFile() async throws {
        let asked = Counter()
        let devices = try await TwoDevices { sides in
            guard await asked.add() == 1, let copy = sides.conflict.copy else { return .both }
            let isLocal = sides.local.description.hasSuffix(copy.description)
            try FileManager.default.removeItem(atPath: (isLocal ? sides.local : sides.remote).description)
            return .merged(Array("merged\n".utf8))
        }
        try await devices.conflict()
        try await devices.settle()
        #expect(devices.names("a") == ["text.txt"])
        #expect(devices.read("a/text.txt") != "merged\n" && devices.read("b/text.txt") == devices.read("a/text.txt"))
    }

    @Test func whoThrowsIsAskedAgain() async throws {
        struct Busy: Error {}
        let asked = Counter()
        let devices = try await TwoDevices { _ in
            if await asked.add() < 3 { throw Busy() }
            return .merged(Array("merged\n".utf8))
        }
        try await devices.conflict()
        try await devices.settle()
        #expect(devices.read("a/text.txt") == "merged\n")
        #expect(devices.names("b") == ["text.txt"])
    }
}

struct FileVersionTests {
    @Test func whatCannotBeEndedIsAnError() async throws {
        let devices = try await TwoDevices { _ in .both }
        try await devices.conflict()
        let copy = try #require(devices.names("a").first { $0 != "text.txt" })
        try devices.write("saved since\n", to: "a/\(copy)")
        let drive = try devices.open("a")
        await #expect(throws: DriveError.self) { try await drive.resolveConflicts(of: "text.txt") }
        #expect(devices.read("a/\(copy)") == "saved since\n")
        let version = try #require(try DriveReader(devices.folder("a")).currentVersion(of: "text.txt"))
        await #expect(throws: DriveError.self) { try await drive.replaceItem(at: .root, with: version) }
        #expect(devices.names("a").count == 2)
    }

    @Test func versionsAreListedReplacedAndResolved() async throws {
        let devices = try await TwoDevices { _ in .both }
        try await devices.conflict()
        let path: DrivePath = "text.txt"
        let reader = try DriveReader(devices.folder("a"))
        let current = try #require(try reader.currentVersion(of: path))
        #expect(current.hasLocalContents && current.isResolved)
        let conflicts = try reader.unresolvedConflictVersions(of: path)
        #expect(conflicts.count == 1 && conflicts[0].isConflict && !conflicts[0].isResolved)
        let others = try reader.otherVersions(of: path)
        #expect(others.count == 2 && !others.contains(current))
        let old = try #require(others.last)
        #expect(Set([current.deviceName, conflicts[0].deviceName]) == ["a", "b"])

        do {
            let drive = try devices.open("a")
            try await drive.resolveConflicts(of: path)
            // No pass has looked since.
            #expect(try reader.unresolvedConflictVersions(of: path).isEmpty)
            #expect(try reader.otherVersions(of: path).count == 2)
            try await drive.resolveConflicts(of: path)
            try await drive.replaceItem(at: path, with: old)
            _ = try await drive.sync()
        }
        #expect(devices.read("a/text.txt") == "one\ntwo\nthree\n")
        try await devices.settle()
        #expect(devices.read("b/text.txt") == "one\ntwo\nthree\n")
        #expect(try DriveReader(devices.folder("b")).conflicts().isEmpty)
        try await devices.open("a").removeOtherVersions(of: path)
        #expect(try !DriveReader(devices.folder("a")).trash().contains { $0.path == path })
    }
}

private actor Counter {
    private(set) var count = 0

    @discardableResult func add() -> Int {
        count += 1
        return count
    }
}

extension String {
    /// The two texts of three lines that it is made of, in order.
    fileprivate var sortedHalves: String {
        let lines = split(separator: "\n").map { "\($0)\n" }
        return [lines[..<3].joined(), lines[3...].joined()].sorted().joined()
    }
}
