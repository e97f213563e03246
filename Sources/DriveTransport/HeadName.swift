import DriveCore

/// `head/<device>.<published, 16 digits>.<generation, 8>-<nonce, 8>`: all that a poll needs stands in the name.
struct HeadName: Hashable, Sendable {
    var device: DeviceID
    var published: UInt64
    var generation: UInt32
    var nonce: UInt32

    static let folder = "head/"

    /// What the keys of all heads of a device begin with.
    static func start(of device: DeviceID) -> String { "\(folder)\(device)." }

    /// The same, of those that publish so many records.
    static func start(of device: DeviceID, at published: UInt64) -> String { "\(start(of: device))\(hex(published))." }

    var key: ObjectKey {
        "\(Self.folder)\(device).\(hex(published)).\(hex(generation))-\(hex(nonce))"
    }

    init(device: DeviceID, published: UInt64, generation: UInt32, nonce: UInt32) {
        self.device = device
        self.published = published
        self.generation = generation
        self.nonce = nonce
    }

    /// Nil for anything else: other tools leave debris in folders.
    init?(_ key: ObjectKey) {
        guard key.hasPrefix(Self.folder) else { return nil }
        let parts = key.dropFirst(Self.folder.count).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let device = DeviceID(String(parts[0])), let published = UInt64(parts[1], radix: 16),
            let (generation, nonce) = numbers(parts[2])
        else { return nil }
        self.init(device: device, published: published, generation: generation, nonce: nonce)
        guard self.key == key else { return nil }
    }

    /// Whether it comes after `other` in the journal; the nonce only makes the order total.
    func isNewer(than other: HeadName) -> Bool {
        (published, generation, nonce) > (other.published, other.generation, other.nonce)
    }

    func isOlder(than other: HeadName) -> Bool {
        (published, generation) < (other.published, other.generation)
    }
}

extension [HeadName] {
    /// For each device the highest record number that any of its heads claims.
    var published: DeviceVector {
        var result = DeviceVector()
        for name in self { result[name.device] = Swift.max(result[name.device], name.published) }
        return result
    }
}

/// `log/<device>/<low, 16 digits>-<high, 16>.<generation, 8>-<nonce, 8>`.
struct SegmentName: Hashable, Sendable {
    var device: DeviceID
    var low: UInt64
    var high: UInt64
    var generation: UInt32
    var nonce: UInt32

    static func folder(_ device: DeviceID) -> String { "log/\(device)/" }

    var key: ObjectKey {
        "\(Self.folder(device))\(hex(low))-\(hex(high)).\(hex(generation))-\(hex(nonce))"
    }

    init(device: DeviceID, low: UInt64, high: UInt64, generation: UInt32, nonce: UInt32) {
        self.device = device
        self.low = low
        self.high = high
        self.generation = generation
        self.nonce = nonce
    }

    /// Nil for anything else. By bytes, since each head is written with the names of all segments.
    init?(_ key: ObjectKey) {
        var reader = NameReader(key.utf8)
        guard reader.take("log/"), let high = reader.number(UInt64.self), let low = reader.number(UInt16.self),
            reader.take("/"), let first = reader.number(UInt64.self), reader.take("-"),
            let last = reader.number(UInt64.self), reader.take("."), let generation = reader.number(UInt32.self),
            reader.take("-"), let nonce = reader.number(UInt32.self), reader.isAtEnd
        else { return nil }
        self.init(
            device: DeviceID(high: high, low: low), low: first, high: last, generation: generation, nonce: nonce)
    }
}

/// Takes a name apart from the front.
private struct NameReader {
    private var rest: Substring.UTF8View

    init(_ text: String.UTF8View) { rest = text[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ text: StaticString) -> Bool {
        let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard rest.starts(with: bytes) else { return false }
        rest = rest.dropFirst(bytes.count)
        return true
    }

    /// All of its digits, in lower case, as `hex` writes them.
    mutating func number<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        var value: Number = 0
        for _ in 0..<(Number.bitWidth / 4) {
            guard let digit = rest.popFirst() else { return nil }
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | Number(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | Number(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return value
    }
}

private func numbers(_ text: Substring) -> (UInt32, UInt32)? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let generation = UInt32(parts[0], radix: 16), let nonce = UInt32(parts[1], radix: 16) else {
        return nil
    }
    return (generation, nonce)
}

private func hex(_ value: some FixedWidthInteger) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: value.bitWidth / 4 - digits.count) + digits
}
