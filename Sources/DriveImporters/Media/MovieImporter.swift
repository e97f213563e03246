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
        if let seconds = Self.duration(of: boxes), seconds > 0 || metadata[.duration] == nil {
            metadata.set(.duration, seconds)
        }
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

    /// Of the boxes of a header. A movie that goes on in fragments has its whole length in a box of its own, or nowhere
    /// (ISO/IEC 14496-12, section 8.8.2): the other is that of what comes before them, mostly nothing.
    static func duration(of boxes: [Box]) -> Double? {
        guard let header = boxes["mvhd"] else { return nil }
        let isLong = header.byte(0) == 1
        guard let scale = header.long(isLong ? 20 : 12), scale > 0 else { return nil }
        let length = Self.length(in: header, at: isLong ? 24 : 16)
        guard let fragments = boxes["mvex"] else { return length.map { Double($0) / Double(scale) } }
        let whole = Box.all(in: fragments)["mehd"].flatMap { Self.length(in: $0, at: 4) }
        return [whole, length].compactMap(\.self).first { $0 > 0 }.map { Double($0) / Double(scale) }
    }

    /// Of eight bytes in the second version of a box, of four else; nil for what is not known.
    private static func length(in box: ByteView, at offset: Int) -> Int? {
        guard let length = box.number(offset, box.byte(0) == 1 ? 8 : 4), length != 0xFFFF_FFFF else { return nil }
        return length
    }
}
