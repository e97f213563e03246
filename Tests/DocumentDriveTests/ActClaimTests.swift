import DriveCore
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DocumentDrive
@testable import FileCoordination

/// Acts and programs that use the items that they are about.
struct ActClaimTests {
    enum Kind: String, CaseIterable, Sendable {
        case resolveConflicts, resolve, replaceItem, restore, restoreTrash, undo, clean, repairFiles
    }

    /// A drive in which the act can be done, what it will change, and what shows that it was done.
    private struct Scene: Sendable {
        let world: WhyWorld
        let drive: Drive
        let item: DrivePath
        let act: @concurrent @Sendable (Drive, Duration?) async throws -> Void
        /// What the item holds when it is done; nil where it is gone then.
        let text: String?

        var isDone: Bool {
            (try? String(contentsOfFile: "\(drive.folder)/\(item)", encoding: .utf8)) == text
        }

        init(_ kind: Kind) async throws {
            world = try WhyWorld(in: kind == .repairFiles ? "/dev/shm" : NSTemporaryDirectory())
            let (a, b) = try await world.pair(["one": "first\n", "two": "first\n", "three": "else\n"])
            func perform(
                _ make: @escaping @Sendable () throws -> DriveAct
            ) -> @concurrent @Sendable (Drive, Duration?) async throws -> Void {
                { drive, patience in _ = try await drive.perform(make(), patience: patience) }
            }
            let first = ContentHasher.hash(of: Array("first\n".utf8)).description
            switch kind {
            case .resolveConflicts, .resolve:
                try a.write("one", "by a\n")
                try await a.sync()
                try b.write("one", "and by b\n")
                try await b.sync()
                let conflict = try #require(try DriveReader(b.folder).conflicts().first)
                item = try #require(conflict.copy)
                text = nil
                if kind == .resolve {
                    act = perform { .resolve(ids: [conflict.id], how: .keep(.current)) }
                } else {
                    act = { drive, patience in
                        try await drive.resolveConflicts(of: conflict.current, patience: patience)
                    }
                }
            case .replaceItem, .restore:
                try b.write("one", "second, longer\n")
                try await b.sync()
                (item, text) = ("one", "first\n")
                let version = try #require(try DriveReader(b.folder).otherVersions(of: "one").first)
                if kind == .restore {
                    act = perform { .restore([RestoredContent(path: Array("one".utf8), content: first)]) }
                } else {
                    act = { drive, patience in
                        try await drive.replaceItem(at: "one", with: version, patience: patience)
                    }
                }
            case .restoreTrash:
                try a.remove("one")
                try await a.sync()
                try await b.sync()
                (item, text) = ("one", "first\n")
                let folder = b.folder
                act = perform {
                    .restoreTrash(names: try DriveReader(folder).index.trash().map(\.name.description))
                }
            case .undo:
                try a.write("one", "by a\n")
                try await a.sync()
                try await b.sync()
                (item, text) = ("one", "first\n")
                let folder = b.folder
                let operation = try #require(try DriveReader(folder).index.operations(limit: 1).first).id
                act = perform { .undo(operations: [operation], device: nil) }
            case .clean:
                (item, text) = ("two", nil)
                act = perform { .clean([RedundantCopy(path: Array("two".utf8), kept: Array("one".utf8))]) }
            case .repairFiles:
                try SilentWrite.flipBit(of: b.path("one"))
                (item, text) = ("one", "first\n")
                act = perform { .repairFiles([Array("one".utf8)]) }
            }
            drive = try b.drive()
        }
    }

    /// Elsewhere a map leaves a trace in a file's dates.
    private static let kinds = Kind.allCases.filter { $0 != .repairFiles || access("/dev/shm", W_OK) == 0 }

    @Test(.timeLimit(.minutes(20)), arguments: kinds)
    func anActWaitsForWhoUsesItsItem(_ kind: Kind) async throws {
        let scene = try await Scene(kind)
        let drive = scene.drive
        let acting = try await drive.coordination.coordinator().coordinate(reading: scene.item) { _ in
            let acting = Task.detached { try await scene.act(drive, nil) }
            // It waits at the arbiter, and keeps the drive from nobody.
            try await until { drive.coordination.claims.waiting > 0 }
            _ = try await drive.engine.use { try $0.parts.state.rowCount() }
            #expect(!scene.isDone)
            return acting
        }
        try await acting.value
        #expect(scene.isDone)
    }

    @Test(.timeLimit(.minutes(20)), arguments: kinds)
    func anActThatMayNotWaitSaysWhoUsesTheItem(_ kind: Kind) async throws {
        let scene = try await Scene(kind)
        try await scene.drive.coordination.coordinator().coordinate(writing: scene.item) { _ in
            let error = await #expect(throws: DriveError.self) {
                // What is no part of the access.
                try await scene.drive.coordination.within("") { try await scene.act(scene.drive, .zero) }
            }
            #expect(error?.kind == .temporary && error?.path == scene.item.description)
            #expect(error?.message.contains("(process \(getpid())) uses it") == true, "\(error?.message ?? "")")
        }
        #expect(!scene.isDone)
        try await scene.act(scene.drive, .zero)
        #expect(scene.isDone)
    }

    @Test(.timeLimit(.minutes(20)), arguments: kinds)
    func anActDoesNotWaitForTheAccessThatItIsAPartOf(_ kind: Kind) async throws {
        let scene = try await Scene(kind)
        let coordination = scene.drive.coordination
        try await coordination.coordinator().coordinate(writing: scene.item) { _ in
            try await coordination.coordinator().coordinate(writing: "three") { _ in
                try await scene.act(scene.drive, nil)
            }
        }
        #expect(scene.isDone)
    }

    @Test(.timeLimit(.minutes(20)), arguments: [Duration.zero, .milliseconds(20)])
    func anActThatMayNotWaitDoesNotWaitForTheDriveEither(_ patience: Duration) async throws {
        let scene = try await Scene(.restore)
        try await scene.drive.engine.use { _ in
            let error = await #expect(throws: DriveError.self) { try await scene.act(scene.drive, patience) }
            #expect(error?.kind == .temporary && error?.path == scene.drive.folder.description)
        }
        #expect(!scene.isDone)
        try await scene.act(scene.drive, patience)
        #expect(scene.isDone)
    }

    @Test(.timeLimit(.minutes(20))) func anActThatIsCancelledStopsWaiting() async throws {
        let scene = try await Scene(.restore)
        try await scene.drive.coordination.coordinator().coordinate(writing: scene.item) { _ in
            let acting = Task.detached { try await scene.act(scene.drive, nil) }
            try await until { scene.drive.coordination.claims.waiting > 0 }
            acting.cancel()
            await #expect(throws: CancellationError.self) { try await acting.value }
        }
        #expect(!scene.isDone)
    }

    private final class Editor: FilePresenter {
        let presentedItemPath: DrivePath?
        private let record = Mutex<[String]>([])
        private let act: (@Sendable () async throws -> Void)?

        init(_ path: DrivePath, onSave act: (@Sendable () async throws -> Void)? = nil) {
            presentedItemPath = path
            self.act = act
        }

        var log: [String] { record.withLock { $0 } }
        private func note(_ text: String) { record.withLock { $0.append(text) } }
        func relinquishPresentedItemToWriter() async -> Reacquirer? {
            note("writer")
            return { self.note("reacquire") }
        }
        func savePresentedItemChanges() async throws {
            note("save")
            try await act?()
        }
        func presentedItemDidChange() async { note("changed") }
    }

    @Test(.timeLimit(.minutes(20))) func whoShowsTheItemMakesWayAndIsTold() async throws {
        let scene = try await Scene(.restore)
        let editor = Editor(scene.item)
        await scene.drive.coordination.add(editor)
        try await scene.act(scene.drive, nil)
        #expect(scene.isDone)
        try await until { editor.log.count >= 3 }
        #expect(editor.log == ["writer", "reacquire", "changed"])
    }

    /// Also an act that a presenter asks for while others wait for it to save.
    @Test(.timeLimit(.minutes(20))) func aPresenterThatSavesMayAct() async throws {
        let scene = try await Scene(.restore)
        let editor = Editor(scene.item) { try await scene.act(scene.drive, nil) }
        await scene.drive.coordination.add(editor)
        try await scene.drive.coordination.coordinator().coordinate(reading: scene.item) { _ in
            #expect(scene.isDone)
        }
        #expect(editor.log == ["save"])
    }

    @Test(.timeLimit(.minutes(20))) func ofVeryManyItemsTheFolderIsHad() throws {
        let few = PlannedAct([Deed.makeFolder("Sub/One/a"), .makeFolder("Sub/Two/b")]) {}
        #expect(few.claimed == few.intents)
        let many = PlannedAct((0..<5_000).map { Deed.makeFolder(DrivePath("Sub/\($0 % 2)/\($0)")) }) {}
        #expect(many.claimed == [.writing("Sub", options: .forMoving)])
    }
}
