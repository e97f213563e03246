import DriveCore

/// Items and rows of every form that the types allow, over so few ids and names that they meet.
struct RandomTables {
    var random: SeededGenerator
    let ids: [ItemID]
    let devices: [DeviceID]
    let names: [FileName]

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let drawn = (0..<14).map { _ in ItemID(high: random.next(), low: random.next() | 1) }
        ids = drawn + (2...9).map { ItemID(row: RowID(rawValue: $0)) }
        devices = (0..<3).map { _ in DeviceID(high: random.next(), low: UInt16(truncatingIfNeeded: random.next())) }
        names = ["a", "b.txt", "Ünïcode", FileName(bytes: [0xFF, 0x41, 0xFE]), "Report Q3.DOCX"]
        self.random = random
    }

    mutating func derivedName() -> DerivedName {
        DerivedName(
            name: random.choice(names), ownName: random.choice(names), item: random.choice(ids), dot: dot(),
            isNumbered: random.chance(percent: 20))
    }

    mutating func dirt() -> ViewDirt {
        var dirt = ViewDirt()
        for _ in 0..<random.below(8) {
            dirt.items.insert(random.choice(ids))
            dirt.groups.insert(GroupKey(node: folder(), name: random.choice(names)))
        }
        return dirt
    }

    mutating func folder() -> ItemID { random.chance(percent: 25) ? .root : random.choice(ids.prefix(6)) }

    mutating func storedItem(_ id: ItemID) -> StoredItem {
        var shape = ItemShape()
        shape.isAlive = random.chance(percent: 70)
        if random.chance(percent: 75) { shape.parent = folder() }
        shape.shownChildren = random.below(4)
        let state = state(id)
        if state.kind == .folder, random.chance(percent: 70) { shape.node = random.choice(ids.prefix(6)) }
        return StoredItem(state: state, shape: shape)
    }

    mutating func state(_ id: ItemID) -> ItemState {
        // The kind is fixed for ever, so it follows from the id.
        let kind: ItemKind = ids.prefix(6).contains(id) ? .folder : id.low % 8 == 1 ? .link : .file
        let tag = tag()
        let parent = folder()
        var heads: [Head] = []
        if kind.hasContent {
            heads = [Head(dot: tag.dot, time: tag.time, content: content(), mark: mark())]
            while random.chance(percent: 25) { heads.append(head()) }
        }
        var life = heads.map { LifeDot(dot: $0.dot, mark: $0.mark) }
        if random.chance(percent: 30) { life = (0..<random.below(4)).map { _ in LifeDot(dot: dot(), mark: mark()) } }
        var context = DeviceVector(tag.device, tag.n)
        while random.chance(percent: 40) { context[random.choice(devices)] = UInt64(random.below(1 << 40) + 1) }
        return ItemState(
            id: id, kind: kind, context: context, name: Register(tag: tag, value: random.choice(names)),
            placement: Register(
                tag: random.chance(percent: 30) ? self.tag() : tag,
                value: Placement(parent: parent, from: random.chance(percent: 30) ? folder() : parent)),
            attributes: registers(), heads: unique(heads, \.dot), life: unique(life, \.dot))
    }

    private func unique<Element>(_ list: [Element], _ dot: (Element) -> Dot) -> [Element] {
        var seen: Set<Dot> = []
        return list.filter { seen.insert(dot($0)).inserted }
    }

    mutating func dot() -> Dot {
        let n = random.chance(percent: 10) ? random.next() | 1 : UInt64(random.below(1_000) + 1)
        return Dot(device: random.choice(devices), n: n)
    }

    private mutating func tag() -> Tag {
        let time = random.chance(percent: 10) ? random.next() : 1 << 56 + random.next() >> 24
        return Tag(time: HybridTime(rawValue: time), dot: dot())
    }

    private mutating func mark() -> Mark {
        switch random.below(8) {
        case 0: Mark(folders: [folder()])
        case 1: .bySelf
        case 2: Mark(bySelf: random.chance(percent: 50), folders: [folder(), folder()])
        default: .none
        }
    }

    private mutating func head() -> Head {
        let tag = tag()
        return Head(dot: tag.dot, time: tag.time, content: content(), mark: mark())
    }

    mutating func pastVersion(until time: UInt64) -> PastVersion {
        PastVersion(item: ids[0], head: head(), until: time)
    }

    private mutating func registers() -> [AttributeKey: Register<[UInt8]>] {
        var result: [AttributeKey: Register<[UInt8]>] = [:]
        while random.chance(percent: 40) {
            let key = AttributeKey(rawValue: UInt16(random.below(random.chance(percent: 30) ? 65_536 : 6)))
            result[key] = Register(tag: tag(), value: bytes(random.below(20)))
        }
        return result
    }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) } }

    mutating func hash() -> ContentHash {
        ContentHash(words: (random.next(), random.next(), random.next(), random.next()))
    }

    mutating func time() -> FileTime {
        let seconds = random.chance(percent: 15) ? Int64(bitPattern: random.next()) : 1_700_000_000
        return FileTime(seconds: seconds, nanoseconds: UInt32(random.below(1_000_000_000)))
    }

    mutating func content() -> Content {
        let hash = hash()
        let size = UInt64(random.below(1 << 30))
        let body: Content.Body
        switch random.below(5) {
        case 0: body = .inline(bytes(random.below(50)))
        case 1: body = .list(chunk())
        case 2: body = .chunks((0..<random.below(5)).map { _ in chunk() })
        default:
            var only = chunk()
            only = ChunkReference(
                id: hash, length: UInt32(size), object: object(hash), offset: only.offset,
                storedLength: only.storedLength, encoding: only.encoding)
            body = .chunks([only])
        }
        let was = random.chance(percent: 30) ? Content.Predecessor(high: random.next(), low: random.next()) : nil
        let again = random.chance(percent: 20) ? tag() : nil
        return Content(hash: hash, size: size, modified: time(), was: was, body: body, storedAgain: again)
    }

    mutating func chunk() -> ChunkReference {
        let id = hash()
        return ChunkReference(
            id: id, length: UInt32(random.below(1 << 22)), object: object(id), offset: UInt64(random.below(1 << 24)),
            storedLength: UInt32(random.below(1 << 22)), encoding: random.chance(percent: 50) ? .zstd : .raw)
    }

    private mutating func object(_ chunk: ContentHash) -> ObjectKey {
        switch random.below(3) {
        case 0: StoredKey.blobKey(chunk, nonce: bytes(5))
        case 1: "other/\(random.below(3)).x"
        default: StoredKey.packKey(random.choice(devices), nonce: UInt64(random.below(3)))
        }
    }
}

extension RandomTables {
    mutating func knownFolder() -> KnownFolder {
        var digest = FolderDigest()
        for _ in 0..<random.below(3) { digest.add(Fingerprint(high: random.next(), low: random.next())) }
        let folders = (0..<random.below(3)).map { _ in
            KnownFolder.Inner(row: RowID(rawValue: Int64(random.below(1 << 40))), name: random.choice(names))
        }
        return KnownFolder(
            digest: digest, rules: Fingerprint(high: random.next(), low: random.next()), folders: folders)
    }

    mutating func row(_ id: RowID) -> Row {
        let kind: ItemKind = id.rawValue < 8 ? .folder : random.chance(percent: 10) ? .link : .file
        var facts = FileFacts(
            kind: FileFacts.Kind(rawValue: UInt8(random.below(4))) ?? .file,
            identity: FileIdentity(
                inode: random.chance(percent: 10) ? random.next() : UInt64(random.below(20)),
                birth: random.chance(percent: 70) ? time() : nil),
            size: random.next() >> UInt64(random.below(64)), modified: time(), changed: time())
        facts.isExecutable = random.chance(percent: 20)
        facts.isForeignMount = random.chance(percent: 10)
        var row = Row(
            id: id, parent: RowID(rawValue: Int64(random.number(in: 1...7))), name: random.choice(names), kind: kind,
            facts: facts, hash: kind == .folder ? nil : sharedHash(), attributes: attributes(facts), members: members())
        if random.chance(percent: 30) { row.members = [Member(item: row.ownItem)] }
        if random.chance(percent: 60) {
            for member in row.members { row.lifeSeen[member.item] = member.dots }
        } else {
            while random.chance(percent: 50) { row.lifeSeen[random.choice(ids)] = [dot(), dot()] }
        }
        while random.chance(percent: 20) { row.rescued.insert(random.choice(ids)) }
        row.isDerived = random.chance(percent: 10)
        row.isHeld = random.chance(percent: 10)
        row.isParked = random.chance(percent: 10)
        if random.chance(percent: 30) { row.placedInBoot = random.next() }
        return row
    }

    /// Some hashes begin alike.
    private mutating func sharedHash() -> ContentHash {
        ContentHash(words: (UInt64(random.below(3)) &+ .max, UInt64(random.below(2)), 3, 4))
    }

    private mutating func attributes(_ facts: FileFacts) -> Attributes {
        var result = Attributes(isExecutable: random.chance(percent: 20))
        if random.chance(percent: 80) { result.modified = random.chance(percent: 80) ? facts.modified : time() }
        while random.chance(percent: 25) {
            result.extended[random.choice(AttributeKey.extendedAttributes)] = bytes(random.below(9))
        }
        return result
    }

    private mutating func members() -> [Member] {
        var result: [Member] = []
        for _ in 0..<random.below(4) {
            let item = random.choice(ids)
            guard !result.contains(where: { $0.item == item }) else { continue }
            let dots = (0..<random.below(3)).map { _ in dot() }
            result.append(Member(item: item, dots: dots, isMain: random.chance(percent: 80)))
        }
        return result
    }
}
