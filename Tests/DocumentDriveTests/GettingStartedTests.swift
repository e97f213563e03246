import DocumentDrive
import Foundation
import TestSupport
import Testing

/// The examples of the DocC article on how to begin: each block of it stands here, so that it is compiled and run, with no more
/// than what a program outside of the package has.
struct GettingStartedTests {
    private let root: String
    private var folder: FolderPath { FolderPath("\(root)/Documents") }
    private var store: FolderPath { FolderPath("\(root)/Store") }

    init() throws {
        root = NSTemporaryDirectory() + "docdrive-start-\(UUID().uuidString)"
        for name in ["Documents", "Store", "Other"] {
            try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
        }
    }

    private func write(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(root)/\(path)"))
    }

    private func read(_ path: String) throws -> String {
        try String(contentsOf: URL(fileURLWithPath: "\(root)/\(path)"), encoding: .utf8)
    }

    private func syncOther() async throws {
        let setup = DriveSetup(folder: FolderPath("\(root)/Other"), store: .folder(store), deviceName: "laptop")
        if try setup.standing() != .done { try await setup.carryOut() }
        let drive = try Drive.open(setup.folder)
        _ = try await drive.sync()
        await drive.close()
    }

    private func makeDrive() async throws {
        let setup = DriveSetup(folder: folder, store: .folder(store), deviceName: "server")
        if try setup.standing() != .done { try await setup.carryOut() }
    }

    private func syncOnce() async throws {
        let drive = try Drive.open(folder)
        let summary = try await drive.sync()
        print(summary.sent, "sent,", summary.placed, "new here,", summary.conflicts, "conflicts")
        await drive.close()
        #expect(summary.sent > 0)
    }

    private func look() throws {
        let reader = try DriveReader(folder)
        for item in try reader.items() { print(item.path) }
        let explanation = try reader.explanation(of: "Letter.txt")
        print(explanation.sentence, explanation.remedy ?? "")
        #expect(try reader.items().map(\.path).contains("Letter.txt"))
    }

    @Test func aFolderIsKeptInStep() async throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        try write("dear", "Documents/Letter.txt")
        try await makeDrive()
        try await syncOnce()
        try look()
        try await syncOther()
        #expect(try read("Other/Letter.txt") == "dear")
    }

    @Test func conflictsAreEndedAndVersionsComeBack() async throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        try write("bread\nmilk", "Documents/List.txt")
        try write("dear", "Documents/Letter.txt")
        try await makeDrive()
        try await syncOnce()
        try await syncOther()
        try write("bread\nmilk\nwine", "Other/List.txt")
        try write("Dear,", "Other/Letter.txt")
        try await syncOther()
        try write("bread\ncheese\nmilk", "Documents/List.txt")
        try write("dear all", "Documents/Letter.txt")
        try await end()
        #expect(try read("Documents/List.txt") == "bread\ncheese\nmilk\nwine")
        #expect(try ["dear", "Dear,", "dear all"].contains(read("Documents/Letter.txt")))
    }

    @Sendable private func text(_ file: FolderPath) throws -> [String] {
        try String(contentsOf: URL(fileURLWithPath: "\(file)"), encoding: .utf8).components(separatedBy: "\n")
    }

    private func end() async throws {
        let elsewhere = FolderPath("\(root)/before.txt")
        let text = text
        let merging: ConflictHandler = { sides in
            guard sides.conflict.current == "List.txt" else { return .both }
            let (local, remote) = (Set(try text(sides.local)), Set(try text(sides.remote)))
            return .merged(Array(local.union(remote).sorted().joined(separator: "\n").utf8))
        }
        let drive = try Drive.open(folder, conflictHandler: merging)
        let summary = try await drive.sync()
        #expect(summary.conflicts == 1)

        for conflict in try DriveReader(folder).conflicts() {
            print(conflict.current, conflict.copy ?? "", conflict.suggestion as Any)
        }
        try await drive.resolveConflicts(of: "Letter.txt")
        _ = try await drive.sync()
        #expect(try DriveReader(folder).conflicts().isEmpty)

        let versions = try DriveReader(folder).otherVersions(of: "Letter.txt")
        if let version = versions.first {
            try await VersionBytes(DriveReader(folder)).write(version, to: elsewhere)
            try await drive.replaceItem(at: "Letter.txt", with: version)
        }
        #expect(try read("before.txt") == read("Documents/Letter.txt"))
        await drive.close()
    }

    @Test(.timeLimit(.minutes(20))) func itIsWatchedAndAnswersOthers() async throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        try write("dear", "Documents/Letter.txt")
        try await makeDrive()
        let watching = try await watch()
        try await until { try DriveClient(folder) != nil }
        try await ask()
        try refuse()
        watching.cancel()
        _ = await watching.result
    }

    private func watch() async throws -> Task<Void, any Error> {
        let watched = try WatchedDrive(folder) { announcement in
            if case .event(let event) = announcement { print(event.kind.rawValue, event.path, event.device ?? "here") }
        }
        let watching = Task { try await watched.run() }
        return watching
    }

    private func ask() async throws {
        if let client = try DriveClient(folder) {
            try await client.barrier()
            _ = try await client.sync()
            print(try await client.status().phase)
        }
        #expect(try DriveReader(folder).items().map(\.path).contains("Letter.txt"))
    }

    private func refuse() throws {
        do { _ = try Drive.open(folder) } catch {
            switch error.kind {
            case .temporary: print("somebody else works on it:", error)
            case .unreachable, .notAuthenticated: print("the store:", error)
            default: throw error
            }
        }
    }

    @Test func everyExampleOfTheArticleStandsHere() throws {
        let article = Article("GettingStarted")
        #expect(try article.missing(in: #filePath) == [])
        #expect(try article.examples().count == 9)
    }
}
