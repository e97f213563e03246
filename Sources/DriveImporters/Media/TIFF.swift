import DriveImporting

/// TIFF and what is made of it: dng, cr2, nef.
enum TIFF {
    /// So many pictures of a file are looked at.
    private static let pictureCount = 64

    static func read(_ file: ImportFile, _ facts: inout ImageFacts) throws(ImportFailure) {
        let head = try file.view(at: 0, count: 8, isLittleEndian: try file.read(at: 0, count: 1) == [0x49])
        guard let place = head.long(4) else { return }
        let isLittleEndian = head.isLittleEndian
        let first = try TIFFPicture(file, at: place, isLittleEndian: isLittleEndian)
        if first.isReduced {
            // Raw photographs begin with a small picture of themselves.
            let picture = try largest(behind: first, in: file, isLittleEndian: isLittleEndian)
            facts.hasNoSize = picture == nil
            picture?.describe(&facts)
        } else {
            first.describe(&facts)
        }
        // The other tags are those of Exif.
        facts.exif = try TIFFTags(file, directory: place, isLittleEndian: isLittleEndian).block
    }

    /// Of the pictures that are no smaller form of another.
    private static func largest(
        behind first: TIFFPicture, in file: ImportFile, isLittleEndian: Bool
    ) throws(ImportFailure) -> TIFFPicture? {
        var places = first.others
        var seen: Set<Int> = [0]
        var largest: TIFFPicture?
        while let place = places.popLast(), seen.count <= pictureCount {
            guard seen.insert(place).inserted else { continue }
            let picture = try TIFFPicture(file, at: place, isLittleEndian: isLittleEndian)
            places += picture.others
            if !picture.isReduced, picture.area > largest?.area ?? 0 { largest = picture }
        }
        return largest
    }
}

/// What a directory of a TIFF file says of its picture (TIFF 6.0, section 8).
struct TIFFPicture {
    private var width: Int?
    private var height: Int?
    private var bits: Int?
    private var colorSpace: String?
    /// It is a smaller form of another picture of the file.
    private(set) var isReduced = false
    /// Where other directories lie: those within it (Adobe's TIFF Technical Note 1), and the next.
    private(set) var others: [Int] = []

    init(_ file: ImportFile, at place: Int, isLittleEndian: Bool) throws(ImportFailure) {
        let count = min(try file.view(at: place, count: 2, isLittleEndian: isLittleEndian).short(0) ?? 0, 4096)
        let table = try file.view(at: place + 2, count: count * 12 + 4, isLittleEndian: isLittleEndian)
        for index in 0..<count {
            guard let entry = table.view(index * 12, 12) else { break }
            if entry.short(0) == 330, others.isEmpty { others = try Self.places(entry, in: file) }
            read(entry)
        }
        if let next = table.long(count * 12) { others.append(next) }
    }

    var area: Double { Double(width ?? 0) * Double(height ?? 0) }

    func describe(_ facts: inout ImageFacts) {
        (facts.width, facts.height, facts.bits, facts.colorSpace) = (width, height, bits, colorSpace)
    }

    private mutating func read(_ entry: ByteView) {
        // Type 3 is a short, 4 a long; several do not fit here.
        let value = entry.short(2) == 3 ? entry.short(8) : entry.long(8)
        switch entry.short(0) {
        case 254: isReduced = (value ?? 0) & 1 == 1
        case 256: width = value
        case 257: height = value
        case 258: if entry.long(4) == 1 { bits = value }
        case 262: colorSpace = value.map { $0 <= 1 ? "Gray" : $0 == 5 ? "CMYK" : "RGB" }
        default: break
        }
    }

    /// One place stands in the entry itself.
    private static func places(_ entry: ByteView, in file: ImportFile) throws(ImportFailure) -> [Int] {
        guard let count = entry.long(4), let first = entry.long(8) else { return [] }
        if count == 1 { return [first] }
        let list = try file.view(at: first, count: min(count, 32) * 4, isLittleEndian: entry.isLittleEndian)
        return (0..<min(count, 32)).compactMap { list.long($0 * 4) }
    }
}
