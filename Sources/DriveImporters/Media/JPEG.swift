import DriveImporting

enum JPEG {
    static func read(_ file: ImportFile, _ facts: inout ImageFacts) throws(ImportFailure) {
        var offset = 2
        for _ in 0..<4096 {
            let head = try file.view(at: offset, count: 4)
            guard head.byte(0) == 0xFF, let marker = head.byte(1) else { return }
            // Fill bytes before a marker.
            if marker == 0xFF {
                offset += 1
                continue
            }
            if marker == 0x01 || (0xD0...0xD7).contains(marker) {
                offset += 2
                continue
            }
            // The image itself begins; headers come before it.
            guard marker != 0xDA, marker != 0xD9, let length = head.short(2), length >= 2 else { return }
            let wanted = [0xE0, 0xE1, 0xFE].contains(marker) || isFrame(marker)
            if wanted { read(marker, try file.view(at: offset + 4, count: length - 2), &facts) }
            offset += 2 + length
        }
    }

    private static func isFrame(_ marker: Int) -> Bool {
        (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }

    private static func read(_ marker: Int, _ view: ByteView, _ facts: inout ImageFacts) {
        switch marker {
        case 0xE0 where view.has("JFIF\0", at: 0):
            guard let unit = view.byte(7), let x = view.short(8), let y = view.short(10), x > 0, y > 0 else { return }
            // Dots an inch, or a centimetre.
            if unit == 1 { facts.resolution = (Double(x), Double(y)) }
            if unit == 2 { facts.resolution = (Double(x) * 2.54, Double(y) * 2.54) }
        case 0xE1 where view.has("Exif\0\0", at: 0): if facts.exif == nil { facts.exif = Array(view.bytes) }
        case 0xE1 where view.has("http://ns.adobe.com/xap/1.0/\0", at: 0):
            if facts.xmp == nil { facts.xmp = Array(view.bytes.dropFirst(29)) }
        case 0xFE:
            if facts.texts.isEmpty { facts.texts.append(("Comment", String(decoding: view.bytes, as: UTF8.self))) }
        default:
            guard isFrame(marker) else { return }
            (facts.bits, facts.height, facts.width) = (view.byte(0), view.short(1), view.short(3))
            facts.colorSpace = view.byte(5) == 1 ? "Gray" : view.byte(5) == 4 ? "CMYK" : "RGB"
            facts.hasAlpha = false
        }
    }
}
