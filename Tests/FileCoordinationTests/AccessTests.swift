import DriveCore
import Foundation
import TestSupport
import Testing

@testable import FileCoordination

struct AccessTests {
    private func coordination(_ house: ArbiterHouse) -> DriveCoordination {
        DriveCoordination(root: Array("\(house.root)/drive".utf8), claims: house.claims)
    }

    @Test func whatIsReadForUploadingIsFreeAtOnce() async throws {
        let house = try ArbiterHouse()
        try house.write("one", to: "File")
        let way = coordination(house)
        let snapshot = try await way.coordinator().coordinate(reading: "File", options: .forUploading) { item in
            try await way.coordinator().coordinate(writing: "File") { original in
                try "two".write(to: original.url, atomically: false, encoding: .utf8)
            }
            #expect(item.url.lastPathComponent == "File")
            #expect(try String(contentsOf: item.url, encoding: .utf8) == "one")
            return item.url
        }
        #expect(!FileManager.default.fileExists(atPath: snapshot.path))
        #expect(!house.claims.isInUse)
    }

    /// It would be waited for until somebody writes to it.
    @Test func nothingIsCopiedOfAPipe() async throws {
        let house = try ArbiterHouse()
        mkfifo("\(house.root)/drive/pipe", 0o600)
        symlink("pipe", "\(house.root)/drive/link")
        let way = coordination(house)
        for (name, sentence) in [("pipe", "neither a file nor a folder"), ("link", "it is a link")] {
            let error = await #expect(throws: DriveError.self) {
                try await way.coordinator().coordinate(reading: DrivePath([FileName(name)]), options: .forUploading) {
                    _ in
                }
            }
            #expect(error?.kind == .usage && error?.message.contains(sentence) == true)
        }
        #expect(!house.claims.isInUse)
    }

    /// What is large takes a while.
    @Test func aCopyThatNobodyWaitsForEnds() async throws {
        let house = try ArbiterHouse()
        try house.write("", to: "big")
        // Sparse: seconds of copying.
        truncate("\(house.root)/drive/big", 1 << 33)
        let way = coordination(house)
        let task = Task {
            try await way.coordinator().coordinate(reading: "big", options: .forUploading) { _ in }
        }
        while !house.claims.isInUse { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!house.claims.isInUse)
    }

    @Test func aFolderIsUploadedAsOneZipFile() async throws {
        let house = try ArbiterHouse()
        try house.write("<p>", to: "Note.textbundle/text.md")
        try house.write(String(repeating: "x", count: 3 << 20), to: "Note.textbundle/assets/big")
        try FileManager.default.createSymbolicLink(
            atPath: "\(house.root)/drive/Note.textbundle/link", withDestinationPath: "text.md")
        try await coordination(house).coordinator().coordinate(reading: "Note.textbundle", options: .forUploading) {
            item in
            #expect(item.url.lastPathComponent == "Note.textbundle.zip")
            // Another program's reader of zip files.
            let script = """
                import sys, zipfile
                archive = zipfile.ZipFile(sys.argv[1])
                assert archive.testzip() is None
                print(*[f"{i.filename} {i.file_size} {i.external_attr >> 28:o}" for i in archive.infolist()], sep="\\n")
                """
            let path = item.url.path
            let text = try await OwnThread.run {
                try ChildProcess.run("/usr/bin/env", ["python3", "-c", script, path]).text
            }
            #expect(
                text == """
                    Note.textbundle/ 0 4
                    Note.textbundle/assets/ 0 4
                    Note.textbundle/assets/big 3145728 10
                    Note.textbundle/link 7 12
                    Note.textbundle/text.md 3 10

                    """)
        }
    }

    /// Whoever keeps the copy would miss what is in there, and not know it.
    @Test func aFolderThatCannotBeListedIsNoEmptyOne() async throws {
        let house = try ArbiterHouse()
        try house.write("one", to: "Folder/File")
        // So long that nobody can name it, root included.
        let name = String(repeating: "n", count: 200)
        let script = """
            import os, sys
            os.chdir(sys.argv[1])
            for _ in range(25):
                os.mkdir(sys.argv[2])
                os.chdir(sys.argv[2])
            print("made")
            """
        let arguments = ["python3", "-c", script, "\(house.root)/drive/Folder", name]
        #expect(try await OwnThread.run { try ChildProcess.run("/usr/bin/env", arguments).text } == "made\n")
        let coordinator = coordination(house).coordinator()
        await #expect(throws: DriveError.self) {
            try await coordinator.coordinate(reading: "Folder", options: .forUploading) { _ in }
        }
        let remove = ["rm", "-rf", house.root]
        _ = try await OwnThread.run { try ChildProcess.run("/usr/bin/env", remove).code }
    }

    @Test func linksAreFollowedWhereThatIsAskedFor() async throws {
        let house = try ArbiterHouse()
        try house.write("one", to: "Folder/File")
        let drive = "\(house.root)/drive"
        try FileManager.default.createSymbolicLink(atPath: "\(drive)/Link", withDestinationPath: "Folder/File")
        try FileManager.default.createSymbolicLink(atPath: "\(drive)/Out", withDestinationPath: "/etc/hostname")
        let coordinator = coordination(house).coordinator()
        let path = try await coordinator.coordinate(reading: "Link", options: .resolvesSymbolicLink) { $0.path }
        #expect(path == "Folder/File")
        #expect(try await coordinator.coordinate(reading: "Link") { $0.path } == "Link")
        for link in ["Out", "Nowhere"] as [DrivePath] {
            await #expect(throws: DriveError.self) {
                try await coordinator.coordinate(reading: link, options: .resolvesSymbolicLink) { _ in }
            }
        }
        await #expect(throws: DriveError.self) {
            try await coordinator.prepare(reading: ["Link"], readingOptions: .resolvesSymbolicLink) {}
        }
    }

    @Test func packagesAreTheOutermostOnes() {
        #expect(DrivePath("a/Song.band/x.bundle/y").coordinatedItem == "a/Song.band")
        #expect(DrivePath("a/b.txt").coordinatedItem == "a/b.txt")
        // A hidden folder has a name and no ending.
        #expect(DrivePath(".app/x").coordinatedItem == ".app/x")
        #expect(DrivePath("Draft.RTFD/TXT.rtf").coordinatedItem == "Draft.RTFD")
        #expect(DrivePath.root.coordinatedItem == .root)
    }
}

/// What a body gets to open.
struct CoordinatedItemTests {
    @Test(arguments: ["Letter.txt", "Ümläut 100%.txt", "a#b?c;d"])
    func textIsOpenedByItsURL(_ name: String) throws {
        let item = CoordinatedItem(DrivePath(name), root: Array("/tmp/drive".utf8))
        #expect(item.url.path == "/tmp/drive/\(name)")
    }

    /// The name with U+FFFD in it is another file's.
    @Test func aNameThatIsNoTextStandsForNoOther() throws {
        let root = NSTemporaryDirectory() + "docdrive-item-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: root) }
        let item = CoordinatedItem(DrivePath(bytes: Array("caf".utf8) + [0xE9]), root: Array(root.utf8))
        #expect(item.url.absoluteString.hasSuffix("/caf%E9"))
        #expect(throws: (any Error).self) { try Data("dear".utf8).write(to: item.url) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: root).isEmpty)
        #expect(item.place == Array(root.utf8) + [0x2F] + item.path.bytes)
    }
}
