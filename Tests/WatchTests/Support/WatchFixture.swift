import DriveCore
import Foundation
import TestSupport
import Testing

@testable import DriveFiles

/// A drive folder, a place outside it, and the real watcher process over it.
struct WatchFixture {
    let base: String
    let watcher: InotifyWatcher
    let model: DriveModel

    var root: String { base + "/drive" }
    var outside: String { base + "/outside" }

    /// Runs `body` with a ready watcher and cleans up.
    static func run(
        program: String? = nil, leakLimit: Int = 100_000, openTime: Int = 10, arrivalsBut prefixes: [[UInt8]]? = nil,
        prepare: @Sendable (_ root: String) -> Void = { _ in },
        _ body: @Sendable (WatchFixture) async throws -> Void
    ) async throws {
        let base = FileManager.default.temporaryDirectory.appendingPathComponent("watch-\(UUID().uuidString)").path
        defer { DiskWork.removeTree(base) }
        let control = base + "/drive/.docdrive/cookies"
        for path in [control, base + "/outside"] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        prepare(base + "/drive")
        var configuration = InotifyWatcher.Configuration(
            root: Array((base + "/drive").utf8), control: Array(control.utf8), leaveOut: [".docdrive"],
            program: try program ?? Self.program())
        configuration.leakLimit = leakLimit
        configuration.openTime = openTime
        configuration.onlyArrivals = prefixes != nil
        configuration.leaveOutPrefixes = prefixes ?? []
        let watcher = try await InotifyWatcher.start(configuration)
        let model = DriveModel(root: base + "/drive")
        let fixture = WatchFixture(base: base, watcher: watcher, model: model)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await model.consume(watcher.events) }
            await model.wait { $0.readyCount > 0 }
            do { try await body(fixture) } catch {
                await watcher.stop()
                throw error
            }
            await watcher.stop()
            try await group.waitForAll()
        }
    }

    /// Runs a load, then expects that everything it left is known once a barrier has passed.
    func expectNothingMissed(_ load: @escaping @Sendable () -> Void) async {
        await DiskWork.onThread { [root] in
            load()
            DiskWork.waitForWriters(beneath: root)
        }
        // However busy the machine is with other tests.
        #expect(await watcher.barrier(timeout: .seconds(900)))
        let missing = model.missing()
        #expect(missing.isEmpty, "\(missing.count) paths missed, such as \(missing.prefix(5))")
        let ghosts = model.ghosts()
        #expect(ghosts.isEmpty, "\(ghosts.count) names are gone unseen, such as \(ghosts.prefix(5))")
    }

    /// The program built beside this test bundle.
    static func program() throws -> String {
        let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
        for line in maps.split(separator: "\n") where line.hasSuffix(".xctest") {
            guard let start = line.firstIndex(of: "/") else { continue }
            let bundle = URL(fileURLWithPath: String(line[start...]))
            let program = bundle.deletingLastPathComponent().appendingPathComponent(WatchProgram.name).path
            if FileManager.default.isExecutableFile(atPath: program) { return program }
        }
        return try WatchProgram.find()
    }

    /// An executable shell script, for wrapping or replacing the program.
    static func script(_ text: String, at path: String) async throws {
        try await OwnThread.run { try ExecutableScript.write("#!/bin/sh\n\(text)\n", to: path) }
    }
}
