import DriveCore
import Foundation
import Testing

@testable import DriveFiles

@Suite struct StartTests {
    private func startError(program: String, root: String = "/") async -> DriveError? {
        let path = Array(root.utf8)
        do {
            let watcher = try await InotifyWatcher.start(.init(root: path, control: path, program: program))
            await watcher.stop()
            return nil
        } catch {
            return error as? DriveError
        }
    }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("start-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { DiskWork.removeTree(folder) }
        try await body(folder)
    }

    @Test func aMissingProgramSaysWhatToSet() async throws {
        let error = #expect(throws: DriveError.self) {
            try WatchProgram.find(executable: "/nonexistent/bin/docdrive", environment: [:])
        }
        #expect(error?.kind == .notFound)
        #expect(error?.message.contains("DOCDRIVE_WATCH") == true)
        #expect(await startError(program: "/nonexistent/docdrive-watch")?.kind == .notFound)
    }

    @Test func theProgramIsFoundBesideInLibexecAndByVariable() async throws {
        try await withFolder { folder in
            let executable = folder + "/bin/docdrive"
            let places = ["/elsewhere", "/libexec/docdrive-watch", "/bin/docdrive-watch"]
            for path in ["/bin", "/libexec"] {
                try FileManager.default.createDirectory(atPath: folder + path, withIntermediateDirectories: true)
            }
            // The later ones win.
            for place in places {
                try await WatchFixture.script("exit 0", at: folder + place)
                let found = try WatchProgram.find(
                    executable: executable, environment: [WatchProgram.variable: folder + "/elsewhere"])
                #expect(found == folder + place)
            }
        }
    }

    @Test func anotherVersionIsRefused() async throws {
        try await withFolder { folder in
            let greeting = #"printf '\020\000\000\000\001docdrive-watch\143\000'; cat"#
            try await WatchFixture.script(greeting, at: folder + "/watch")
            let error = await startError(program: folder + "/watch")
            #expect(error?.kind == .usage)
            #expect(error?.message.contains("version 99") == true)
        }
    }

    @Test func aProgramThatTalksNonsenseIsRefused() async throws {
        try await withFolder { folder in
            try await WatchFixture.script("echo hello, this is no watcher; cat", at: folder + "/watch")
            #expect(await startError(program: folder + "/watch")?.kind == .corrupt)
        }
    }

    @Test func aMissingFolderIsAnError() async throws {
        let error = await startError(program: try WatchFixture.program(), root: "/nonexistent")
        #expect(error?.kind == .notFound)
    }

    @Test func theProcessGetsNoOtherDescriptors() async throws {
        try await withFolder { folder in
            // Without CLOEXEC: exactly what must not reach the process.
            let leaked = open(folder, O_RDONLY | O_DIRECTORY)
            defer { close(leaked) }
            let list = "ls -l /proc/$$/fd > '\(folder)/fds'; exit 0"
            try await WatchFixture.script(list, at: folder + "/watch")
            _ = await startError(program: folder + "/watch")
            let text = try String(contentsOfFile: folder + "/fds", encoding: .utf8)
            #expect(!text.contains("-> \(folder)\n"))
            #expect(text.contains("/dev/null"))
        }
    }
}
