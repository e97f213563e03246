import DriveImporting

enum PNG {
    static func read(_ file: ImportFile, _ facts: inout ImageFacts) throws(ImportFailure) {
        var offset = 8
        for _ in 0..<4096 {
            let head = try file.view(at: offset, count: 8)
            guard let length = head.long(0), let code = head.code(4), code != "IEND" else { return }
            if ["IHDR", "pHYs", "tRNS", "tEXt", "iTXt", "eXIf"].contains(code), length <= 8 << 20 {
                read(code, try file.view(at: offset + 8, count: length), &facts)
            }
            offset += 12 + length
        }
    }

    private static func read(_ code: String, _ view: ByteView, _ facts: inout ImageFacts) {
        switch code {
        case "IHDR":
            (facts.width, facts.height, facts.bits) = (view.long(0), view.long(4), view.byte(8))
            let type = view.byte(9) ?? 0
            facts.colorSpace = type == 0 || type == 4 ? "Gray" : "RGB"
            facts.hasAlpha = type & 4 != 0
        case "tRNS": facts.hasAlpha = true
        case "pHYs":
            // Pixels a metre.
            if view.byte(8) == 1, let x = view.long(0), let y = view.long(4) {
                facts.resolution = (Double(x) * 0.0254, Double(y) * 0.0254)
            }
        case "tEXt":
            guard let zero = view.bytes.firstIndex(of: 0), facts.texts.count < 64 else { return }
            let value = TextDecoder.convert(Array(view.bytes[(zero + 1)...].prefix(64 << 10)), from: "ISO-8859-1")
            facts.texts.append((String(decoding: view.bytes[..<zero], as: UTF8.self), value ?? ""))
        case "iTXt": readInternational(view, &facts)
        case "eXIf": facts.exif = Array("Exif\0\0".utf8) + view.bytes
        default: break
        }
    }

    /// Keyword, 0, compressed, method, language, 0, translated keyword, 0, text.
    private static func readInternational(_ view: ByteView, _ facts: inout ImageFacts) {
        let parts = view.bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count > 2, parts[1].first == 0, facts.texts.count < 64 else { return }
        let rest = parts[1].dropFirst(2).split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        guard rest.count == 3 else { return }
        let key = String(decoding: parts[0], as: UTF8.self)
        if key == "XML:com.adobe.xmp" {
            facts.xmp = Array(rest[2])
        } else {
            facts.texts.append((key, String(decoding: rest[2].prefix(64 << 10), as: UTF8.self)))
        }
    }
}
