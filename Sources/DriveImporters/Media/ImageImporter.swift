import DriveImporting
import DriveTypes

/// Images: what their headers, Exif and XMP say. No image is decoded.
struct ImageImporter: Importer {
    let types = ["public.image"]

    /// Formats whose files have to begin as they do here.
    private static let known: Set<String> = [
        "public.jpeg", "public.png", "com.compuserve.gif", "org.webmproject.webp", "public.heif-standard",
        "public.tiff", "com.microsoft.bmp",
    ]

    func `import`(from file: ImportFile, as type: ContentType, limits: ImportLimits) throws(ImportFailure)
        -> ImportedMetadata
    {
        let head = try file.view(at: 0, count: 32)
        var facts = ImageFacts()
        // By its bytes: many images have the name of another format.
        if head.slice(0, 4)?.elementsEqual([0x89, 0x50, 0x4E, 0x47]) == true {
            try PNG.read(file, &facts)
        } else if head.short(0) == 0xFFD8 {
            try JPEG.read(file, &facts)
        } else if head.has("GIF8", at: 0) {
            let view = ByteView(head.bytes, isLittleEndian: true)
            (facts.width, facts.height, facts.colorSpace) = (view.short(6), view.short(8), "RGB")
        } else if head.has("RIFF", at: 0), head.has("WEBP", at: 8) {
            try WebP.read(file, &facts)
        } else if head.has("ftyp", at: 4) {
            try HEIF.read(file, &facts)
        } else if head.has("II*\0", at: 0) || head.has("MM\0*", at: 0) {
            try TIFF.read(file, &facts)
        } else if head.has("BM", at: 0) {
            let view = ByteView(head.bytes, isLittleEndian: true)
            facts.width = view.long(18)
            // Negative for images that begin at the top.
            facts.height = view.long(22).map { Int(Int32(truncatingIfNeeded: $0).magnitude) }
        } else {
            if type.tree.contains(where: Self.known.contains) {
                throw ImportFailure(.malformed, "it does not begin as an image of its type does")
            }
            return ImportedMetadata()
        }
        guard facts.size != nil || facts.hasNoSize else {
            throw ImportFailure(.malformed, "its image header is damaged or cut off")
        }
        return facts.metadata(limits: limits)
    }
}

/// What a header says of an image.
struct ImageFacts {
    var width: Int?
    var height: Int?
    /// The file tells that of a small picture of itself alone.
    var hasNoSize = false
    /// Whether it is shown turned by a quarter; nil where Exif says it.
    var isTurned: Bool?
    var bits: Int?
    var colorSpace: String?
    var hasAlpha: Bool?
    var resolution: (x: Double, y: Double)?
    var exif: [UInt8]?
    var xmp: [UInt8]?
    var texts: [(key: String, value: String)] = []

    var size: (width: Int, height: Int)? {
        guard let width, let height, width > 0, height > 0 else { return nil }
        return (width, height)
    }

    func metadata(limits: ImportLimits) -> ImportedMetadata {
        var metadata = ImportedMetadata()
        let isHeldOnItsSide = exif.map { Exif.describe($0, &metadata) } ?? false
        let isTurned = self.isTurned ?? isHeldOnItsSide
        if let xmp { XMP.describe(xmp, &metadata, limits: limits) }
        for (key, value) in texts { Self.set(key, value, in: &metadata) }
        if let (width, height) = size {
            metadata.set(.pixelWidth, width)
            metadata.set(.pixelHeight, height)
            metadata.set(.pixelCount, width.multipliedReportingOverflow(by: height).overflow ? nil : width * height)
            metadata.set(.orientation, (isTurned ? height >= width : width >= height) ? 0 : 1)
        }
        metadata.set(.bitsPerSample, bits)
        metadata.set(.colorSpace, colorSpace)
        metadata.set(.hasAlphaChannel, hasAlpha.map { $0 ? 1 : 0 })
        if let resolution {
            metadata.set(.resolutionWidth, resolution.x)
            metadata.set(.resolutionHeight, resolution.y)
        }
        return metadata
    }

    /// The keys of PNG's text chunks.
    private static func set(_ key: String, _ value: String, in metadata: inout ImportedMetadata) {
        switch key {
        case "Title": metadata.set(.title, value)
        case "Author": metadata.add(.authors, value)
        case "Description": metadata.set(.description, value)
        case "Copyright": metadata.set(.copyright, value)
        case "Comment": metadata.set(.comment, value)
        case "Software": metadata.set(.creator, value)
        case "Creation Time": metadata.set(.contentCreationDate, DateText.parse(value))
        default: break
        }
    }
}
