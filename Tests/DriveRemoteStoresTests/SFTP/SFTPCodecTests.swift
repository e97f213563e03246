import Testing

@testable import DriveRemoteStores

/// Packets byte for byte, as draft-ietf-secsh-filexfer-02 lays them out, and what is none.
@Suite struct SFTPCodecTests {
    @Test(arguments: [
        (
            SFTPRequest.open(path: Array("/a".utf8), [.write, .create, .exclusively]),
            [0, 0, 0, 19, 3, 0, 0, 0, 7, 0, 0, 0, 2, 0x2F, 0x61, 0, 0, 0, 0x2A, 0, 0, 0, 0] as [UInt8]
        ),
        (.close(handle: [9]), [0, 0, 0, 10, 4, 0, 0, 0, 7, 0, 0, 0, 1, 9]),
        (
            .read(handle: [9], offset: 0x0102_0304_0506_0708, count: 32_768),
            [0, 0, 0, 22, 5, 0, 0, 0, 7, 0, 0, 0, 1, 9, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0x80, 0]
        ),
        (
            .write(handle: [9], offset: 1, [1, 2, 3][1...]),
            [0, 0, 0, 24, 6, 0, 0, 0, 7, 0, 0, 0, 1, 9, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 2, 3]
        ),
        (.look(path: [0x61]), [0, 0, 0, 10, 7, 0, 0, 0, 7, 0, 0, 0, 1, 0x61]),
        (.openFolder(path: [0x61]), [0, 0, 0, 10, 11, 0, 0, 0, 7, 0, 0, 0, 1, 0x61]),
        (.readFolder(handle: [9]), [0, 0, 0, 10, 12, 0, 0, 0, 7, 0, 0, 0, 1, 9]),
        (.remove(path: [0x61]), [0, 0, 0, 10, 13, 0, 0, 0, 7, 0, 0, 0, 1, 0x61]),
        (.removeFolder(path: [0x61]), [0, 0, 0, 10, 15, 0, 0, 0, 7, 0, 0, 0, 1, 0x61]),
        (.makeFolder(path: [0x61]), [0, 0, 0, 14, 14, 0, 0, 0, 7, 0, 0, 0, 1, 0x61, 0, 0, 0, 0]),
        (.lookThroughLinks(path: [0x61]), [0, 0, 0, 10, 17, 0, 0, 0, 7, 0, 0, 0, 1, 0x61]),
        (
            .rename(from: [0x61], to: [0x62]),
            [0, 0, 0, 15, 18, 0, 0, 0, 7, 0, 0, 0, 1, 0x61, 0, 0, 0, 1, 0x62]
        ),
        (
            .sync(handle: [9]),
            [0, 0, 0, 31, 200, 0, 0, 0, 7, 0, 0, 0, 17] + Array("fsync@openssh.com".utf8) + [0, 0, 0, 1, 9]
        ),
    ])
    func requestsAreAsTheDraftHasThem(request: SFTPRequest, bytes: [UInt8]) {
        #expect(request.packet(id: 7) == bytes)
    }

    private static let replies: [([UInt8], SFTPReply)] = [
        (
            [101, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0, 2, 0x6E, 0x6F, 0, 0, 0, 0],
            .status(SFTPStatus(code: .failure, message: "no"))
        ),
        ([102, 0, 0, 0, 7, 0, 0, 0, 2, 1, 2], .handle([1, 2])),
        ([103, 0, 0, 0, 7, 0, 0, 0, 3, 1, 2, 3], .data([1, 2, 3])),
        (
            [104, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 1, 0x61, 0, 0, 0, 1, 0x62]
                + [0x80, 0, 0, 0x0F, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0x81, 0xA4]
                + [0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0x78, 0, 0, 0, 1, 0x79],
            .names([
                SFTPName(name: [0x61], attributes: SFTPAttributes(size: 5, permissions: 0o100644, modified: 9))
            ])
        ),
        ([105, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0x41, 0xED], .attributes(SFTPAttributes(permissions: 0o040755))),
    ]

    @Test(arguments: replies) func repliesAreRead(bytes: [UInt8], reply: SFTPReply) throws {
        let (id, read) = try SFTPReply.read(bytes[...])
        #expect(id == 7)
        #expect(read == reply)
    }

    @Test(arguments: replies) func aReplyThatEndsTooEarlyIsNone(bytes: [UInt8], reply: SFTPReply) {
        for count in 0..<bytes.count {
            // A status may lack its message, and nobody reads the language of it.
            if bytes[0] == 101, count == 9 || count >= 15 { continue }
            #expect(throws: SFTPFault.self, "\(count) of \(bytes.count) bytes") {
                try SFTPReply.read(bytes[..<count])
            }
        }
    }

    @Test(arguments: [
        // A name count, a handle, an extended count and a string far longer than the packet; a type that is none.
        [104, 0, 0, 0, 7, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1, 0x61] as [UInt8],
        [102, 0, 0, 0, 7, 0xFF, 0xFF, 0xFF, 0xFF, 1],
        [105, 0, 0, 0, 7, 0x80, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF],
        [103, 0, 0, 0, 7, 0x7F, 0xFF, 0xFF, 0xFF, 1],
        [99, 0, 0, 0, 7],
    ])
    func countsThatCannotBeAreNoReply(bytes: [UInt8]) {
        #expect(throws: SFTPFault.self) { try SFTPReply.read(bytes[...]) }
    }

    @Test func aHandleIsAtMost256Bytes() {
        let bytes = [102, 0, 0, 0, 7, 0, 0, 1, 1] + [UInt8](repeating: 1, count: 257)
        #expect(throws: SFTPFault(text: "a handle of 257 bytes")) { try SFTPReply.read(bytes[...]) }
    }

    @Test func extensionsCountInTheVersionThatWeKnow() throws {
        func field(_ text: String) -> [UInt8] { [0, 0, 0, UInt8(text.utf8.count)] + Array(text.utf8) }
        let hello: [UInt8] =
            [2, 0, 0, 0, 3] + field("fsync@openssh.com") + field("1") + field("statvfs@openssh.com") + field("9")
        #expect(try SFTPReply.readHello(hello[...]) == ["fsync@openssh.com"])
        #expect(throws: SFTPFault.self) { try SFTPReply.readHello(hello.dropLast(3)) }
        #expect(throws: SFTPFault.self) { try SFTPReply.readHello([2, 0, 0, 0, 2]) }
    }

    @Test func packetsAreCutWhereverTheyArriveInPieces() throws {
        let stream: [UInt8] = [0, 0, 0, 2, 1, 2, 0, 0, 0, 1, 3, 0, 0, 0, 3, 4, 5, 6]
        for size in 1...stream.count {
            var framing = SFTPFraming()
            var packets: [[UInt8]] = []
            for start in stride(from: 0, to: stream.count, by: size) {
                framing.add(stream[start..<min(start + size, stream.count)])
                while let packet = try framing.next() { packets.append(packet) }
            }
            #expect(packets == [[1, 2], [3], [4, 5, 6]], "pieces of \(size)")
        }
    }

    @Test(arguments: [[0, 4, 0, 1], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0], Array("Welcome to".utf8)] as [[UInt8]])
    func aLengthThatCannotBeEndsTheStream(bytes: [UInt8]) {
        var framing = SFTPFraming()
        framing.add(bytes)
        #expect(throws: SFTPFault.self) { try framing.next() }
    }
}
