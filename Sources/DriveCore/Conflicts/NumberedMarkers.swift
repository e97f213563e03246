/// Markers whose place is not that of the others.
extension MarkedName {
    /// rclone/rclone, cmd/bisync/resolve.go: at the end, or with `--suffix-keep-extension` before the extension and those
    /// before it that the machine knows a type for (`SuffixKeepExtension` in lib/transform).
    func rclone() -> ConflictMarker? {
        if let marker = read(to: bytes.endIndex, by: Self.oldRclone) { return marker }
        if let marker = read(stemMayBeEmpty: true, by: Self.rcloneSuffix) { return marker }
        guard var end = bytes.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        while let dot = bytes[..<end].lastIndex(of: UInt8(ascii: ".")), Self.mayBeType(bytes[dot..<end].dropFirst()) {
            if let marker = read(to: dot, stemMayBeEmpty: true, by: Self.rcloneSuffix) { return marker }
            end = dot
        }
        return nil
    }

    /// Which types a machine knows is its own affair.
    private static func mayBeType(_ ending: ArraySlice<UInt8>) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
        return ending.count <= 16 && ending.contains(where: isLetter)
            && ending.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || "-+_".utf8.contains($0) }
    }

    private static func oldRclone(_ bytes: ArraySlice<UInt8>) -> MarkedStem? {
        var stem = bytes
        return stem.dropTail("..path1") || stem.dropTail("..path2") ? MarkedStem(stem: stem) : nil
    }

    private static func rcloneSuffix(_ bytes: ArraySlice<UInt8>) -> MarkedStem? {
        var stem = bytes
        guard stem.takeNumber() else { return nil }
        if stem.dropTail(".conflict") { return MarkedStem(stem: stem) }
        // `--conflict-suffix {DateOnly}-conflict`.
        guard stem.dropTail("-conflict"), let time = stem.takeTime("####-##-##"), stem.dropTail(".") else { return nil }
        return MarkedStem(stem: stem, time: time)
    }

    /// git-annex, Annex/VariantFile.hs. A key may end with extensions of its own, before that of the file.
    func gitannex() -> ConflictMarker? {
        let dot = bytes.lastIndex(of: UInt8(ascii: ".")) ?? 0
        return read(to: bytes.endIndex, by: Self.variant) ?? read(to: dot, by: Self.variantOfVariant)
            ?? read(to: bytes.endIndex, by: Self.variantOfVariant)
            ?? read(to: dot, stemMayBeEmpty: true, by: Self.variant)
    }

    private static func variant(_ bytes: ArraySlice<UInt8>) -> MarkedStem? {
        var stem = bytes.dropLast(4)
        guard bytes.count > 4, bytes.suffix(4).allSatisfy(isHexadecimal), stem.dropTail(".variant-") else { return nil }
        return MarkedStem(stem: stem)
    }

    /// The name was one of a variant already, so the marker is the whole key.
    private static func variantOfVariant(_ bytes: ArraySlice<UInt8>) -> MarkedStem? {
        let starts = bytes.indices.filter { bytes[$0...].after(".variant-") != nil }
        guard starts.count > 1, let start = starts.last, let key = bytes[start...].after(".variant-"), isKey(key)
        else { return nil }
        return MarkedStem(stem: bytes[..<start])
    }

    /// `<BACKEND>-s<size>--<hash><.ext>`, the extension where the backend ends with an E (git-annex, internals/key_format).
    /// Only of backends that hash: the names of the others may be anything.
    private static func isKey(_ key: ArraySlice<UInt8>) -> Bool {
        let backend = key.prefix { isUpperCase($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_") }
        var rest = key[backend.endIndex...]
        if let sized = rest.after("-s") { rest = sized.drop { (0x30...0x39).contains($0) } }
        guard let name = rest.after("--"), let first = backend.first, isUpperCase(first) else { return false }
        let hash = name.prefix(while: isHexadecimal)
        let end = name[hash.endIndex...]
        return hash.count >= 32
            && (end.isEmpty || backend.last == UInt8(ascii: "E") && end.first == UInt8(ascii: "."))
    }

    private static func isUpperCase(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

    /// Lower case, as git-annex writes it.
    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }
}
