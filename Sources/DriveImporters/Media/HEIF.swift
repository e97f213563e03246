import DriveImporting

/// HEIC, HEIF and AVIF: the size of the picture that is shown, how it is turned, and Exif.
enum HEIF {
    static func read(_ file: ImportFile, _ facts: inout ImageFacts) throws(ImportFailure) {
        guard let meta = try Box.first("meta", in: file, atMost: 16 << 20) else { return }
        // Four bytes of version and flags come first.
        let boxes = Box.all(in: meta.content, from: 4)
        facts.colorSpace = "RGB"
        // How a picture is shown these say alone, whatever its Exif says (ISO/IEC 23008-12, section 6.5.10).
        facts.isTurned = false
        for property in HEIFProperties(boxes).shown {
            switch property.code {
            case "ispe":
                // Of all pictures, where none is known as the one: a large one is made of tiles, which have sizes too.
                guard let width = property.content.long(4), let height = property.content.long(8) else { continue }
                if width > facts.width ?? 0 { (facts.width, facts.height) = (width, height) }
            case "pixi": facts.bits = property.content.byte(5)
            // Quarters of a turn; `imir`, a mirror, leaves it standing or lying.
            case "irot": facts.isTurned = (property.content.byte(0) ?? 0) & 1 == 1
            default: break
            }
        }
        guard let items = boxes["iinf"], let item = exifItem(items), let places = boxes["iloc"],
            let place = location(of: item, places), place.length <= 8 << 20
        else { return }
        let bytes = try file.view(at: place.offset, count: place.length)
        // It begins with how far the TIFF header is away.
        guard let skipped = bytes.long(0), let exif = bytes.slice(4 + skipped, bytes.count - 4 - skipped) else {
            return
        }
        facts.exif = Array("Exif\0\0".utf8) + exif
    }

    private static func exifItem(_ items: ByteView) -> Int? {
        let start = items.byte(0) == 0 ? 6 : 8
        for box in Box.all(in: items, from: start) where box.code == "infe" {
            switch box.content.byte(0) {
            case 2 where box.content.code(8) == "Exif": return box.content.short(4)
            case 3 where box.content.code(10) == "Exif": return box.content.long(4)
            default: continue
            }
        }
        return nil
    }

    /// Only of items that lie in the file in one piece.
    private static func location(of item: Int, _ view: ByteView) -> (offset: Int, length: Int)? {
        guard let version = view.byte(0), version <= 2, let sizes = view.short(4) else { return nil }
        let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexSize = version == 0 ? 0 : sizes & 15
        let numberSize = version == 2 ? 4 : 2
        guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy({ [0, 4, 8].contains($0) }),
            let count = view.number(6, numberSize)
        else { return nil }
        var at = 6 + numberSize
        for _ in 0..<min(count, 65_536) {
            guard let number = view.number(at, numberSize) else { return nil }
            at += numberSize
            var method = 0
            if version > 0 {
                method = (view.short(at) ?? 0) & 15
                at += 2
            }
            at += 2
            let base = baseSize == 0 ? 0 : view.number(at, baseSize)
            at += baseSize
            guard let base, let extents = view.short(at) else { return nil }
            at += 2
            if number == item, method == 0, extents == 1 {
                at += indexSize
                guard let offset = offsetSize == 0 ? 0 : view.number(at, offsetSize),
                    let length = lengthSize == 0 ? nil : view.number(at + offsetSize, lengthSize)
                else { return nil }
                let (sum, overflow) = base.addingReportingOverflow(offset)
                return overflow ? nil : (sum, length)
            }
            at += extents * (indexSize + offsetSize + lengthSize)
        }
        return nil
    }
}
