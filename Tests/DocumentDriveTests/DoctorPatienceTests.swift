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
struct DoctorPatienceTests {
    @Test func aStoreThatHangsIsToldAsSuch() async throws {
        let server = try SilentServer()
        let world = try WhyWorld()
        let a = try await world.device("alpha")
        try await a.sync()
        var settings = try DriveSettings.load(from: a.folder)
        settings.store = try StoreAddress(Array("webdav://127.0.0.1:\(server.port)/x".utf8))
        try settings.save(to: a.folder)
        let findings = await Doctor(a.folder, patience: .seconds(2)).run()
        let store = findings.filter { $0.check == "store" }
        #expect(store.map(\.level) == [.problem], "\(store)")
        #expect(store.first?.message == "it did not answer within 2 seconds", "\(store)")
        #expect(findings.contains { $0.check == "clock" })
    }
}
