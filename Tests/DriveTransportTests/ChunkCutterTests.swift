import DriveCore
import Testing

@testable import DriveTransport

/// With the lists of what a file was, it is cut just as without.
@Suite struct ChunkCutterTests {
    private static let old = {
        var random = Seeded(21)
        return random.bytes(8 << 20)
    }()
    private static let oldList = (try? list(of: old)) ?? []

    private static func list(of bytes: [UInt8], like lists: ChunkLists = ChunkLists()) throws -> [ChunkReference] {
        var cutter = ChunkCutter(BytesReader(bytes), like: lists)
        var result: [ChunkReference] = []
        var again: [UInt8] = []
        while let (id, length) = try cutter.next() {
            result.append(reference(id, length))
            again += cutter.take()
        }
        let isWhole = again == bytes
        #expect(isWhole, "the chunks are all of the file")
        return result
    }

    private static func reference(_ id: ContentHash, _ length: UInt32) -> ChunkReference {
        ChunkReference(id: id, length: length, object: "blob/1", offset: 0, storedLength: length, encoding: .raw)
    }

    private static func lists(_ lists: [ChunkReference]...) -> ChunkLists {
        var result = ChunkLists()
        for list in lists { result.add(list) }
        return result
    }

    enum Edit: CaseIterable {
        case none, overwritten, first, last, front, inserted, removed, shorter, longer, cutWithinAChunk, doubled, other,
            empty

        func made(of old: [UInt8]) -> [UInt8] {
            var random = Seeded(22)
            switch self {
            case .none: return old
            case .overwritten: return old[..<3_000_000] + random.bytes(1 << 20) + old[(3_000_000 + (1 << 20))...]
            case .first: return [old[0] ^ 1] + old[1...]
            case .last: return old.dropLast() + [old[old.count - 1] ^ 1]
            case .front: return [7] + old
            case .inserted: return old[..<4_000_000] + random.bytes(100_000) + old[4_000_000...]
            case .removed: return Array(old[..<2_000_000] + old[2_700_000...])
            case .shorter: return Array(old[..<5_000_000])
            case .longer: return old + random.bytes(2 << 20)
            case .cutWithinAChunk: return Array(old[..<(Int(ChunkCutterTests.oldList[0].length) + 1_000)])
            case .doubled: return old + old
            case .other: return random.bytes(3 << 20)
            case .empty: return []
            }
        }
    }

    @Test(arguments: Edit.allCases) func theListOfWhatItWasMakesNoDifference(edit: Edit) throws {
        let new = edit.made(of: Self.old)
        let alone = try Self.list(of: new)
        #expect(try Self.list(of: new, like: Self.lists(Self.oldList)) == alone)
        #expect(try Self.list(of: new, like: Self.lists(alone, Self.oldList)) == alone)
        // And back: a chunk that ended a content goes on in another.
        #expect(try Self.list(of: Self.old, like: Self.lists(alone)) == Self.oldList)
    }

    @Test func aListIsFollowedWhereTheBytesAreItsOwn() throws {
        let cuts = [0, 300_000, 700_000, 1_000_000, 1_400_000]
        let list = zip(cuts, cuts.dropFirst()).map { start, end in
            Self.reference(.sha256(Array(Self.old[start..<end])), UInt32(end - start))
        }
        let followed = try Self.list(of: Self.old, like: Self.lists(list))
        #expect(Array(followed.prefix(3)) == Array(list.prefix(3)), "not the last, which may go on")
        #expect(followed[3].length != list[3].length)
    }

    /// No list can make chunks that the format does not have.
    @Test(arguments: [1, Chunker.minimum - 1, Chunker.maximum + 1]) func lengthsKeepTheirBounds(length: Int) throws {
        let list = [Self.reference(.sha256(Array(Self.old[..<length])), UInt32(length)), Self.oldList[0]]
        #expect(try Self.list(of: Self.old, like: Self.lists(list)) == Self.oldList)
    }

    @Test func whatIsNotTakenIsPassedOver() throws {
        var cutter = ChunkCutter(BytesReader(Self.old), like: Self.lists(Self.oldList))
        var found: [ContentHash] = []
        while let (id, _) = try cutter.next() { found.append(id) }
        #expect(found == Self.oldList.map(\.id))
    }
}
