/// How a program names the copies that it makes in a conflict. Only schemes whose form is exactly known are here: what
/// looks like a copy and is none must not be touched.
public enum ConflictScheme: String, Hashable, Sendable, CaseIterable {
    /// `<stem> (conflicted copy from <device> <YYYY-MM-DD HHMMSS>)<.ext>`, UTC: see `ConflictName`.
    case docdrive
    /// `<stem>.sync-conflict-<YYYYMMDD>-<HHMMSS>-<device><.ext>`, the time that of the device that made it. The device
    /// is the first 7 characters of its id (base32); before version 0.14.50 there was none.
    case syncthing
    /// `<stem> (conflicted copy <YYYY-MM-DD> <HHMMSS>)<.ext>`: Nextcloud's and ownCloud's desktop programs.
    case nextcloud
    /// `<stem> (SFConflict <user> <YYYY-MM-DD-HH-MM-SS>)<.ext>`, the user optional.
    case seafile

    /// What a name says about the copy, nil where it is not of this scheme, or no file can have the original's name.
    func parse(_ name: FileName) -> ConflictMarker? {
        guard let marker = marker(in: name), marker.original.isValid else { return nil }
        return marker
    }

    private func marker(in name: FileName) -> ConflictMarker? {
        switch self {
        case .docdrive:
            ConflictName.parse(name).flatMap { parsed in
                guard ConflictTime(parsed.time) != nil else { return nil }
                return ConflictMarker(original: parsed.original, device: parsed.device, time: parsed.time)
            }
        case .syncthing: Self.syncthing(name.bytes)
        case .nextcloud: Self.parenthesized(name.bytes, opening: " (conflicted copy ", time: "dddd-dd-dd dddddd")
        case .seafile:
            Self.parenthesized(name.bytes, opening: " (SFConflict ", time: "dddd-dd-dd-dd-dd-dd", hasUser: true)
        }
    }
}

/// What the name of a conflict copy says.
struct ConflictMarker: Hashable {
    var original: FileName
    /// A device or user, as the program writes it.
    var device: String?
    /// As the program writes it.
    var time: String
}

extension ConflictScheme {
    private static func syncthing(_ bytes: [UInt8]) -> ConflictMarker? {
        let opening = Array(".sync-conflict-".utf8)
        guard let start = bytes.lastStart(of: opening) else { return nil }
        var rest = bytes[(start + opening.count)...]
        guard let time = rest.taking("dddddddd-dddddd"), ConflictTime(time) != nil else { return nil }
        var device: String?
        if rest.first == UInt8(ascii: "-") {
            let id = rest.dropFirst().prefix(7)
            guard id.count == 7, id.allSatisfy(isBase32) else { return nil }
            device = String(decoding: id, as: UTF8.self)
            rest = rest.dropFirst(8)
        }
        // The extension begins at the last dot, as Go's filepath.Ext has it, so a dot-file is all extension.
        guard rest.isEmpty || rest.first == UInt8(ascii: ".") && !rest.dropFirst().contains(UInt8(ascii: ".")) else {
            return nil
        }
        return ConflictMarker(original: FileName(bytes: Array(bytes[..<start]) + rest), device: device, time: time)
    }

    private static func isBase32(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x32...0x37).contains(byte)
    }

    private static func parenthesized(
        _ bytes: [UInt8], opening: String, time form: String, hasUser: Bool = false
    ) -> ConflictMarker? {
        let opening = Array(opening.utf8)
        guard let start = bytes.lastStart(of: opening), start > 0,
            let close = bytes[start...].lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        var inside = bytes[(start + opening.count)..<close]
        var user: String?
        if hasUser, inside.count > form.utf8.count {
            let name = inside.dropLast(form.utf8.count)
            guard name.last == UInt8(ascii: " "), name.count > 1,
                let text = String(validating: name.dropLast(), as: UTF8.self)
            else { return nil }
            user = text
            inside = inside[name.endIndex...]
        }
        guard let time = inside.taking(form), inside.isEmpty, ConflictTime(time) != nil else { return nil }
        let suffix = bytes[(close + 1)...]
        guard suffix.isEmpty || suffix.first == UInt8(ascii: ".") else { return nil }
        return ConflictMarker(original: FileName(bytes: Array(bytes[..<start]) + suffix), device: user, time: time)
    }
}

extension [UInt8] {
    fileprivate func lastStart(of part: [UInt8]) -> Int? {
        guard count >= part.count else { return nil }
        return (0...(count - part.count)).last { self[$0..<($0 + part.count)] == part[...] }
    }
}

extension ArraySlice<UInt8> {
    /// Takes what has this form off the front; `d` is a digit.
    fileprivate mutating func taking(_ form: String) -> String? {
        let form = Array(form.utf8)
        guard count >= form.count else { return nil }
        let taken = prefix(form.count)
        let fits = zip(taken, form).allSatisfy { byte, place in
            place == UInt8(ascii: "d") ? (0x30...0x39).contains(byte) : byte == place
        }
        guard fits else { return nil }
        self = dropFirst(form.count)
        return String(decoding: taken, as: UTF8.self)
    }
}

/// Year to second of a marker: that they are those of a calendar tells a marker from a name that only looks like one.
struct ConflictTime: Hashable {
    /// Year, month, day, hour, minute, second.
    var fields: [Int]

    init?(_ text: String) {
        let digits = text.utf8.filter { (0x30...0x39).contains($0) }.map { Int($0) - 0x30 }
        guard digits.count == 14 else { return nil }
        let year = digits[..<4].reduce(0) { $0 * 10 + $1 }
        let rest = stride(from: 4, to: 14, by: 2).map { digits[$0] * 10 + digits[$0 + 1] }
        guard (1...12).contains(rest[0]), (1...31).contains(rest[1]), rest[2] < 24, rest[3] < 60, rest[4] < 61 else {
            return nil
        }
        fields = [year] + rest
    }
}
