import DriveCompression
import DriveCore
import Testing

@testable import DriveTransport

/// A file in memory.
final class BytesReader: FileReader {
    let bytes: [UInt8]
    var place = 0
    var changes = false
    var failsAt = Int.max

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var facts: FileFacts {
        FileFacts(
            kind: .file, identity: FileIdentity(inode: 1, birth: nil), size: UInt64(bytes.count),
            modified: FileTime(seconds: 7, nanoseconds: 8), changed: FileTime(seconds: 7))
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DriveError) -> Int {
        if place >= failsAt { throw DriveError(.inputOutput, "the disk reports an error") }
        let count = min(buffer.count, bytes.count - place)
        buffer.copyBytes(from: bytes[place..<place + count])
        place += count
        return count
    }

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(DriveError) -> Int {
        let part = bytes.dropFirst(Int(offset)).prefix(buffer.count)
        buffer.copyBytes(from: part)
        return part.count
    }

    func isUnchanged() throws(DriveError) -> Bool { !changes }

    func extendedAttributes() throws(DriveError) -> [AttributeKey: [UInt8]] { [:] }

    func contentDigest() -> any ContentDigest { ContentHasher() }
}

@Suite struct ContentTransportTests {
    let store = TestStore()

    private func transport() async throws -> JournalTransport {
        let entropy = TestEntropy(3)
        let info = try await Store.create(in: store.view(), entropy: entropy)
        return JournalTransport(store.view(), store: info, device: entropy.deviceID(), entropy: entropy)
    }

    private func read(_ content: Content, _ transport: JournalTransport) async throws -> [UInt8] {
        var result: [UInt8] = []
        try await transport.contentReader().read(content) { result += $0 }
        return result
    }

    private func chunks(_ content: Content) -> [ChunkReference] {
        if case .chunks(let chunks) = content.body { chunks } else { [] }
    }

    /// Few are asked for: a list costs what the store holds. Of many a list has up to a thousand at once.
    @Test(arguments: [1, 16, 17, 40]) func whatIsMissingIsFoundInFewCalls(count: Int) async throws {
        let transport = try await transport()
        for number in 0..<count { store["\(transport.folder.prefix)pack/x/\(number)"] = [1, 2, 3] }
        let there = Dictionary(uniqueKeysWithValues: (0..<count).map { ("pack/x/\($0)", UInt64(3)) })
        store.change { $0.gets = [] }
        #expect(try await transport.missing(of: there).isEmpty)
        #expect(store.state.withLock(\.gets).count == (count <= 16 ? count : 0))
        #expect(try await transport.missing(of: there.merging(["pack/x/gone": 0]) { $1 }) == ["pack/x/gone"])
        #expect(try await transport.missing(of: there.merging(["pack/x/0": 4]) { $1 }) == ["pack/x/0"])
        #expect(try await transport.missing(of: [:]).isEmpty)
    }

    /// More than a tebibyte, but for the limit: all others are sent, and this one is not read for nothing.
    @Test func aFileOfTooManyChunksIsRefusedAlone() async throws {
        let transport = try await transport()
        let writer = PackingContentWriter(
            folder: transport.folder, device: transport.device, entropy: transport.entropy, limit: PutLimit(),
            maximumChunks: 2, known: { _ in nil }, tell: { _ in }, listed: { _ in },
            takesObjects: { () async throws(DriveError) in true })
        var random = Seeded(5)
        for (size, isRead) in [(8 << 20, true), (8 << 20 + 1, false)] {
            let reader = BytesReader(random.bytes(size))
            await #expect { _ = try await writer.add(reader) } throws: { ($0 as? DriveError)?.kind == .usage }
            #expect(writer.isRefusedAlone && writer.givenUp == nil)
            #expect((reader.place > 0) == isRead)
        }
        let small = try #require(try await writer.add(BytesReader([1, 2, 3])))
        _ = try await writer.finish()
        #expect(!writer.isRefusedAlone)
        #expect(try await read(small, transport) == [1, 2, 3])
    }

    @Test(arguments: [0, 1, 5, 65_536, 262_143, 262_144, 262_145, 1 << 20, 9_000_001])
    func contentsComeBackAsTheyWere(size: Int) async throws {
        let transport = try await transport()
        var random = Seeded(UInt64(size))
        for bytes in [random.bytes(size), Array(repeating: 0x61, count: size)] {
            var references: [ChunkReference] = []
            let writer = transport.contentWriter(known: { _ in nil }, stored: { references += $0 })
            let content = try #require(try await writer.add(BytesReader(bytes)))
            references += try await writer.finish()
            #expect(content.size == UInt64(size) && content.hash == ContentHasher.hash(of: bytes))
            #expect(content.modified == FileTime(seconds: 7, nanoseconds: 8))
            #expect(Set(references) == Set(chunks(content)))
            #expect(try await read(content, transport) == bytes)
        }
    }

    @Test func smallFilesShareAPackAndFewRequests() async throws {
        let transport = try await transport()
        var random = Seeded(1)
        let writer = transport.contentWriter { _ in nil }
        var files: [(bytes: [UInt8], content: Content)] = []
        for _ in 0..<300 {
            let bytes = random.bytes(random.below(40_000))
            files.append((bytes, try #require(try await writer.add(BytesReader(bytes)))))
        }
        _ = try await writer.finish()
        #expect(store.keys("/pack/").count == 1)
        store.change { $0.gets = [] }
        let reader = transport.contentReader()
        for file in files {
            var result: [UInt8] = []
            try await reader.read(file.content) { result += $0 }
            #expect(result == file.bytes)
        }
        #expect(store.state.withLock { $0.gets.count } < 10)
    }

    @Test func packsAreBounded() async throws {
        let transport = try await transport()
        var random = Seeded(1)
        let bytes = random.bytes(200_000)
        var references: [ChunkReference] = []
        let writer = transport.contentWriter(known: { _ in nil }, stored: { references += $0 })
        for number in 0..<200 as Range<UInt8> { _ = try await writer.add(BytesReader([number] + bytes)) }
        references += try await writer.finish()
        #expect(references.count == 200)
        let sizes = store.keys("/pack/").map { store[$0]!.count }
        #expect(sizes.count == 3 && sizes.allSatisfy { $0 < 17 << 20 })
    }

    @Test func knownAndRepeatedChunksAreNotStoredAgain() async throws {
        let transport = try await transport()
        let writer = transport.contentWriter { _ in nil }
        let first = try #require(try await writer.add(BytesReader([1, 2, 3])))
        let again = try #require(try await writer.add(BytesReader([1, 2, 3])))
        #expect(first == again)
        let references = try await writer.finish()
        #expect(references.count == 1)
        let other = transport.contentWriter { id in references.first { $0.id == id } }
        #expect(try await other.add(BytesReader([1, 2, 3])) == first)
        #expect(try await other.finish().isEmpty)
        #expect(store.keys("/pack/").count == 1)
    }

    @Test func oneByteInFrontOfALargeFileKeepsNearlyAllChunks() async throws {
        let transport = try await transport()
        var random = Seeded(8)
        let block = random.bytes(1 << 16)
        var bytes: [UInt8] = []
        for turn in 0..<1_024 {
            let shift = Int(random.next() % 65_536)
            bytes += block[shift...] + block[..<shift].map { $0 ^ UInt8(truncatingIfNeeded: turn) }
        }
        var references: [ChunkReference] = []
        let writer = transport.contentWriter(known: { _ in nil }, stored: { references += $0 })
        let content = try #require(try await writer.add(BytesReader(bytes)))
        references += try await writer.finish()
        let known = Dictionary(references.map { ($0.id, $0) }) { first, _ in first }
        let second = transport.contentWriter { known[$0] }
        let changed = try #require(try await second.add(BytesReader([0] + bytes)))
        let new = try await second.finish()
        #expect(known.count > 30 && new.count <= 3)
        #expect(changed.hash != content.hash)
    }

    /// However it ends: what a killed process stored last is all that is stored again.
    @Test func whatWasStoredIsToldOfBeforeTheEnd() async throws {
        let transport = try await transport()
        var random = Seeded(9)
        let bytes = random.bytes(24 << 20)
        var known: [ContentHash: ChunkReference] = [:]
        var told: [Int] = []
        let writer = transport.contentWriter(known: { _ in nil }) { references in
            for reference in references { known[reference.id] = reference }
            told.append(known.count)
        }
        let reader = BytesReader(bytes)
        reader.failsAt = 20 << 20
        await #expect(throws: DriveError.self) { _ = try await writer.add(reader) }
        #expect((4...6).contains(told.count), "after each 4 MiB of 20, and with the error: \(told)")
        #expect(known.count == store.keys("/blob/").count)
        let stored = known.count
        let second = transport.contentWriter(known: { known[$0] }) { _ in }
        let content = try #require(try await second.add(BytesReader(bytes)))
        _ = try await second.finish()
        let blobs = Set(chunks(content).map(\.object).filter { $0.hasPrefix("blob/") })
        #expect(store.keys("/blob/").count == blobs.count && blobs.count > stored)
        #expect(try await read(content, transport) == bytes)
    }

    @Test func chunksThatLieHereAreNotFetched() async throws {
        let transport = try await transport()
        var random = Seeded(8)
        let bytes = random.bytes(12 << 20)
        let writer = transport.contentWriter { _ in nil }
        let content = try #require(try await writer.add(BytesReader(bytes)))
        let changed = try #require(try await writer.add(BytesReader([0] + bytes + [1])))
        _ = try await writer.finish()
        let common = Set(chunks(content).map(\.id)).intersection(chunks(changed).map(\.id))
        let fetched = chunks(changed).filter { !common.contains($0.id) }.reduce(UInt64(0)) { $0 + UInt64($1.length) }
        #expect(common.count > 3)
        for (here, isWhole) in [(bytes, true), (Array(bytes[..<(11 << 20)]), false), ([], false)] {
            let local = LocalContent(content: content, file: BytesReader(here))
            var result: [UInt8] = []
            let count = try await transport.contentReader().read(changed, reusing: [local]) { result += $0 }
            #expect(result == [0] + bytes + [1])
            #expect(isWhole ? count == fetched : count > fetched)
        }
        var damaged = bytes
        for place in stride(from: 0, to: bytes.count, by: 200_000) { damaged[place] ^= 1 }
        let local = LocalContent(content: content, file: BytesReader(damaged))
        var result: [UInt8] = []
        #expect(try await transport.contentReader().read(content, reusing: [local]) { result += $0 } == content.size)
        #expect(result == bytes)
    }

    @Test func veryManyChunksAreAList() async throws {
        let transport = try await transport()
        // Equal bytes have no cut before the maximum, and are one chunk for the writer.
        let bytes = [UInt8](repeating: 1, count: (65 * Chunker.maximum) + 1)
        var told: [ChunkReference] = []
        var listed: [ChunkReference] = []
        let writer = transport.contentWriter(
            known: { _ in nil }, stored: { told += $0 },
            listed: {
                listed += $0
                #expect(Set(told).isSuperset(of: $0.filter(\.isAlone)), "what was stored is told of before")
            })
        let content = try #require(try await writer.add(BytesReader(bytes)))
        let references = try await writer.finish()
        #expect(listed.count == 66 && listed.contains(where: \.isAlone))
        guard case .list(let list) = content.body else {
            Issue.record("66 chunks stand in the record")
            return
        }
        #expect(references.contains(list))
        var size = 0
        try await transport.contentReader().read(content) { size += $0.count }
        #expect(size == bytes.count)
        // What lies here may have a list too, and one that is not there any more says nothing.
        let local = LocalContent(content: content, file: BytesReader(bytes))
        #expect(try await transport.contentReader().read(content, reusing: [local]) { _ in } == 0)
        var lost = content
        lost.body = .list(references[0])
        let other = LocalContent(content: lost, file: BytesReader(bytes))
        #expect(try await transport.contentReader().read(content, reusing: [other]) { _ in } == content.size)
    }

    @Test func aFileThatChangesWhileItIsReadIsNotSent() async throws {
        let writer = try await transport().contentWriter { _ in nil }
        let reader = BytesReader([1, 2, 3])
        reader.changes = true
        #expect(try await writer.add(reader) == nil)
    }

    @Test func aPackWhosePutFailedIsPutAgain() async throws {
        let transport = try await transport()
        let writer = transport.contentWriter { _ in nil }
        let content = try #require(try await writer.add(BytesReader([1, 2, 3])))
        store.change { $0.faults = [.torn] }
        await #expect(throws: DriveError.self) { try await writer.finish() }
        #expect(try await writer.finish() == chunks(content))
        #expect(try await read(content, transport) == [1, 2, 3])
    }

    @Test func linksTravelInTheirRecord() async throws {
        let transport = try await transport()
        let content = Content.link(target: Array("../a".utf8), modified: FileTime(seconds: 1))
        #expect(try await read(content, transport) == Array("../a".utf8))
        var other = content
        other.body = .inline(Array("/etc".utf8))
        await #expect { _ = try await read(other, transport) } throws: { ($0 as? DriveError)?.kind == .corrupt }
    }

    @Test func missingPacksAreNotFound() async throws {
        let transport = try await transport()
        let writer = transport.contentWriter { _ in nil }
        let content = try #require(try await writer.add(BytesReader([1, 2, 3])))
        await #expect { _ = try await read(content, transport) } throws: { ($0 as? DriveError)?.kind == .notFound }
    }

    /// A pack may be wanted for thousands of files.
    @Test func whatIsMissingIsAskedForOnce() async throws {
        let transport = try await transport()
        let writer = transport.contentWriter { _ in nil }
        var contents: [Content] = []
        for number in 0..<50 as Range<UInt8> {
            contents.append(try #require(try await writer.add(BytesReader([number, 1, 2]))))
        }
        _ = try await writer.finish()
        let pack = try #require(store.keys("/pack/").first)
        let bytes = store[pack]
        store[pack] = nil
        store.change { $0.gets = [] }
        let reader = transport.contentReader()
        for content in contents {
            await #expect { try await reader.read(content) { _ in } } throws: { ($0 as? DriveError)?.kind == .notFound }
        }
        #expect(store.state.withLock { $0.gets.count } == 1)
        // The next pass has a reader of its own.
        store[pack] = bytes
        #expect(try await read(contents[7], transport) == [7, 1, 2])
    }

    @Test func hostilePacksAreRefused() async throws {
        let transport = try await transport()
        let key = "pack/00/x"
        let bomb = try Zstd().compress([UInt8](repeating: 0, count: 64 << 20), level: 1)
        let honest = try Zstd().compress([7, 7, 7], level: 1)
        store["dd1/\(transport.store.id)/\(key)"] = bomb + honest
        func content(_ id: ContentHash, _ length: UInt32, _ offset: Int, _ stored: Int, _ raw: Bool = false) -> Content
        {
            let chunk = ChunkReference(
                id: id, length: length, object: key, offset: UInt64(offset), storedLength: UInt32(stored),
                encoding: raw ? .raw : .zstd)
            return Content(hash: id, size: UInt64(length), modified: FileTime(seconds: 0), body: .chunks([chunk]))
        }
        let good = ContentHasher.hash(of: [7, 7, 7])
        #expect(try await read(content(good, 3, bomb.count, honest.count), transport) == [7, 7, 7])
        let hostile = [
            content(good, 3, 0, bomb.count), content(good, 64 << 20, 0, bomb.count), content(good, .max, 0, 10),
            content(good, 4, bomb.count, honest.count),
            content(ContentHasher.hash(of: [8]), 3, bomb.count, honest.count),
            content(good, 3, bomb.count, honest.count, true), content(good, 3, bomb.count + 5, honest.count),
            content(good, 3, .max, 100), content(good, 3, bomb.count, 1 << 30),
        ]
        for content in hostile {
            await #expect { _ = try await read(content, transport) } throws: { ($0 as? DriveError)?.kind == .corrupt }
        }
    }
}

extension JournalTransport {
    func contentWriter(
        known: @escaping (ContentHash) throws -> ChunkReference?, stored: @escaping ([ChunkReference]) throws -> Void
    ) -> any ContentWriter {
        contentWriter(known: known, stored: stored, listed: { _ in })
    }

    func contentWriter(_ known: @escaping (ContentHash) throws -> ChunkReference?) -> any ContentWriter {
        contentWriter(known: known, stored: { _ in }, listed: { _ in })
    }
}
