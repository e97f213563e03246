/// A name that may end with a marker, or have one before its extension.
struct MarkedName {
    var bytes: [UInt8]

    /// `marked` reads what the marker ends. The whole name comes first, as a device or user may have a dot.
    ///
    /// `stemMayBeEmpty`: to the program the extension begins at the last dot even where nothing stands before it, so a
    /// dot-file is all extension. Then the marker comes first, and what follows it is the original.
    func read(stemMayBeEmpty: Bool = false, by marked: (ArraySlice<UInt8>) -> MarkedStem?) -> ConflictMarker? {
        if let marker = read(to: bytes.endIndex, by: marked) { return marker }
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        return read(to: dot, stemMayBeEmpty: stemMayBeEmpty, by: marked)
    }

    func read(
        to end: Int, stemMayBeEmpty: Bool = false, by marked: (ArraySlice<UInt8>) -> MarkedStem?
    ) -> ConflictMarker? {
        guard let found = marked(bytes[..<end]), stemMayBeEmpty || !found.stem.isEmpty else { return nil }
        return ConflictMarker(
            original: FileName(bytes: Array(found.stem) + bytes[end...]),
            otherOriginals: found.otherStems.map { FileName(bytes: Array($0) + bytes[end...]) }, device: found.device,
            time: found.time)
    }

    func docdrive() -> ConflictMarker? {
        guard let parsed = ConflictName.parse(FileName(bytes: bytes)), ConflictTime(parsed.time) != nil else {
            return nil
        }
        return ConflictMarker(original: parsed.original, device: parsed.device, time: parsed.time)
    }
}

/// What a marker leaves of the bytes that it ends.
struct MarkedStem {
    var stem: ArraySlice<UInt8>
    /// See `ConflictMarker.otherOriginals`.
    var otherStems: [ArraySlice<UInt8>] = []
    var device: String?
    var time: String?
}

extension ArraySlice<UInt8> {
    /// Takes the text off the end; false where it is not there. A form has a `#` for each digit.
    mutating func dropTail(_ form: StaticString) -> Bool {
        guard hasTail(form) else { return false }
        self = dropLast(form.utf8CodeUnitCount)
        return true
    }

    /// Takes a date or time of this form off the end.
    mutating func takeTime(_ form: StaticString) -> String? {
        guard hasTail(form) else { return nil }
        let text = String(decoding: suffix(form.utf8CodeUnitCount), as: UTF8.self)
        guard ConflictTime(text) != nil else { return nil }
        self = dropLast(form.utf8CodeUnitCount)
        return text
    }

    /// Takes a decimal number without leading zero off the end.
    mutating func takeNumber(from least: Int = 1, digits most: Int = 9) -> Bool {
        var begin = endIndex
        var value = 0
        var unit = 1
        while begin > startIndex, endIndex - begin < most, (0x30...0x39).contains(self[begin - 1]) {
            begin -= 1
            value += Int(self[begin] - 0x30) * unit
            unit *= 10
        }
        guard begin < endIndex, self[begin] != 0x30, value >= least else { return false }
        guard begin == startIndex || !(0x30...0x39).contains(self[begin - 1]) else { return false }
        self = self[..<begin]
        return true
    }

    /// Takes a last part in parentheses off the end, with the space before it; gives what is inside.
    mutating func takeParenthesis() -> ArraySlice<UInt8>? {
        guard last == UInt8(ascii: ")") else { return nil }
        var depth = 0
        for place in indices.reversed() {
            if self[place] == UInt8(ascii: ")") { depth += 1 }
            guard self[place] == UInt8(ascii: "(") else { continue }
            depth -= 1
            guard depth == 0 else { continue }
            guard place > startIndex, self[place - 1] == UInt8(ascii: " ") else { return nil }
            let inside = self[(place + 1)..<(endIndex - 1)]
            self = self[..<(place - 1)]
            return inside
        }
        return nil
    }

    func hasTail(_ form: StaticString) -> Bool {
        guard count >= form.utf8CodeUnitCount else { return false }
        let start = endIndex - form.utf8CodeUnitCount
        return form.withUTF8Buffer { form in
            form.indices.allSatisfy { place in
                let byte = self[start + place]
                return form[place] == UInt8(ascii: "#") ? (0x30...0x39).contains(byte) : byte == form[place]
            }
        }
    }

    /// What follows these words.
    func after(_ words: StaticString) -> ArraySlice<UInt8>? {
        guard count >= words.utf8CodeUnitCount, prefix(words.utf8CodeUnitCount).hasTail(words) else { return nil }
        return dropFirst(words.utf8CodeUnitCount)
    }

    /// A device or user: some text.
    var label: String? { isEmpty ? nil : String(validating: self, as: UTF8.self) }
}
