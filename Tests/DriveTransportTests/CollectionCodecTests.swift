import Testing

@testable import DriveCore
@testable import DriveTransport

struct CollectionCodecTests {
    private let device = DeviceID(high: 7, low: 8)

    private func notice(_ objects: [ObjectKey]) -> CollectionNotice {
        CollectionNotice(device: device, nonce: 9, basis: DeviceVector(device, 3), objects: objects)
    }

    @Test func aNoticeComesBackAsItWas() throws {
        let notice = notice(["pack/0/b", "blob/00/a", "pack/0/a"])
        #expect(notice.objects == ["blob/00/a", "pack/0/a", "pack/0/b"])
        let (bytes, reference) = CollectionObject.seal(notice)
        #expect(try CollectionObject.open(bytes, of: device, reference) == notice)
        #expect(try CollectionObject.open(bytes, of: DeviceID(high: 7, low: 9), reference) == nil)
        #expect(try CollectionObject.open(Array(bytes.dropLast()), of: device, reference) == nil)
    }

    /// Whoever can write to a store can write a notice, but it names nothing but contents.
    @Test(arguments: ["head/x", "format", "log/x/y", "pack/../format", "pack//x", "/pack/x", "pack/\u{0}"])
    func aNoticeOfAnythingElseIsNone(_ key: ObjectKey) throws {
        let (bytes, reference) = CollectionObject.seal(notice([key]))
        #expect(try CollectionObject.open(bytes, of: device, reference) == nil)
        #expect(!CollectionObject.mayRemove(key))
    }

    @Test func notesComeBackAsTheyWere() throws {
        let open = CollectionReference(nonce: .max, size: 12, hash: ContentHash(words: (1, 2, 3, 4)))
        let answers = [
            CollectionAnswer(device: device, nonce: 1, kept: []),
            CollectionAnswer(device: DeviceID(high: 1, low: 1), nonce: 2, kept: [0, 1, 99_999]),
        ]
        for note in [
            CollectionNote.none, .init(open: open), .init(answers: answers), .init(open: open, answers: answers),
        ] {
            var writer = ByteWriter()
            writer.collectionNote(note)
            var reader = ByteReader(writer.bytes)
            #expect(try reader.collectionNote() == note)
            #expect(reader.isAtEnd)
            for length in 0..<writer.bytes.count {
                var reader = ByteReader(Array(writer.bytes.prefix(length)))
                #expect(throws: DriveError.self) { try reader.collectionNote() }
            }
        }
    }

    @Test func whoIsForgottenComesBackAsItWas() throws {
        let note = CollectionNote(
            answers: [CollectionAnswer(device: device, nonce: 1, kept: [3])],
            forgotten: [
                ForgottenDevice(device, head: "head/x"), ForgottenDevice(DeviceID(high: 9, low: 9), head: nil),
            ])
        var writer = ByteWriter()
        writer.collectionNote(note)
        var reader = ByteReader(writer.bytes)
        #expect(try reader.collectionNote() == note)
        // A head without that part is one of an earlier version.
        var earlier = note
        earlier.forgotten = []
        var short = ByteWriter()
        short.collectionNote(earlier)
        #expect(writer.bytes.starts(with: short.bytes))
        for length in short.bytes.count + 1..<writer.bytes.count {
            var reader = ByteReader(Array(writer.bytes.prefix(length)))
            #expect(throws: DriveError.self) { try reader.collectionNote() }
        }
    }

    @Test func placesBeyondEveryListAreRefused() {
        var writer = ByteWriter()
        writer.byte(0)
        writer.count(1)
        writer.device(device)
        writer.fixed(UInt64(1))
        writer.count(2)
        writer.varint(99_999)
        writer.varint(.max)
        var reader = ByteReader(writer.bytes)
        #expect(throws: DriveError.self) { try reader.collectionNote() }
    }
}
