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
        // Computed by a separate implementation of docs/format.md.
        #expect(Chunker.table[0] == 0xB020_D0DC_B67B_44EA && Chunker.table[255] == 0x5AD5_4C2C_CFCF_EBAF)
        var random = Seeded(2)
        let bytes = random.bytes(2_000_000)
        let expected = "bd36ef691ca1ea90f0653c71127d325066e7c40700e4d8f20404ec488a7df009"
        #expect(ContentHasher.hash(of: bytes).description == expected)
        let copy = ItemID.promotedCopy(
            of: ItemID(high: 1, low: 2), dot: Dot(device: DeviceID(high: 3, low: 4), n: 5))
        #expect(copy.description == "165e297815a7d4afb3b2af284c3ce42b")
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
