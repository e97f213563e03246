import DriveCore
import Foundation
import Glibc
import Synchronization

/// One end of a Unix socket on which frames travel: a length of 4 bytes, big-endian, and that many bytes of JSON.
final class SocketConnection: Sendable {
    private let descriptor: Mutex<Int32?>
    private let reading: Int32
    /// No frame of ours is larger.
    private static let longest = 64 << 20

    init(_ descriptor: Int32) {
        self.descriptor = Mutex(descriptor)
        reading = descriptor
    }

    deinit { if let number = descriptor.withLock({ $0 }) { close(number) } }

    /// Ends reads and writes of both sides; the number stays ours until the value goes.
    func shut() { descriptor.withLock { number in if let number { _ = shutdown(number, Int32(SHUT_RDWR)) } } }

    /// The process at the other end; nil where the kernel does not say (unix(7), SO_PEERCRED: process, user, group).
    var peer: Int32? {
        var credentials: [Int32] = [0, 0, 0]
        var size = socklen_t(3 * MemoryLayout<Int32>.size)
        guard getsockopt(reading, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0, credentials[0] > 0 else {
            return nil
        }
        return credentials[0]
    }

    /// Nil at the end.
    func receive<Value: Decodable & Sendable>(_ type: Value.Type) async throws -> Value? {
        guard let frame = await Self.blocking({ self.readFrame() }) else { return nil }
        do { return try JSONDecoder().decode(type, from: Data(frame)) } catch {
            throw DriveError(.temporary, "the process that watches speaks another language; restart it")
        }
    }

    /// Everything that comes, to the end or to what nobody understands; read by a thread of its own, since the wait for it
    /// has no end. Read it once.
    func messages<Value: Decodable & Sendable>(_ type: Value.Type) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream<Value>.makeStream()
        let thread = Thread {
            while let frame = self.readFrame(), let value = try? JSONDecoder().decode(type, from: Data(frame)) {
                continuation.yield(value)
            }
            continuation.finish()
        }
        thread.name = "docdrive.claims"
        thread.start()
        return stream
    }

    /// False where nobody listens any more.
    @discardableResult
    func send(_ value: some Encodable & Sendable) async throws -> Bool {
        let body = Array(try JSONEncoder().encode(value))
        let frame = (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (24 - 8 * $0)) } + body
        return await Self.blocking { self.writeAll(frame) }
    }

    /// Returns when the other side is gone, or says something that nobody has asked for, or this one was shut.
    func hangUp() async {
        await Self.blocking { [reading] in
            var byte: UInt8 = 0
            while recv(reading, &byte, 1, Int32(MSG_PEEK)) < 0, errno == EINTR {}
        }
    }

    /// A call that blocks, on a thread of its own: a pool of them would be full of those that wait for people.
    static func blocking<Value: Sendable>(_ call: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: call()) }
        }
    }

    private func readFrame() -> [UInt8]? {
        guard let header = read(4) else { return nil }
        let length = header.reduce(0) { $0 << 8 | Int($1) }
        return length > Self.longest ? nil : read(length)
    }

    /// Makes room as the bytes come: to announce a length costs nothing.
    private func read(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: min(count, 64 << 10))
        while bytes.count < count {
            let room = min(count - bytes.count, piece.count)
            let result = piece.withUnsafeMutableBytes { recv(reading, $0.baseAddress, room, 0) }
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { return nil }
            bytes += piece[..<result]
        }
        return bytes
    }

    private func writeAll(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let result = rest.withUnsafeBytes { Glibc.send(reading, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { return false }
            rest = rest.dropFirst(result)
        }
        return true
    }
}
