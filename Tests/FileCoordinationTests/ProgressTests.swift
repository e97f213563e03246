import DriveCore
import DriveTesting
import Synchronization
import Testing

@testable import FileCoordination

/// Whoever waits for one large file sees how far it is.
struct ProgressTests {
    private let clock = ManualClock()
    private let devices: [EngineDevice]
    private let told = Told()

    private final class Told: Sendable {
        private let state = Mutex<(files: [Int], bytes: [UInt64])>(([], []))

        func note(_ event: EngineEvent) {
            guard case .progress(let files, let bytes) = event else { return }
            state.withLock { state in
                state.files.append(files)
                state.bytes.append(bytes)
            }
        }

        func take() -> (files: [Int], bytes: [UInt64]) {
            state.withLock { state in
                defer { state = ([], []) }
                return state
            }
        }
    }

    init() {
        let (clock, store) = (clock, MemoryObjectStore(clock: clock))
        devices = (0..<2).map { EngineDevice(DeviceSetup(number: $0, store: store, clock: clock, seed: 5)) }
    }

    private func engine(_ number: Int) -> DriveEngine {
        var parts = devices[number].engine.parts
        parts.report = { [told] in told.note($0) }
        return DriveEngine(parts)
    }

    private func put(_ count: Int, _ name: DrivePath) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        let bytes = (0..<count / 8).flatMap { _ in withUnsafeBytes(of: generator.next() as UInt64) { Array($0) } }
        devices[0].folder.create(bytes, at: try #require(devices[0].folder.place(name)))
        clock.advance(by: RunPlan.tick)
    }

    private func expectSteps(to size: UInt64) {
        let (files, bytes) = told.take()
        #expect(files.reduce(0, +) == 1)
        #expect(files.last == 1)
        #expect(bytes.reduce(0, +) == size)
        // A chunk is of 4 MiB at most, and handed on whole.
        #expect(bytes.allSatisfy { $0 <= 5 << 20 })
        #expect(bytes.count > size >> 22)
    }

    @Test func aLargeFileIsToldOfInSteps() async throws {
        let size = UInt64(24 << 20)
        try put(Int(size), "video")
        let a = engine(0)
        _ = try await a.scan()
        try await a.commit()
        expectSteps(to: size)
        let b = engine(1)
        _ = try await b.fetch()
        _ = try await b.apply()
        expectSteps(to: size)
        #expect(devices[1].folder.tree() == devices[0].folder.tree())
        // Read again for its checksum.
        var check = FileCheck(files: devices[1].folder, rows: devices[1].state) { told.note($0) }
        try check.run()
        #expect(check.outcome.damaged.isEmpty && check.outcome.files == 1)
        expectSteps(to: size)
    }

    @Test func aSmallFileIsToldOfOnce() async throws {
        try put(800, "letter")
        _ = try await engine(0).scan()
        let (files, bytes) = told.take()
        #expect(files == [1])
        #expect(bytes == [800])
    }
}
