@testable import DriveCore
@testable import DriveTesting
@testable import DriveTransport

extension FuzzTarget {
    /// The commit points of journals. The first byte tells whether the rest is the whole object or its body; of a body
    /// the beginning is the name.
    static let heads = FuzzTarget(name: "heads", run: Heads.run, seeds: Heads.seeds)
    /// The identity of a store. As with heads.
    static let formats = FuzzTarget(name: "formats", run: Formats.run, seeds: Formats.seeds)
}

private enum Heads {
    static func run(_ bytes: [UInt8]) throws {
        let rest = Array(bytes.dropFirst())
        let isBody = (bytes.first ?? 0) % 2 == 1
        let name = name(isBody ? rest : Array(rest.dropFirst(16)))
        do {
            let object = isBody ? Envelope.seal(.head, rest) : rest
            guard let head = try JournalHead.open(name, object) else { return }
            try check(head, name)
        } catch let error as DriveError {
            try require(error.kind == .newerFormat, "a head is void, or newer")
        }
    }

    static func seeds() -> [[UInt8]] {
        var tables = RandomTables(seed: 4)
        return (0..<8).flatMap { count in
            let device = tables.devices[0]
            let name = HeadName(device: device, published: UInt64(count * 9), generation: 3, nonce: 4)
            var head = JournalHead(name: name, segments: [], seen: DeviceVector(), labels: [], previous: nil)
            for number in 0..<count {
                let low = UInt64(number * 9 + 1)
                let segment = SegmentName(device: device, low: low, high: low + 8, generation: 1, nonce: 7)
                head.segments.append(
                    SegmentReference(
                        low: low, high: low + 8, key: segment.key, size: 900, hash: tables.hash(), records: 9))
            }
            if count > 1 { head.seen[tables.devices[1]] = 17 }
            if count > 2 { head.labels = [DeviceLabel(from: 1, text: "laptop"), DeviceLabel(from: 5, text: "Büro 2")] }
            if count > 3 { head.previous = name.key }
            if count > 4 { head.collection.open = CollectionReference(nonce: 5, size: 99, hash: tables.hash()) }
            if count > 5 {
                head.collection.answers = [CollectionAnswer(device: tables.devices[1], nonce: 6, kept: [0, 2, 99_999])]
            }
            let object = head.sealed()
            return [[0] + object, [1] + object.dropFirst(16).dropLast(32)]
        }
    }

    private static func name(_ body: [UInt8]) -> HeadName {
        var input = FuzzInput(body)
        let device = DeviceID(high: input.number(UInt64.self), low: input.number(UInt16.self))
        return HeadName(
            device: device, published: input.number(UInt64.self), generation: input.number(UInt32.self), nonce: 7)
    }

    private static func check(_ head: JournalHead, _ name: HeadName) throws {
        try require(head.name == name, "a head is what its name says")
        try require(head.seen.entries.allSatisfy { $0.n > 0 }, "no device without records")
        for segment in head.segments {
            try require(SegmentName(segment.key)?.device == name.device, "a segment is the device's own")
        }
        for label in head.labels { try checkLabel(label.text) }
        try require(try JournalHead.open(name, head.sealed()) == head, "a head comes back as it was")
    }

    /// A label that the view shows becomes a part of file names that must be known again.
    private static func checkLabel(_ label: String) throws {
        try require(DeviceLabel.isValid(label), "a label has no order for a terminal")
        guard ConflictName.isValidLabel(label) else { return }
        let copy = ConflictName.derived(from: "a.txt", device: label, time: HybridTime(milliseconds: 1))
        try require(copy.isValid, "a label makes a name that a disk can hold")
        try require(ConflictName.parse(copy)?.device == label, "a label is known again in the name of a copy")
    }
}

private enum Formats {
    static func run(_ bytes: [UInt8]) throws {
        let rest = Array(bytes.dropFirst())
        let isBody = (bytes.first ?? 0) % 2 == 1
        var input = FuzzInput(isBody ? rest : Array(rest.dropFirst(16)))
        let id = StoreID(high: input.number(UInt64.self), low: input.number(UInt64.self))
        do {
            let object = isBody ? Envelope.seal(.format, rest) : rest
            guard let info = try StoreInfo.open(id, object) else { return }
            try require(info.id == id, "a store is what its folder says")
            try require(try StoreInfo.open(id, info.sealed) == info, "the identity of a store comes back")
        } catch let error as DriveError {
            try require(error.kind == .newerFormat, "a format is void, or newer")
        }
    }

    static func seeds() -> [[UInt8]] {
        let object = StoreInfo(id: StoreID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)).sealed
        return [[0] + object, [1] + object.dropFirst(16).dropLast(32)]
    }
}
