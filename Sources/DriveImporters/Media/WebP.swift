import DriveImporting

enum WebP {
    static func read(_ file: ImportFile, _ facts: inout ImageFacts) throws(ImportFailure) {
        var offset = 12
        facts.colorSpace = "RGB"
        for _ in 0..<1024 {
            let head = try file.view(at: offset, count: 8, isLittleEndian: true)
            guard let code = head.code(0), let length = head.long(4) else { return }
            let isWhole = code == "EXIF" || code == "XMP "
            let wanted = isWhole ? (length <= 8 << 20 ? length : 0) : min(length, 16)
            let view = try file.view(at: offset + 8, count: wanted, isLittleEndian: true)
            read(code, view, &facts)
            offset += 8 + length + length % 2
        }
    }

    private static func read(_ code: String, _ view: ByteView, _ facts: inout ImageFacts) {
        switch code {
        case "VP8X":
            facts.hasAlpha = (view.byte(0) ?? 0) & 0x10 != 0
            (facts.width, facts.height) = (view.number(4, 3).map { $0 + 1 }, view.number(7, 3).map { $0 + 1 })
        case "VP8 " where facts.width == nil:
            (facts.width, facts.height) = (view.short(6).map { $0 & 0x3FFF }, view.short(8).map { $0 & 0x3FFF })
            facts.hasAlpha = false
        case "VP8L" where facts.width == nil:
            guard view.byte(0) == 0x2F, let bits = view.long(1) else { return }
            (facts.width, facts.height) = ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
            facts.hasAlpha = bits >> 28 & 1 == 1
        case "EXIF":
            let prefix = Array("Exif\0\0".utf8)
            facts.exif = view.bytes.starts(with: prefix) ? Array(view.bytes) : prefix + view.bytes
        case "XMP ": facts.xmp = Array(view.bytes)
        default: break
        }
    }
}
