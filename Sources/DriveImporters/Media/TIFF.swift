import DriveImporting

/// TIFF and what is made of it: dng, cr2, nef.
enum TIFF {
    static func read(_ file: ImportFile, _ facts: inout ImageFacts) throws(ImportFailure) {
        let head = try file.view(at: 0, count: 8, isLittleEndian: try file.read(at: 0, count: 1) == [0x49])
        guard let directory = head.long(4) else { return }
        let isLittleEndian = head.isLittleEndian
        let count = try file.view(at: directory, count: 2, isLittleEndian: isLittleEndian).short(0) ?? 0
        let entries = try file.view(at: directory + 2, count: min(count, 4096) * 12, isLittleEndian: isLittleEndian)
        for index in 0..<min(count, 4096) {
            guard let entry = entries.view(index * 12, 12) else { break }
            read(entry, &facts)
        }
        // The other tags are those of Exif.
        facts.exif = try TIFFTags(file, directory: directory, isLittleEndian: isLittleEndian).block
    }

    private static func read(_ entry: ByteView, _ facts: inout ImageFacts) {
        // Type 3 is a short, 4 a long; several do not fit here.
        let value = entry.short(2) == 3 ? entry.short(8) : entry.long(8)
        switch entry.short(0) {
        case 256: facts.width = value
        case 257: facts.height = value
        case 258: if entry.long(4) == 1 { facts.bits = value }
        case 262: facts.colorSpace = value.map { $0 <= 1 ? "Gray" : $0 == 5 ? "CMYK" : "RGB" }
        default: break
        }
    }
}
