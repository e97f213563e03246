import Testing

@testable import WatchProtocol

@Suite struct ProtocolTests {
    static let reports: [WatchReport] = [
        .greeting(version: 1), .ready(watched: 3, unwatched: .max),
        .touched(folder: [], name: [0xFF, 0x2E], isClosed: true),
        .touched(folder: Array("a/b".utf8), name: Array("ü".utf8), isClosed: false),
        .touched(folder: Array("a".utf8), name: [], isClosed: true),
        .rescan(reason: "overflow"), .barrier(token: .max, isSure: true), .barrier(token: 0, isSure: false),
        .failure(.exhausted, message: "no watch"),
    ]

    private func frames(_ messages: [some WatchMessage]) -> [UInt8] {
        var bytes: [UInt8] = []
        for message in messages { message.encode(into: &bytes) }
        return bytes
    }

    @Test(arguments: [1, 2, 3, 7, 1000]) func reportsSurviveAnyChopping(size: Int) throws {
        let bytes = frames(Self.reports)
        var decoder = FrameDecoder<WatchReport>()
        var decoded: [WatchReport] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            decoder.append(bytes[start..<min(start + size, bytes.count)])
            while let report = try decoder.next() { decoded.append(report) }
        }
        #expect(decoded == Self.reports)
    }

    @Test func commandsSurvive() throws {
        var decoder = FrameDecoder<WatchCommand>()
        decoder.append(frames([WatchCommand.barrier(token: 77), .stop]))
        #expect(try decoder.next() == .barrier(token: 77))
        #expect(try decoder.next() == .stop)
        #expect(try decoder.next() == nil)
    }

    @Test func markingClosedChangesOnlyTheFlag() throws {
        var bytes = frames([WatchReport.rescan(reason: "x")])
        let frame = bytes.count
        WatchReport.touched(folder: [1], name: [2], isClosed: false).encode(into: &bytes)
        WatchReport.markClosed(&bytes, frame: frame)
        var decoder = FrameDecoder<WatchReport>()
        decoder.append(bytes)
        #expect(try decoder.next() == .rescan(reason: "x"))
        #expect(try decoder.next() == .touched(folder: [1], name: [2], isClosed: true))
    }

    @Test func aHugeLengthIsRefusedAtOnce() {
        var decoder = FrameDecoder<WatchReport>()
        decoder.append([0xFF, 0xFF, 0xFF, 0xFF, 3])
        #expect(throws: MalformedFrame.self) { try decoder.next() }
    }

    @Test func aGreetingOfALaterVersionIsStillReadable() throws {
        var bytes = frames([WatchReport.greeting(version: 9)])
        bytes.append(contentsOf: [1, 2])
        bytes[0] += 2
        var decoder = FrameDecoder<WatchReport>()
        decoder.append(bytes)
        #expect(try decoder.next() == .greeting(version: 9))
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func garbageNeverTraps(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<2000 {
            var bytes = Bool.random(using: &random) ? frames(Self.reports) : []
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                if bytes.isEmpty || Bool.random(using: &random) {
                    bytes.append(UInt8.random(in: 0...255, using: &random))
                } else {
                    bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...8, using: &random)
                }
            }
            drain(WatchReport.self, bytes)
            drain(WatchCommand.self, bytes)
        }
    }

    private func drain<Message: WatchMessage>(_: Message.Type, _ bytes: [UInt8]) {
        var decoder = FrameDecoder<Message>()
        decoder.append(bytes)
        do {
            while let message = try decoder.next() {
                // What was accepted must be writable again.
                var again: [UInt8] = []
                message.encode(into: &again)
            }
        } catch {}
    }
}
