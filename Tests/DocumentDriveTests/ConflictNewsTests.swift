import DriveCore
import FileCoordination
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DocumentDrive

/// What those who show an item hear of its conflicts and versions.
struct ConflictNewsTests {
    /// Writes down what it is told of versions.
    private final class Listener: FilePresenter {
        let presentedItemPath: DrivePath?
        private let heard = Mutex<[String]>([])

        init(_ path: DrivePath) { presentedItemPath = path }

        var log: [String] { heard.withLock { $0 } }
        func clear() { heard.withLock { $0 = [] } }
        private func note(_ path: String, _ news: VersionNews) {
            heard.withLock { $0.append("\(path) \(news.change.rawValue) \(news.version.prefix(8))") }
        }
        func presentedItemVersions(_ news: VersionNews) async { note("it", news) }
        func presentedSubitemVersions(at path: DrivePath, _ news: VersionNews) async { note("\(path)", news) }
    }

    /// Two devices of one file, and who shows it and the drive on the second.
    private struct Scene {
        let world: WhyWorld
        let a: WhyDevice
        let b: WhyDevice
        let drive: Drive
        let file = Listener("Sub/Letter.txt")
        let folder = Listener("Sub")
        let top = Listener(.root)

        init() async throws {
            world = try WhyWorld()
            (a, b) = try await world.pair(["Sub/Letter.txt": "dear\n"])
            drive = try b.drive()
            for listener in [file, folder, top] { await drive.coordination.add(listener) }
        }

        /// Both write the file; ends once the second has both contents. Returns what begins the copy's name as a version.
        func conflict() async throws -> Substring {
            try a.write("Sub/Letter.txt", "dear Ada\n")
            try await a.sync()
            try b.write("Sub/Letter.txt", "dear Ben, and all\n")
            try await until {
                _ = try await drive.sync()
                return try await !conflicts.isEmpty
            }
            return try #require(try await conflicts.first?.copySide?.hash).description.prefix(8)
        }

        var conflicts: [Conflict] {
            get async throws { try DriveReader(b.folder).conflicts().filter { $0.copySide != nil } }
        }

        /// Each once, in this order.
        func hears(_ news: String...) async throws {
            try await until {
                top.log.count >= news.count && folder.log.count >= news.count && file.log.count >= news.count
            }
            #expect(file.log == news.map { "it \($0)" })
            for listener in [folder, top] { #expect(listener.log == news.map { "Sub/Letter.txt \($0)" }) }
        }
    }

    @Test(.timeLimit(.minutes(20))) func aConflictThatComesIsTold() async throws {
        let scene = try await Scene()
        let version = try await scene.conflict()
        try await scene.hears("gained \(version)")
        _ = try await scene.drive.sync()
        try await scene.hears("gained \(version)")
        let known = try DriveReader(scene.b.folder).unresolvedConflictVersions(of: "Sub/Letter.txt")
        #expect(known.map { $0.persistentIdentifier.prefix(8) } == [version])
    }

    @Test(.timeLimit(.minutes(20)), arguments: ["resolve", "current", "copy", "both"])
    func anActThatEndsAConflictTellsItAtOnce(_ how: String) async throws {
        let scene = try await Scene()
        let version = try await scene.conflict()
        if let keeping = ConflictKeeping(rawValue: how) {
            let id = try #require(try await scene.conflicts.first?.id)
            _ = try await scene.drive.perform(.resolve(ids: [id], how: .keep(keeping)))
        } else {
            try await scene.drive.resolveConflicts(of: "Sub/Letter.txt")
        }
        try await scene.hears("gained \(version)", "resolved \(version)")
        for _ in 0..<2 { _ = try await scene.drive.sync() }
        #expect(try await scene.conflicts.isEmpty)
        try await scene.hears("gained \(version)", "resolved \(version)")
    }

    @Test(.timeLimit(.minutes(20))) func aConflictThatAPersonOrAnotherDeviceEndsIsTold() async throws {
        for isElsewhere in [false, true] {
            let scene = try await Scene()
            let version = try await scene.conflict()
            let copy = try #require(try await scene.conflicts.first?.copy).description
            if isElsewhere {
                try await scene.a.sync()
                try scene.a.remove(copy)
                try await scene.a.sync()
            } else {
                try scene.b.remove(copy)
            }
            try await until {
                _ = try await scene.drive.sync()
                return try await scene.conflicts.isEmpty
            }
            try await scene.hears("gained \(version)", "resolved \(version)")
        }
    }

    @Test(.timeLimit(.minutes(20))) func aConflictThatStoodBeforeIsNoNews() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        try a.write("Letter.txt", "dear Ada\n")
        try await a.sync()
        try b.write("Letter.txt", "dear Ben, and all\n")
        try await b.sync()
        let drive = try b.drive()
        let listener = Listener("Letter.txt")
        await drive.coordination.add(listener)
        _ = try await drive.sync()
        let version = try #require(try DriveReader(b.folder).conflicts().first?.copySide?.hash).description.prefix(8)
        try await drive.resolveConflicts(of: "Letter.txt")
        try await until { !listener.log.isEmpty }
        #expect(listener.log == ["it resolved \(version)"])
    }

    @Test(.timeLimit(.minutes(20))) func whatIsNotKeptAnyMoreIsLost() async throws {
        let scene = try await Scene()
        let version = try await scene.conflict()
        try await scene.drive.resolveConflicts(of: "Sub/Letter.txt")
        _ = try await scene.drive.sync()
        try await scene.hears("gained \(version)", "resolved \(version)")
        let copy = try #require(
            try await scene.drive.engine.use { try $0.parts.state.trash() }.first { $0.reason == .resolved })
        // It lay under the copy's name.
        let other = Listener(copy.path)
        await scene.drive.coordination.add(other)
        try await scene.drive.removeOtherVersions(of: copy.path)
        try await until { !other.log.isEmpty }
        #expect(other.log == ["it lost \(version)"])
    }
}
