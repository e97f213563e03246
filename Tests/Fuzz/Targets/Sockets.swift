import Dispatch
import Foundation
import Glibc
import Synchronization

@testable import DriveCore
@testable import FileCoordination

extension FuzzTarget {
    /// What commands and a watching drive say to each other, through a real socket. The first byte tells which end reads.
    static let socket = FuzzTarget(name: "socket", run: Sockets.run, seeds: Sockets.seeds)
}

private enum Sockets {
    static func run(_ bytes: [UInt8]) throws {
        let stream = Array(bytes.dropFirst().prefix(64 << 10))
        if (bytes.first ?? 0) % 2 == 0 {
            for request in try received(DriveRequest.self, stream) { try comesBack(request) }
        } else {
            for reply in try received(DriveReply.self, stream) { try comesBack(reply) }
        }
    }

    static func seeds() throws -> [[UInt8]] {
        let acts: [DriveAct] = [
            .confirmDeletes(ids: ["1", "2"]), .resolve(ids: ["x"], how: .keep(.copy)),
            .undo(operations: [1], device: "pc"),
            .restore([RestoredContent(path: [97], content: "00", target: nil)]), .renameDevice("pc"),
            .forgetDevice(id: "00"),
            .clean([RedundantCopy(path: [0x61], kept: [0xFF])]), .repairFiles([[0x61], []]), .note([]),
        ]
        let requests = [DriveRequest(.sync), DriveRequest(.subscribe)] + acts.map { DriveRequest(.act, act: $0) }
        let replies = [
            DriveReply(summary: SyncSummary()), DriveReply(status: RunningStatus()), DriveReply(lines: ["a", "b"]),
            DriveReply(error: ErrorReport(DriveError(.temporary, "later", path: "x"))),
        ]
        return [[0] + (try requests.flatMap(frame)), [1] + (try replies.flatMap(frame))]
            + (try requests.map { [0] + (try frame($0)) })
    }

    private static func frame(_ value: some Encodable) throws -> [UInt8] {
        let body = Array(try JSONEncoder().encode(value))
        return (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (24 - 8 * $0)) } + body
    }

    /// All that one end takes from the stream before it ends or is refused.
    private static func received<Value: Decodable & Sendable>(_: Value.Type, _ stream: [UInt8]) throws -> [Value] {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw Broken("no sockets") }
        // It fits into the socket's buffer: nobody reads meanwhile.
        let sent = stream.isEmpty ? 0 : send(ends[0], stream, stream.count, Int32(MSG_DONTWAIT))
        close(ends[0])
        let connection = SocketConnection(ends[1])
        try require(sent == stream.count, "the stream is sent whole")
        return waiting {
            var result: [Value] = []
            while let value = try? await connection.receive(Value.self) { result.append(value) }
            return result
        }
    }

    private static func comesBack<Value: Codable & Hashable>(_ value: Value) throws {
        let again = try JSONDecoder().decode(Value.self, from: try JSONEncoder().encode(value))
        try require(again == value, "a message comes back as it was")
    }

    /// A search calls from a thread of its own, which may wait.
    private static func waiting<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
        let result = Mutex<Value?>(nil)
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            let value = await work()
            result.withLock { $0 = value }
            done.signal()
        }
        done.wait()
        return result.withLock { $0 }.unsafelyUnwrapped
    }
}
