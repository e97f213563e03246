import Glibc

/// What is asked of a folded name.
struct NameTest: Hashable {
    enum Place { case anywhere, beginning, end, whole }

    /// Folded, and not empty.
    let text: [UInt8]
    let place: Place
    private let finder: ByteFinder

    init(text: [UInt8], place: Place) {
        self.text = text
        self.place = place
        finder = ByteFinder(text)
    }

    func holds(for name: UnsafeRawBufferPointer) -> Bool {
        guard name.count >= text.count else { return false }
        return switch place {
        case .anywhere: finder.first(in: name, from: 0) != nil
        case .beginning: equals(name, at: 0)
        case .end: equals(name, at: name.count - text.count)
        case .whole: name.count == text.count && equals(name, at: 0)
        }
    }

    private func equals(_ name: UnsafeRawBufferPointer, at place: Int) -> Bool {
        text.withUnsafeBytes { text in
            guard let name = name.baseAddress, let text = text.baseAddress else { return false }
            return memcmp(name + place, text, self.text.count) == 0
        }
    }
}

extension NameTest: CustomStringConvertible {
    var description: String {
        let text = String(decoding: text, as: UTF8.self)
        return switch place {
        case .anywhere: "*\(text)*"
        case .beginning: "\(text)*"
        case .end: "*\(text)"
        case .whole: text
        }
    }
}

/// Finds a text by the two bytes of it that are rarest in names, at eight places at once.
struct ByteFinder: Hashable {
    let text: [UInt8]
    private let rarest: Int
    private let second: Int

    init(_ text: [UInt8]) {
        self.text = text
        let byRarity = text.indices.sorted { Self.commonness(text[$0]) < Self.commonness(text[$1]) }
        rarest = byRarity.first ?? 0
        second = byRarity.dropFirst().first ?? rarest
    }

    func first(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = bytes.baseAddress, !text.isEmpty else { return nil }
        return text.withUnsafeBytes { text -> Int? in
            guard let sought = text.baseAddress else { return nil }
            let last = bytes.count - text.count
            let (one, two) = (Self.lowest &* UInt64(text[rarest]), Self.lowest &* UInt64(text[second]))
            var place = start
            while place + 7 <= last {
                // A byte is 0 where both are as they are sought.
                let rest = (Self.eight(base + place + rarest) ^ one) | (Self.eight(base + place + second) ^ two)
                // The lowest bit that is set is that of the first such byte; those above may be of others too.
                var hits = (rest &- Self.lowest) & ~rest & Self.lowest << 7
                while hits != 0 {
                    let hit = place + hits.trailingZeroBitCount / 8
                    if memcmp(base + hit, sought, text.count) == 0 { return hit }
                    hits &= hits - 1
                }
                place += 8
            }
            while place <= last {
                if memcmp(base + place, sought, text.count) == 0 { return place }
                place += 1
            }
            return nil
        }
    }

    /// A 1 in each byte.
    private static var lowest: UInt64 { 0x0101_0101_0101_0101 }

    private static func eight(_ bytes: UnsafeRawPointer) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    }

    private static let common = Array("qjzxkwvyb+()~,'&hgfumpdlcsortin9876543aie-_.210 ".utf8)

    /// Bytes of other scripts: the first of a letter says little, the others more.
    private static func commonness(_ byte: UInt8) -> Int {
        if byte >= 0xC0 { return common.count }
        if byte >= 0x80 { return common.count / 2 }
        return common.firstIndex(of: byte).map { $0 + 1 } ?? 0
    }
}
