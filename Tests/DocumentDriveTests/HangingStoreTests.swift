import DriveCore
import Foundation
import Glibc
import TestSupport
import Testing

@testable import DocumentDrive

/// A server that takes connections and says nothing.
private final class SilentServer {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, length) == 0 && listen(number, 16) == 0 && getsockname(number, $0, &length) == 0
            }
        }
        try #require(isListening)
        descriptor = number
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }
}

@Suite(.mayBlock)
struct HangingStoreTests {
    private func lead(_ folder: FolderPath, to server: SilentServer) throws {
        var settings = try DriveSettings.load(from: folder)
        settings.store = try StoreAddress(Array("webdav://127.0.0.1:\(server.port)/x".utf8))
        try settings.save(to: folder)
    }

    @Test func doctorTellsOfItInTime() async throws {
        let server = try SilentServer()
        let world = try WhyWorld()
        let a = try await world.device("alpha")
        try await a.sync()
        try lead(a.folder, to: server)
        let findings = await Doctor(a.folder, patience: .seconds(2)).run()
        let store = findings.filter { $0.check == "store" }
        #expect(store.map(\.level) == [.problem], "\(store)")
        #expect(store.first?.message == "it did not answer within 2 seconds", "\(store)")
        #expect(findings.contains { $0.check == "clock" })
    }

    /// As by `--timeout`.
    @Test func doctorThatIsStoppedSaysThatItHadNotAnswered() async throws {
        let server = try SilentServer()
        let world = try WhyWorld()
        let a = try await world.device("alpha")
        try await a.sync()
        try lead(a.folder, to: server)
        let doctor = Task { await Doctor(a.folder, patience: .seconds(600)).run() }
        doctor.cancel()
        let store = await doctor.value.filter { $0.check == "store" }
        #expect(store.map(\.message) == ["it had not answered by the end"], "\(store)")
    }

    @Test(.timeLimit(.minutes(20))) func whoIsCancelledIsToldThatAndFindsNoFile() async throws {
        let server = try SilentServer()
        let world = try WhyWorld()
        let a = try await world.device("alpha")
        for text in ["one", "two"] {
            try a.write("Letter.txt", text)
            try await a.sync()
        }
        try lead(a.folder, to: server)
        let reader = try DriveReader(a.folder)
        let version = try #require(try reader.versions(of: "Letter.txt").first { $0.place == .store })
        let target = FolderPath("\(world.root)/version")
        let write = Task { try await VersionBytes(reader).write(version, to: target) }
        // It has made its file, and waits for the server.
        while !target.exists { try await Task.sleep(for: .milliseconds(5)) }
        write.cancel()
        await #expect(throws: CancellationError.self) { try await write.value }
        #expect(!target.exists)
    }
}
