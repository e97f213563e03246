import DriveCore
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import DriveRemoteStores

/// Bodies are held in pieces: neither side runs ahead of the other by more than what the system's buffers take.
struct HTTPFlowTests {
    /// More than Linux buffers of a connection on both sides (tcp(7), tcp_rmem and tcp_wmem; 36 MiB where that is large).
    private static let ahead = 48 << 20

    private func exchange(_ port: Int, _ pace: TransferPace, progress: Double) throws -> HTTPExchange {
        var options = RemoteStoreOptions(environment: [:])
        (options.pace, options.progressSeconds) = (pace, progress)
        return try HTTPExchange(HTTPOrigin(.http, host: "127.0.0.1", port: UInt16(port)), options)
    }

    @Test func anUploadWaitsForAServerThatDoesNotRead() async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.autoRead, value: false).bind(host: "127.0.0.1", port: 0).get()
        defer { server.close(promise: nil) }
        let gone = Mutex(0)
        let pace = TransferPace { _, bytes in
            gone.withLock { $0 += bytes }
            // A connection whose thread has no turn for long cannot say that it is full.
            for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { try? await loop.submit {}.get() }
        }
        let exchange = try exchange(try #require(server.localAddress?.port), pace, progress: 2)
        let bytes = [UInt8](repeating: 1, count: 100 << 20)
        let request = HTTPRequest("PUT", "/", body: bytes[...], subject: "object")
        await #expect(throws: DriveError.self) { _ = try await exchange.answer(to: request, limit: 10) }
        #expect(gone.withLock { $0 } < Self.ahead)
    }

    @Test func aServerWaitsForAReaderThatWaits() async throws {
        let server = try await LoopbackServer { _, _ in
            var reply = LoopbackServer.Reply(raw: "HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
            reply.repeats = [UInt8](repeating: 2, count: 1 << 20)
            return reply
        }
        let ahead = Mutex<Int?>(nil)
        let pace = TransferPace { _, _ in
            guard ahead.withLock({ $0 == nil }) else { return }
            // Until the server sends no more.
            var last = -1
            while last != server.repeated {
                last = server.repeated
                try? await Task.sleep(for: .milliseconds(500))
            }
            ahead.withLock { $0 = last }
        }
        let exchange = try exchange(server.port, pace, progress: 30)
        let error = await #expect(throws: DriveError.self) {
            _ = try await exchange.answer(
                to: HTTPRequest("GET", "/", range: 0..<(50 << 20), subject: "object"), limit: 10 << 20)
        }
        #expect(error?.kind == .unreachable, "it was read on, up to the limit")
        #expect(try #require(ahead.withLock { $0 }) < Self.ahead)
    }
}
