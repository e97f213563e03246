import DriveImporting
import DriveTypes

/// MP4, QuickTime and 3GPP: length and size of the picture.
struct MovieImporter: Importer {
    let types = ["public.mpeg-4", "com.apple.quicktime-movie", "public.3gpp"]

    func `import`(from file: ImportFile, as type: ContentType, limits: ImportLimits) throws(ImportFailure)
        -> ImportedMetadata
    {
        guard let movie = try Box.first("moov", in: file, atMost: limits.inputBytes) else {
            throw ImportFailure(.malformed, "it is a movie without a header, or cut off")
        }
        // Its tags are those of audio; a movie without sound has none that TagLib could read.
        var metadata = (try? AudioImporter.read(file)) ?? ImportedMetadata()
        let boxes = Box.all(in: movie.content)
        if let header = boxes["mvhd"] { metadata.set(.duration, Self.duration(header)) }
        var size = (width: 0, height: 0)
        for track in boxes where track.code == "trak" {
            guard let header = Box.all(in: track.content)["tkhd"] else { continue }
            // At the end, as numbers with 16 bits after the point.
            let width = (header.long(header.count - 8) ?? 0) >> 16, height = (header.long(header.count - 4) ?? 0) >> 16
            if width > size.width { size = (width, height) }
        }
        if size.width > 0, size.height > 0 {
            metadata.set(.pixelWidth, size.width)
            metadata.set(.pixelHeight, size.height)
            metadata.set(.pixelCount, size.width * size.height)
        }
        return metadata
    }

    static func duration(_ header: ByteView) -> Double? {
        let isLong = header.byte(0) == 1
        guard let scale = header.long(isLong ? 20 : 12), scale > 0,
            let length = isLong ? header.number(24, 8) : header.long(16), length != 0xFFFF_FFFF
        else { return nil }
        return Double(length) / Double(scale)
    }
}
