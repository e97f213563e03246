import Glibc

/// What is asked of a folded name.
struct NameTest: Hashable {
    enum Place { case anywhere, beginning, end, whole }

    /// Folded, and not empty.
    let text: [UInt8]
    let place: Place

    func holds(for name: UnsafeRawBufferPointer) -> Bool {
        guard name.count >= text.count else { return false }
        return switch place {
        case .anywhere: ByteFinder(text).first(in: name, from: 0) != nil
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

/// Finds a text by the byte of it that is rarest in names, at the speed with which the C library looks for a byte.
struct ByteFinder {
    let text: [UInt8]
    private let rarest: Int

    init(_ text: [UInt8]) {
        self.text = text
        rarest = text.indices.min { Self.commonness(text[$0]) < Self.commonness(text[$1]) } ?? 0
    }

    func first(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = bytes.baseAddress, !text.isEmpty else { return nil }
        return text.withUnsafeBytes { text -> Int? in
            guard let sought = text.baseAddress else { return nil }
            var place = start
            while place + text.count <= bytes.count {
                let rest = bytes.count - text.count + 1 - place
                guard let hit = memchr(base + place + rarest, Int32(text[rarest]), rest) else { return nil }
                place = UnsafeRawPointer(hit) - base - rarest
                if memcmp(base + place, sought, text.count) == 0 { return place }
                place += 1
            }
            return nil
        }
    }

    private static let common = Array("qjzxkwvyb+()~,'&hgfumpdlcsortin9876543aie-_.210 ".utf8)

    /// Bytes of other scripts: the first of a letter says little, the others more.
    private static func commonness(_ byte: UInt8) -> Int {
        if byte >= 0xC0 { return common.count }
        if byte >= 0x80 { return common.count / 2 }
        return common.firstIndex(of: byte).map { $0 + 1 } ?? 0
    }
}
