import DocumentDrive
import FileCoordination
import Foundation
import Synchronization
import TestSupport
import Testing

/// What this process hears of conflicts in a drive that another one watches.
@Suite(.mayBlock) struct PresentedConflictTests {
    private final class Listener: FilePresenter {
        let presentedItemPath: DrivePath?
        private let heard = Mutex<[String]>([])

        init(_ path: DrivePath) { presentedItemPath = path }

        var log: [String] { heard.withLock { $0 } }
        func presentedItemVersions(_ news: VersionNews) async { heard.withLock { $0.append(news.change.rawValue) } }
        func presentedSubitemVersions(at path: DrivePath, _ news: VersionNews) async {
            heard.withLock { $0.append("\(path) \(news.change.rawValue)") }
        }
    }

    @Test(arguments: [false, true]) func aConflictThatComesAndEndsIsTold(isEndedElsewhere: Bool) async throws {
        let machine = try Machine()
        try machine.twoDrives(["Letter.txt": "dear\n"])
        let watch = try machine.watch("b")
        defer { watch.end() }
        let folder = FolderPath("\(machine.root)/b")
        let coordination = DriveCoordination(
            root: folder.bytes, claims: FileClaims(),
            place: SocketPlace(
                replica: try #require(try Drive.replica(of: folder)), folder: folder.bytes,
                environment: ["XDG_RUNTIME_DIR": "\(machine.root)/run"]))
        let (file, top) = (Listener("Letter.txt"), Listener(.root))
        for listener in [file, top] { await coordination.add(listener) }
        func tells(_ news: String...) -> Bool {
            eventually { file.log == news && top.log == news.map { "Letter.txt \($0)" } }
        }
        // Held, so that this device cannot bring the other content before it has one of its own.
        try await coordination.coordinator().coordinate(writing: "Letter.txt") { item in
            try machine.write("dear Ada\n", to: "a/Letter.txt")
            #expect(try machine.run("sync", "a").code == 0)
            try "dear Ben, and all\n".write(to: item.url, atomically: false, encoding: .utf8)
        }
        #expect(tells("gained"), "\(file.log) \(top.log)")
        if isEndedElsewhere {
            #expect(try eventually { try machine.run("sync", "a").code == 0 && machine.files("a").count > 1 })
            let copy = try #require(machine.files("a").keys.first { $0.contains("conflicted copy") })
            try machine.remove("a/\(copy)")
            #expect(try machine.run("sync", "a").code == 0)
        } else {
            let result = try machine.run("-C", "b", "conflicts", "resolve", "--all", "--keep", "current")
            #expect(result.code == 0, "\(result.error)")
        }
        #expect(tells("gained", "resolved"), "\(file.log) \(top.log)")
        for listener in [file, top] { await coordination.remove(listener) }
    }
}
