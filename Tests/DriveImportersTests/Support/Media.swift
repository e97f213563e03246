/// Exif of a photograph, as a TIFF file without an image.
enum ExifBytes {
    /// `orientation` as the camera was held; 6 and 8 are on its sides. All but the header lies at that place.
    static func block(orientation: Int = 1, zone: String = "   :  ", at start: Int = 8) -> [UInt8] {
        // Header, directory of seven entries, then what does not fit into entries.
        let make = Array("Maker\0".utf8), date = Array("2026:05:06 07:08:09\0".utf8)
        let offset = Array((zone + "\0").utf8)
        var data: [UInt8] = []
        let first = start + 2 + 7 * 12 + 4
        func place(_ bytes: [UInt8], from base: Int) -> Int {
            defer { data += bytes }
            return base + data.count
        }
        let makeAt = place(make, from: first)
        let exifAt = first + data.count
        let exifData = exifAt + 2 + 4 * 12 + 4
        let exif =
            big(4, 2) + entry(0x829D, 5, 1, exifData) + entry(0x8827, 3, 1, 400 << 16)
            + entry(0x9003, 2, date.count, exifData + 8)
            + entry(0x9011, 2, offset.count, exifData + 8 + date.count) + big(0) + big(28) + big(10) + date + offset
        data += exif
        let gpsAt = first + data.count
        let gpsData = gpsAt + 2 + 4 * 12 + 4
        let degrees = big(48) + big(1) + big(30) + big(1) + big(0) + big(1)
        data +=
            big(4, 2) + entry(1, 2, 2, 0x4E00_0000) + entry(2, 5, 3, gpsData) + entry(3, 2, 2, 0x5700_0000)
            + entry(4, 5, 3, gpsData) + big(0) + degrees
        let entries =
            big(7, 2) + entry(0x0100, 3, 1, 70 << 16) + entry(0x0101, 3, 1, 90 << 16)
            + entry(0x010F, 2, make.count, makeAt) + entry(0x0110, 2, 4, 0x4D31_3000)
            + entry(0x0112, 3, 1, orientation << 16) + entry(0x8769, 4, 1, exifAt) + entry(0x8825, 4, 1, gpsAt) + big(0)
        return Array("MM\0*".utf8) + big(start) + [UInt8](repeating: 0, count: start - 8) + entries + data
    }

    static func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
        big(tag, 2) + big(type, 2) + big(count) + big(value)
    }
}

enum Images {
    /// `attributes` are those of the description, `elements` lie in it.
    static func xmp(_ attributes: String = "", _ elements: String = "") -> [UInt8] {
        let text = """
            <x:xmpmeta xmlns:x="x"><r:RDF xmlns:r="r" xmlns:dc="d" xmlns:e="e"><r:Description \(attributes)>
            <dc:title><r:Alt><r:li>Sunset</r:li></r:Alt></dc:title>
            <dc:subject><r:Bag><r:li>sea</r:li><r:li>sky</r:li></r:Bag></dc:subject>\(elements)</r:Description></r:RDF>
            </x:xmpmeta>
            """
        return Array(text.utf8)
    }

    static func jpeg(exif: [UInt8]? = nil, xmp: [UInt8] = xmp()) -> [UInt8] {
        func segment(_ marker: UInt8, _ bytes: [UInt8]) -> [UInt8] { [0xFF, marker] + big(bytes.count + 2, 2) + bytes }
        var bytes: [UInt8] = [0xFF, 0xD8]
        bytes += segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 1] + big(300, 2) + big(300, 2) + [0, 0])
        if let exif { bytes += segment(0xE1, Array("Exif\0\0".utf8) + exif) }
        bytes += segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp)
        bytes += segment(0xC0, [8] + big(480, 2) + big(640, 2) + [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0])
        return bytes + segment(0xDA, [0, 0]) + [0xFF, 0xD9]
    }

    static func png() -> [UInt8] {
        func chunk(_ code: String, _ bytes: [UInt8]) -> [UInt8] { big(bytes.count) + Array(code.utf8) + bytes + big(0) }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", big(20) + big(30) + [8, 6, 0, 0, 0]) + chunk("pHYs", big(3780) + big(3780) + [1])
            + chunk("tEXt", Array("Title\0A picture".utf8)) + chunk("iTXt", Array("Author\0\0\0\0\0Zoë".utf8))
            + chunk("IEND", [])
    }

    static func webp() -> [UInt8] {
        let extended = [0x10, 0, 0, 0] + little(799, 3) + little(599, 3)
        let chunk = Array("VP8X".utf8) + little(extended.count) + extended
        return Array("RIFF".utf8) + little(4 + chunk.count) + Array("WEBP".utf8) + chunk
    }

    static func tiff() -> [UInt8] {
        func entry(_ tag: Int, _ value: Int) -> [UInt8] { little(tag, 2) + little(3, 2) + little(1) + little(value) }
        return Array("II*\0".utf8) + little(8) + little(3, 2) + entry(256, 70) + entry(257, 90) + entry(262, 2)
            + little(0)
    }

    /// A small picture and others, within it or one behind the other, half as high as wide. The last leads back to the first.
    static func raw(_ others: [(width: Int, isReduced: Bool)], within: Bool) -> [UInt8] {
        let first = 8 + others.count * 4
        func place(_ index: Int) -> Int { first + index * (2 + 4 * 12 + 4) }
        let pictures = [(width: 160, isReduced: true)] + others
        var bytes = Array("MM\0*".utf8) + big(first)
        for index in others.indices { bytes += big(place(index + 1)) }
        for (index, picture) in pictures.enumerated() {
            bytes += big(4, 2) + ExifBytes.entry(254, 4, 1, picture.isReduced ? 1 : 0)
            bytes += ExifBytes.entry(256, 4, 1, picture.width) + ExifBytes.entry(257, 4, 1, picture.width / 2)
            if within, index == 0 {
                bytes += ExifBytes.entry(330, 4, others.count, others.count == 1 ? place(1) : 8) + big(0)
            } else {
                let next = within ? first : place((index + 1) % pictures.count)
                bytes += ExifBytes.entry(0x0112, 3, 1, 1 << 16) + big(next)
            }
        }
        return bytes
    }

    /// A tile, a picture and another one, which is turned; the one that is shown is item `shown`, or not told.
    static func heic(exif: [UInt8], shown: Int? = nil, turns: Int = 0, isLong: Bool = false) -> [UInt8] {
        func box(_ code: String, _ bytes: [UInt8]) -> [UInt8] { big(bytes.count + 8) + Array(code.utf8) + bytes }
        let type = box("ftyp", Array("heic".utf8) + big(0) + Array("mif1".utf8))
        func size(_ width: Int, _ height: Int) -> [UInt8] { box("ispe", big(0) + big(width) + big(height)) }
        let sizes =
            size(512, 512) + size(4032, 3024) + box("imir", [0]) + box("irot", [UInt8(turns)]) + box("irot", [1])
        var properties = box("ipco", sizes)
        var primary: [UInt8] = []
        if let shown {
            let count = isLong ? 2 : 1
            func item(_ number: Int, _ list: [Int]) -> [UInt8] {
                big(number, count * 2) + [UInt8(list.count)]
                    + list.flatMap { big($0 | 1 << (count * 8 - 1), count) }
            }
            let head = isLong ? big(1 << 24 | 1) : big(0)
            properties += box("ipma", head + big(3) + item(1, [1]) + item(2, [2, 3, 4]) + item(3, [1, 5]))
            primary = box("pitm", isLong ? big(1 << 24) + big(shown) : big(0) + big(shown, 2))
        }
        let payload = big(6) + Array("Exif\0\0".utf8) + exif
        let items = box(
            "iinf", big(0) + big(1, 2) + box("infe", big(2 << 24) + big(7, 2) + big(0, 2) + Array("Exif".utf8) + [0]))
        func meta(_ at: Int) -> [UInt8] {
            let place =
                big(0) + [0x44, 0] + big(1, 2) + big(7, 2) + big(0, 2) + big(1, 2) + big(at) + big(payload.count)
            return box("meta", big(0) + primary + items + box("iloc", place) + box("iprp", properties))
        }
        let at = type.count + meta(0).count + 8
        return type + meta(at) + box("mdat", payload)
    }

    /// `length` is that in its header, `fragments` the box of one that goes on in fragments.
    static func movie(length: Int = 1500, fragments: [UInt8]? = nil) -> [UInt8] {
        func box(_ code: String, _ bytes: [UInt8]) -> [UInt8] { big(bytes.count + 8) + Array(code.utf8) + bytes }
        let header = box("mvhd", big(0) + big(0) + big(0) + big(600) + big(length) + [UInt8](repeating: 0, count: 80))
        let track = box("tkhd", [UInt8](repeating: 0, count: 76) + big(1920 << 16) + big(1080 << 16))
        let more = fragments.map { box("mvex", $0) } ?? []
        return box("ftyp", Array("isom".utf8) + big(0)) + box("moov", header + box("trak", track) + more)
    }
}

enum Sounds {
    /// A second of silence at 8 kHz.
    static func wav() -> [UInt8] {
        let format = little(1, 2) + little(1, 2) + little(8000) + little(8000) + little(1, 2) + little(8, 2)
        let information = Array("INFOINAM".utf8) + little(6) + Array("Knock\0".utf8)
        let body =
            Array("WAVEfmt ".utf8) + little(16) + format + Array("LIST".utf8) + little(information.count) + information
            + Array("data".utf8) + little(8000) + [UInt8](repeating: 128, count: 8000)
        return Array("RIFF".utf8) + little(body.count) + body
    }

    static func mp3() -> [UInt8] {
        func frame(_ code: String, _ text: String) -> [UInt8] {
            let bytes = [3] + Array(text.utf8)
            return Array(code.utf8) + big(bytes.count) + [0, 0] + bytes
        }
        let frames =
            frame("TIT2", "Prélude") + frame("TPE1", "Ada") + frame("TALB", "Works") + frame("TRCK", "4/9")
            + frame("TDRC", "2026-05-06") + frame("TCOM", "Grace") + frame("TCON", "Classical")
        // 128 kbit/s, 44100 Hz, stereo: 417 bytes in each frame.
        let sound = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)
        let size = [frames.count >> 21, frames.count >> 14, frames.count >> 7, frames.count].map { UInt8($0 & 0x7F) }
        return Array("ID3".utf8) + [4, 0, 0] + size + frames + (0..<40).flatMap { _ in sound }
    }

    static func flac() -> [UInt8] {
        // 44100 Hz, 2 channels, 16 bits, 44100 samples.
        let rate = 44100 << 44 | 1 << 41 | 15 << 36 | 44100
        let stream =
            big(4096, 2) + big(4096, 2) + big(0, 3) + big(0, 3) + big(rate, 8) + [UInt8](repeating: 0, count: 16)
        let tags = ["TITLE=Fugue", "ARTIST=Ada"].flatMap { little($0.utf8.count) + Array($0.utf8) }
        let comments = little(4) + Array("test".utf8) + little(2) + tags
        return Array("fLaC".utf8) + [0] + big(stream.count, 3) + stream + [0x84] + big(comments.count, 3) + comments
            + [0xFF, 0xF8, 0x69, 0x18, 0, 0, 0, 0]
    }
}
