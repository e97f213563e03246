import Testing

@testable import DriveCore

@Suite struct RecordCodecTests {
    @Test(arguments: 0..<50 as Range<UInt64>) func statesComeBackAsTheyWere(seed: UInt64) throws {
        var random = RandomStates(seed: seed)
        let states = random.states(40)
        #expect(try RecordCodec.decodeAll(RecordCodec.encode(states)) == states)
        for state in states {
            #expect(try RecordCodec.decode(RecordCodec.encode(state)) == state)
            #expect(try RecordCodec.decodeContext(RecordCodec.encode(context: state.context)) == state.context)
        }
    }

    @Test func everyPrefixIsRefusedOrShorter() throws {
        var random = RandomStates(seed: 7)
        let states = random.states(12)
        let bytes = RecordCodec.encode(states)
        for length in 0..<bytes.count {
            guard let some = try? RecordCodec.decodeAll(Array(bytes[..<length])) else { continue }
            #expect(some == Array(states[..<some.count]) && some.count < states.count)
        }
        for state in states {
            let bytes = RecordCodec.encode(state)
            for length in 0..<bytes.count {
                #expect(throws: DriveError.self) { try RecordCodec.decode(Array(bytes[..<length])) }
            }
        }
    }

    @Test func flippedBitsNeverTrap() {
        var random = RandomStates(seed: 11)
        var seeded = Seeded(12)
        for _ in 0..<100 {
            let bytes = RecordCodec.encode(random.states(3))
            for _ in 0..<1_000 {
                var damaged = bytes
                for _ in 0...seeded.below(3) {
                    damaged[seeded.below(damaged.count)] ^= 1 << UInt8(seeded.below(8))
                }
                _ = try? RecordCodec.decodeAll(damaged)
            }
        }
    }

    @Test func randomBytesNeverTrapInAnyPart() {
        var random = Seeded(13)
        for _ in 0..<20_000 {
            let bytes = [RecordCodec.version] + random.bytes(random.below(80))
            _ = try? RecordCodec.decode(bytes)
            _ = try? RecordCodec.decodeContext(bytes)
        }
    }

    @Test func newerVersionsAreRefusedAsNewer() {
        var bytes = RecordCodec.encode([])
        bytes[0] = 2
        #expect { try RecordCodec.decodeAll(bytes) } throws: { ($0 as? DriveError)?.kind == .newerFormat }
    }

    @Test func namesThatNoFolderHoldsAreRefused() {
        var random = RandomStates(seed: 3)
        var state = random.state()
        state.name.value = FileName("../x")
        #expect { try RecordCodec.decode(RecordCodec.encode(state)) } throws: {
            ($0 as? DriveError)?.kind == .corrupt
        }
    }

    @Test func objectNamesThatLeaveTheStoreAreRefused() {
        for key in [
            "pack/../../x", ".a", "a/.b", "...a", String(repeating: "a", count: 256), "/etc", "a//b", "a/.", "Pack/x",
            "a b", "",
        ] {
            #expect(!StoredKey.isSafe(key))
        }
        #expect(StoredKey.isSafe("blob/0f/0f.aa"))
    }

    @Test func aPlainFileTakesAboutAHundredBytes() {
        let device = DeviceID(high: 1, low: 2)
        var random = Seeded(5)
        let states = (1...1_000).map { n in
            let tag = Tag(time: HybridTime(milliseconds: 1_790_000_000_000), dot: Dot(device: device, n: UInt64(n)))
            let hash = ContentHash(words: (random.next(), random.next(), random.next(), random.next()))
            let chunk = ChunkReference(
                id: hash, length: 40_000, object: StoredKey.packKey(device, nonce: 1), offset: UInt64(n) * 30_000,
                storedLength: 30_000, encoding: .zstd)
            let content = Content(
                hash: hash, size: 40_000, modified: FileTime(seconds: 1_780_000_000, nanoseconds: 123_456_789),
                body: .chunks([chunk]))
            return ItemState(
                id: ItemID(high: random.next(), low: random.next()), kind: .file,
                context: DeviceVector(device, UInt64(n)),
                name: Register(tag: tag, value: FileName("Invoice 2026-\(n).pdf")),
                placement: Register(tag: tag, value: Placement(parent: .root, from: .root)),
                heads: [Head(dot: tag.dot, time: tag.time, content: content)], life: [LifeDot(dot: tag.dot)])
        }
        #expect(RecordCodec.encode(states).count / states.count < 115)
    }
}
