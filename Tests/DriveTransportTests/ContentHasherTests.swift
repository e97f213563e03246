import Crypto
import Testing

@testable import DriveCore

@Suite struct ContentHasherTests {
    private func hash(_ bytes: [UInt8], pieces: Int) -> ContentHash {
        var hasher = ContentHasher()
        bytes.withUnsafeBytes { all in
            var place = 0
            while place < all.count {
                let end = min(place + pieces, all.count)
                hasher.update(UnsafeRawBufferPointer(rebasing: all[place..<end]))
                place = end
            }
        }
        return hasher.finish().hash
    }

    @Test func smallContentsHaveTheirPlainHash() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        #expect(ContentHasher.hash(of: []).description == empty)
        #expect(hash([], pieces: 1).description == empty)
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(ContentHasher.hash(of: Array("abc".utf8)).description == abc)
        #expect(ContentHasher.hash(ofLinkTarget: Array("abc".utf8)).description == abc)
    }

    @Test func theWayBytesArriveDoesNotMatter() {
        var random = Seeded(1)
        let bytes = random.bytes(3_000_000)
        let whole = ContentHasher.hash(of: bytes)
        for pieces in [4_096, 65_537, 262_144, 1 << 20, 3_000_000] { #expect(hash(bytes, pieces: pieces) == whole) }
        #expect(whole != ContentHash.sha256(bytes))
    }

    @Test func formatOneIsFixed() {
        // Values of the first implementation: a difference is a new format.
        #expect(Chunker.table[0] == 0 && Chunker.table[255] == 0)
        var random = Seeded(2)
        let bytes = random.bytes(2_000_000)
        #expect(ContentHasher.hash(of: bytes).description == "")
        let copy = ItemID.promotedCopy(
            of: ItemID(high: 1, low: 2), dot: Dot(device: DeviceID(high: 3, low: 4), n: 5))
        #expect(copy.description == "")
    }

    @Test func chunksKeepTheirBounds() {
        var random = Seeded(3)
        for bytes in [random.bytes(6 << 20), [UInt8](repeating: 0, count: 9 << 20)] {
            var chunker = Chunker()
            var lengths: [Int] = []
            bytes.withUnsafeBytes { all in
                var rest = all[...]
                while let cut = chunker.cut(UnsafeRawBufferPointer(rebasing: rest)) {
                    lengths.append(cut)
                    rest = rest[(rest.startIndex + cut)...]
                }
            }
            #expect(lengths.allSatisfy { $0 > Chunker.minimum && $0 <= Chunker.maximum } && !lengths.isEmpty)
        }
    }
}
