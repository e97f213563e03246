/// The name that a second content, or a second file of one name, is shown by:
/// `<stem> (conflicted copy from <device> <YYYY-MM-DD HHMMSS>)<.ext>`, the time in UTC.
///
/// The rule is part of the store's format: every device must compute the same name (`docs/format.md`).
public enum ConflictName {
    /// Extensions that are kept whole.
    static let compoundExtensions = [".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst"].map { Array($0.utf8) }
    /// A longer suffix is no extension, so that there is always room for the marker.
    static let longestExtension = 32

    /// `ordinal` 1 is the plain form; from 2 on it is appended to the marker when the plain form is taken.
    public static func derived(from name: FileName, device: String, time: HybridTime, ordinal: Int = 1) -> FileName {
        let (stem, suffix) = parts(name.bytes)
        var marker = " (conflicted copy from \(device) \(timeText(milliseconds: time.milliseconds)))"
        if ordinal > 1 { marker += " \(ordinal)" }
        let tail = Array(marker.utf8) + suffix
        let base = withoutMarker(stem)
        return FileName(bytes: cut(base, to: FileName.maximumLength - tail.count) + tail)
    }

    /// What `derived` was made from, as far as the name tells: nil for a name without our marker.
    public static func parse(_ name: FileName) -> (original: FileName, device: String, time: String)? {
        let (stem, suffix) = parts(name.bytes)
        guard let marker = markerRange(stem), marker.start > 0 else { return nil }
        let inside = stem[marker.inside]
        let time = String(decoding: inside.suffix(17), as: UTF8.self)
        let device = String(decoding: inside.dropLast(18), as: UTF8.self)
        return (FileName(bytes: Array(stem[..<marker.start]) + suffix), device, time)
    }

    /// Whether a device may bear the label: 1 to 40 bytes, no `/`, control characters or parentheses.
    public static func isValidLabel(_ text: String) -> Bool {
        let bytes = text.utf8
        return (1...40).contains(bytes.count)
            && !text.unicodeScalars.contains {
                $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || "/()".unicodeScalars.contains($0)
            }
            && bytes.first != 0x20 && bytes.last != 0x20
    }

    /// Stem and extension; a name that ends with a marker has no extension, even where the label holds a dot.
    private static func parts(_ bytes: [UInt8]) -> (stem: [UInt8], suffix: [UInt8]) {
        markerRange(bytes) == nil ? split(bytes) : (bytes, [])
    }

    /// Stem and extension; a leading dot starts a stem.
    static func split(_ bytes: [UInt8]) -> (stem: [UInt8], suffix: [UInt8]) {
        for compound in compoundExtensions
        where bytes.count > compound.count && bytes.suffix(compound.count) == compound[...] {
            return (Array(bytes.dropLast(compound.count)), compound)
        }
        guard let dot = bytes.lastIndex(of: 0x2E), dot > 0, dot < bytes.count - 1,
            bytes.count - dot <= longestExtension, !bytes[..<dot].allSatisfy({ $0 == 0x2E })
        else { return (bytes, []) }
        return (Array(bytes[..<dot]), Array(bytes[dot...]))
    }

    static func withoutMarker(_ stem: [UInt8]) -> [UInt8] {
        guard let marker = markerRange(stem), marker.start > 0 else { return stem }
        return Array(stem[..<marker.start])
    }

    /// Our exact grammar at the end of a stem: where the marker starts, and what stands between its parentheses after
    /// the fixed words.
    private static func markerRange(_ stem: [UInt8]) -> (start: Int, inside: Range<Int>)? {
        var end = stem.count
        if let last = stem.last, (0x30...0x39).contains(last) {
            var place = end
            while place > 0, (0x30...0x39).contains(stem[place - 1]) { place -= 1 }
            guard place > 0, stem[place - 1] == 0x20, stem[place] != 0x30, stem[place...] != [0x31] else { return nil }
            end = place - 1
        }
        guard end > 0, stem[end - 1] == 0x29, let open = stem[..<end].lastIndex(of: 0x28) else { return nil }
        let fixed = Array("conflicted copy from ".utf8)
        let inside = stem[(open + 1)..<(end - 1)]
        guard open > 0, stem[open - 1] == 0x20, inside.starts(with: fixed) else { return nil }
        let rest = inside.dropFirst(fixed.count)
        guard rest.count >= 19, isTimeText(rest.suffix(17)), rest.dropLast(17).last == 0x20 else { return nil }
        guard let label = String(validating: rest.dropLast(18), as: UTF8.self), isValidLabel(label) else { return nil }
        return (open - 1, rest.startIndex..<rest.endIndex)
    }

    private static func isTimeText(_ bytes: ArraySlice<UInt8>) -> Bool {
        zip(bytes, "dddd-dd-dd dddddd".utf8).allSatisfy { byte, form in
            form == UInt8(ascii: "d") ? (0x30...0x39).contains(byte) : byte == form
        }
    }

    /// At a scalar boundary where the name is UTF-8, else at any byte.
    private static func cut(_ bytes: [UInt8], to limit: Int) -> [UInt8] {
        guard bytes.count > limit else { return bytes }
        var end = max(limit, 0)
        if String(validating: bytes, as: UTF8.self) != nil {
            while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        }
        return Array(bytes[..<end])
    }

    /// `YYYY-MM-DD HHMMSS`, UTC, proleptic Gregorian; years past 9999 are shown as 9999.
    static func timeText(milliseconds: UInt64) -> String {
        let seconds = Int(milliseconds / 1000)
        let (year, month, day) = civil(daysSince1970: seconds / 86_400)
        let clock = seconds % 86_400
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let years = String(repeating: "0", count: max(0, 4 - "\(min(year, 9999))".count)) + "\(min(year, 9999))"
        return "\(years)-\(two(month))-\(two(day)) \(two(clock / 3600))\(two(clock / 60 % 60))\(two(clock % 60))"
    }

    /// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
    private static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let z = days + 719_468
        let era = z / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}
