@testable import DriveCore
@testable import DriveFiles
@testable import WatchProtocol

extension FuzzTarget {
    /// What the watcher process says. The first byte tells into which pieces the stream is cut, the second which end reads.
    static let watch = FuzzTarget(name: "watch", run: Watching.run, seeds: Watching.seeds)
}

private enum Watching {
    static func run(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let piece = Int(input.byte()) + 1
        let isCommand = input.choice(2) == 1
        let stream = input.remainder()
        if isCommand {
            let messages = try decoded(WatchCommand.self, stream, piece)
            try comeBack(messages)
        } else {
            let messages = try decoded(WatchReport.self, stream, piece)
            try comeBack(messages)
            try session(messages)
        }
    }

    static func seeds() -> [[UInt8]] {
        let reports: [WatchReport] = [
            .greeting(version: WatchProtocol.version), .ready(watched: 7, unwatched: 1),
            .touched(folder: Array("a/b".utf8), name: Array("c.txt".utf8), isClosed: true),
            .touched(folder: [], name: [0xFF], isClosed: false), .touched(folder: [0x61], name: [], isClosed: true),
            .barrier(token: 77, isSure: true),
            .rescan(reason: "the queue ran over"), .failure(.exhausted, message: "no watches"),
        ]
        let commands: [WatchCommand] = [.barrier(token: 3), .barrier(token: .max), .stop]
        return [
            [255, 0] + encoded(reports), [0, 0] + encoded(reports), [6, 0] + encoded(Array(reports.prefix(4))),
            [255, 1] + encoded(commands), [2, 1] + encoded(commands), [255, 0] + encoded([reports[0], reports[6]]),
        ]
    }

    private static func encoded(_ messages: [some WatchMessage]) -> [UInt8] {
        var bytes: [UInt8] = []
        for message in messages { message.encode(into: &bytes) }
        return bytes
    }

    /// The same however the stream was cut.
    private static func decoded<Message: WatchMessage>(
        _: Message.Type, _ stream: [UInt8], _ piece: Int
    ) throws -> [Message] {
        let whole = messages(Message.self, [stream])
        let pieces = stride(from: 0, to: stream.count, by: piece).map {
            Array(stream[$0..<min($0 + piece, stream.count)])
        }
        let cut = messages(Message.self, pieces)
        try require(cut.messages == whole.messages && cut.isBroken == whole.isBroken, "pieces do not matter")
        return whole.messages
    }

    private static func messages<Message: WatchMessage>(
        _: Message.Type, _ pieces: [[UInt8]]
    ) -> (messages: [Message], isBroken: Bool) {
        var decoder = FrameDecoder<Message>()
        var result: [Message] = []
        for piece in pieces {
            decoder.append(piece)
            do {
                while let message = try decoder.next() { result.append(message) }
            } catch {
                return (result, true)
            }
        }
        return (result, false)
    }

    private static func comeBack<Message: WatchMessage>(_ messages: [Message]) throws {
        let again = self.messages(Message.self, [encoded(messages)])
        try require(again.messages == messages && !again.isBroken, "messages come back as they were")
    }

    private static func session(_ reports: [WatchReport]) throws {
        for isRestart in [false, true] {
            var session = WatchSession(isRestart: isRestart)
            for report in reports {
                guard let actions = try? session.receive(report) else { break }
                for case .event(.touched(let folder, let name, _)) in actions {
                    try require(name?.isValid ?? true, "a touched name is one component")
                    try require(folder.components.allSatisfy(\.isValid), "a touched folder lies in the drive")
                }
            }
        }
    }
}
