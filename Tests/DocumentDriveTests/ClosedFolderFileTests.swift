import DriveCore
import DriveFiles
import DriveIndex
import DriveTesting
import Foundation
import Glibc
import TestSupport
import Testing

@testable import DocumentDrive

/// What is known of closed folders where the index is another one by then, or was to learn it from a process that was killed.
@Suite(.mayBlock)
struct ClosedFolderFileTests {
    private static let day: UInt64 = 86_400_000
    private let folder: FolderPath

    init() throws {
        folder = FolderPath(NSTemporaryDirectory()).appending(FileName("docdrive-closed-\(UUID().uuidString)"))
        try folder.make(0o700, to: "try it")
    }

    private func removeAll() { try? FileManager.default.removeItem(atPath: folder.description) }

    private var path: FolderPath { folder.appending(DriveLayout.state).appending("closed-folders.jsonl") }

    private func makePlace() throws { try folder.appending(DriveLayout.state).make(0o700, to: "try it") }

    /// As a process that has just opened the drive has it.
    private func file() -> ClosedFolderFile { ClosedFolderFile(drive: folder) }

    private func state(day: UInt64 = 20_000) throws -> MemoryState {
        let state = MemoryState(device: DeviceID(high: 7, low: 7), label: "A")
        _ = try state.lookAtClock(day * Self.day)
        return state
    }

    private func permissions(_ path: DrivePath, _ state: MemoryState) throws -> UInt16? {
        try ClosedFolders(state, beside: file()).permissions(at: path)
    }

    private func keep(_ permissions: UInt16, at path: DrivePath) throws {
        try ClosedFolders(state(), beside: file()).keep([(path, permissions)])
    }

    @Test func anotherIndexKnowsThem() throws {
        defer { removeAll() }
        try makePlace()
        try keep(0o755, at: "open")
        #expect(!path.exists)
        try keep(0o700, at: "P")
        try keep(0o750, at: "Q")
        #expect(try permissions("P", state()) == 0o700)
        #expect(try permissions("Q", state()) == 0o750)
        #expect(try permissions("open", state()) == nil)
    }

    /// An index that is put back to when it was closed does not close it again.
    @Test func oneThatWasOpenLastIsNotClosed() throws {
        defer { removeAll() }
        try makePlace()
        let older = try state()
        try keep(0o700, at: "P")
        try older.transaction { try ClosedFolders(older).note(0o700, at: "P") }
        #expect(try permissions("P", older) == 0o700)
        try keep(0o755, at: "P")
        #expect(try permissions("P", older) == nil)
        #expect(try permissions("P", state()) == nil)
    }

    @Test func aLineThatIsCutOffSpoilsNoOther() throws {
        defer { removeAll() }
        try makePlace()
        try keep(0o700, at: "P")
        let whole = try #require(try SmallFile.read(path))
        try SmallFile.write(whole + whole.dropLast(9), to: path)
        try keep(0o750, at: "Q")
        #expect(try permissions("P", state()) == 0o700)
        #expect(try permissions("Q", state()) == 0o750)
    }

    /// The index has its own notes, and a folder of which nobody can tell is for its owner alone.
    @Test func aFileThatCannotBeUsedStopsNothing() throws {
        defer { removeAll() }
        try makePlace()
        try path.make(0o700, to: "try it")
        #expect(throws: DriveError.self) { try file().notes() }
        let state = try state()
        try keep(0o700, at: "P")
        try state.transaction { try ClosedFolders(state).note(0o750, at: "P") }
        let closed = ClosedFolders(state, beside: file())
        #expect(closed.permissions(at: "P", orElse: 0o700) == 0o700)
    }

    @Test func whatCountsNoMoreIsNotKeptForEver() throws {
        defer { removeAll() }
        try makePlace()
        let count = ClosedFolderFile.spare + 10
        for since in 1...3 as ClosedRange<UInt64> {
            let note = ClosedFolderNote(permissions: 0o700, since: since)
            let notes = Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", note) })
            try file().add(notes, now: since)
        }
        let bytes = try #require(try SmallFile.read(path))
        #expect(bytes.count { $0 == 0x0A } == count)
        let notes = try file().notes()
        #expect(notes.count == count && notes.values.allSatisfy { $0.since == 3 })
        // All of them are over by then.
        let last = ClosedFolderNote(permissions: 0o700, since: 5 + ClosedFolders.kept)
        try file().add(["last": last, "another": last], now: 5 + ClosedFolders.kept)
        #expect(try file().notes() == ["last": last, "another": last])
    }

    /// By its clock they may be over, or be from the future.
    @Test(arguments: [10_000, 20_000, 30_000] as [UInt64]) func aNewIndexBeginsTheirTimeAnew(_ day: UInt64) throws {
        defer { removeAll() }
        try makePlace()
        try keep(0o700, at: "P")
        let new = try state(day: day)
        try file().tell(new)
        #expect(try permissions("P", new) == 0o700)
        var now = day * Self.day
        let end = now + ClosedFolders.kept
        while now <= end {
            now += SeenTime.longestStep
            _ = try new.lookAtClock(now)
            // That was told once.
            try file().tell(new)
        }
        #expect(try permissions("P", new) == nil)
    }

    /// The folder is gone before any transaction tells of it.
    @Test func oneThatAKilledProcessTookOutIsNoted() async throws {
        defer { removeAll() }
        try await DriveSetup(folder: folder, store: nil).carryOut()
        let place = folder.appending("P").description
        #expect(mkdir(place, 0o700) == 0)
        _ = try await Drive.open(folder).sync()
        try takeOut("P")
        _ = try await Drive.open(folder).sync()
        #expect(!folder.appending("P").exists)
        #expect(try permissions("P", state()) == 0o700)
        let index = try IndexFile(drive: folder).openForReading()
        #expect(try ClosedFolders(index).permissions(at: "P") == 0o700)
        #expect(try index.row(at: "P") == nil)
    }

    /// As a step that was killed after its rename.
    private func takeOut(_ name: FileName) throws {
        let index = try DriveIndex(path: IndexFile(drive: folder).path.bytes)
        let row = try #require(try index.row(at: DrivePath([name])))
        let staged = FileName("gone-\(row.id.rawValue)-00000000")
        try index.transaction {
            try index.setIntents([
                Intent(step: .removeFolder(staged: staged), identity: row.facts.identity, row: row)
            ])
        }
        let outgoing = folder.appending(path: DrivePath([DriveLayout.state, "staging", "out", staged]))
        let from = folder.appending(name)
        #expect(from.withPointer { from in outgoing.withPointer { rename(from, $0) } } == 0)
    }
}
