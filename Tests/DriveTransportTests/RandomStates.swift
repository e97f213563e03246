@testable import DriveCore

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers for a seed everywhere.
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
    mutating func chance(_ oneIn: Int) -> Bool { below(oneIn) == 0 }
    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}

/// Makes item states of every form that the types allow, plain ones most often.
struct RandomStates {
    var random: Seeded
    private var devices: [DeviceID] = []
    private var folders: [ItemID] = [.root]

    init(seed: UInt64) {
        random = Seeded(seed)
        devices = (0..<4).map { _ in
            DeviceID(high: random.next(), low: UInt16(truncatingIfNeeded: random.next()))
        }
    }

    mutating func state() -> ItemState {
        let kind = ItemKind(rawValue: UInt8(random.below(3)))!
        let id = ItemID(high: random.next(), low: random.next() | 1)
        let tag = tag()
        let parent = folders.randomElement(using: &random)!
        if kind == .folder { folders.append(id) }
        let placement = Placement(parent: parent, from: random.chance(3) ? folders[0] : parent)
        var heads: [Head] = []
        if kind.hasContent {
            heads = [Head(dot: tag.dot, time: tag.time, content: content(), mark: mark(parent))]
            while random.chance(4) { heads.append(head(parent)) }
        }
        var life = heads.map { LifeDot(dot: $0.dot, mark: $0.mark) }
        if random.chance(4) {
            life = (0..<random.below(4)).map { _ in LifeDot(dot: self.tag().dot, mark: mark(parent)) }
        }
        var context = DeviceVector(tag.device, tag.n)
        while random.chance(2) { context[devices.randomElement(using: &random)!] = random.next() >> 40 + 1 }
        return ItemState(
            id: id, kind: kind, context: context, name: Register(tag: tag, value: name()),
            placement: Register(tag: random.chance(3) ? self.tag() : tag, value: placement),
            attributes: attributes(tag),
            heads: unique(heads, \.dot), life: unique(life, \.dot))
    }

    mutating func states(_ count: Int) -> [ItemState] { (0..<count).map { _ in state() } }

    private func unique<Element>(_ list: [Element], _ dot: (Element) -> Dot) -> [Element] {
        var seen: Set<Dot> = []
        return list.filter { seen.insert(dot($0)).inserted }
    }

    private mutating func tag() -> Tag {
        let n = random.chance(9) ? random.next() | 1 : UInt64(random.below(100_000) + 1)
        return Tag(
            time: HybridTime(rawValue: random.chance(9) ? random.next() : 1 << 56 + random.next() >> 40),
            dot: Dot(device: devices.randomElement(using: &random)!, n: n))
    }

    private mutating func name() -> FileName {
        FileName(bytes: random.bytes(random.below(40) + 1).map { $0 == 0 || $0 == 0x2F || $0 == 0x2E ? 0x61 : $0 })
    }

    private mutating func mark(_ parent: ItemID) -> Mark {
        switch random.below(8) {
        case 0: Mark(folders: [parent])
        case 1: .bySelf
        case 2: Mark(bySelf: random.chance(2), folders: [parent, ItemID(high: random.next(), low: 7)])
        default: .none
        }
    }

    private mutating func attributes(_ near: Tag) -> [AttributeKey: Register<[UInt8]>] {
        var result: [AttributeKey: Register<[UInt8]>] = [:]
        while random.chance(2) {
            let key = AttributeKey(rawValue: UInt16(random.chance(3) ? random.below(65_536) : random.below(6)))
            result[key] = Register(tag: random.chance(2) ? near : tag(), value: random.bytes(random.below(30)))
        }
        return result
    }

    private mutating func head(_ parent: ItemID) -> Head {
        let tag = tag()
        return Head(dot: tag.dot, time: tag.time, content: content(), mark: mark(parent))
    }

    private mutating func content() -> Content {
        let hash = hash()
        let size = UInt64(random.below(1 << 30))
        let body: Content.Body
        switch random.below(5) {
        case 0: body = .inline(random.bytes(random.below(50)))
        case 1: body = .list(chunk())
        case 2: body = .chunks((0..<random.below(5)).map { _ in chunk() })
        default:
            var only = chunk()
            only.id = hash
            only.length = UInt32(size)
            body = .chunks([only])
        }
        return Content(
            hash: hash, size: size,
            modified: FileTime(
                seconds: random.chance(5) ? Int64(bitPattern: random.next()) : 1_700_000_000,
                nanoseconds: UInt32(random.below(1_000_000_000))),
            was: random.chance(3) ? Content.Predecessor(high: random.next(), low: random.next()) : nil, body: body,
            storedAgain: random.chance(6) ? tag() : nil)
    }

    private mutating func hash() -> ContentHash {
        ContentHash(words: (random.next(), random.next(), random.next(), random.next()))
    }

    private mutating func chunk() -> ChunkReference {
        let id = hash()
        let device = devices.randomElement(using: &random)!
        let object: ObjectKey =
            switch random.below(4) {
            case 0: StoredKey.blobKey(id, nonce: random.bytes(5))
            case 1: "other/\(random.below(3)).x"
            default: StoredKey.packKey(device, nonce: UInt64(random.below(3)))
            }
        return ChunkReference(
            id: id, length: UInt32(random.below(1 << 22)), object: object, offset: UInt64(random.below(1 << 24)),
            storedLength: UInt32(random.below(1 << 22)), encoding: random.chance(2) ? .zstd : .raw)
    }
}
