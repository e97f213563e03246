import DriveImporting
import CExif

/// Exif, read with libexif.
enum Exif {
    /// The bytes begin with "Exif" and two zeros. True where the camera was held on its side: people see the picture turned.
    static func describe(_ bytes: [UInt8], _ metadata: inout ImportedMetadata) -> Bool {
        guard let reader = ExifReader(bytes) else { return false }
        metadata.set(.acquisitionMake, reader.text(EXIF_IFD_0, 0x010F))
        metadata.set(.acquisitionModel, reader.text(EXIF_IFD_0, 0x0110))
        metadata.set(.creator, reader.text(EXIF_IFD_0, 0x0131))
        metadata.set(.description, reader.text(EXIF_IFD_0, 0x010E))
        metadata.set(.copyright, reader.text(EXIF_IFD_0, 0x8298))
        if let artist = reader.text(EXIF_IFD_0, 0x013B) { metadata.add(.authors, artist) }
        // 2: dots an inch; 3: a centimetre.
        if let x = reader.real(EXIF_IFD_0, 0x011A), let y = reader.real(EXIF_IFD_0, 0x011B) {
            let scale = reader.whole(EXIF_IFD_0, 0x0128) == 3 ? 2.54 : 1
            metadata.set(.resolutionWidth, x * scale)
            metadata.set(.resolutionHeight, y * scale)
        }
        let taken =
            reader.date(EXIF_IFD_EXIF, 0x9003, zone: 0x9011) ?? reader.date(EXIF_IFD_0, 0x0132, zone: 0x9010)
        metadata.set(.contentCreationDate, taken)
        metadata.set(.fNumber, reader.real(EXIF_IFD_EXIF, 0x829D))
        metadata.set(.exposureTime, reader.real(EXIF_IFD_EXIF, 0x829A))
        metadata.set(.isoSpeed, reader.whole(EXIF_IFD_EXIF, 0x8827))
        metadata.set(.focalLength, reader.real(EXIF_IFD_EXIF, 0x920A))
        metadata.set(.focalLength35, reader.whole(EXIF_IFD_EXIF, 0xA405))
        metadata.set(.flash, reader.whole(EXIF_IFD_EXIF, 0x9209).map { $0 & 1 })
        metadata.set(.whiteBalance, reader.whole(EXIF_IFD_EXIF, 0xA403))
        metadata.set(.lensModel, reader.text(EXIF_IFD_EXIF, 0xA434))
        metadata.set(.cameraOwner, reader.text(EXIF_IFD_EXIF, 0xA430))
        metadata.set(.exifVersion, reader.version)
        metadata.set(.latitude, reader.degrees(0x0002, reference: 0x0001, negative: "S", limit: 90))
        metadata.set(.longitude, reader.degrees(0x0004, reference: 0x0003, negative: "W", limit: 180))
        if let altitude = reader.real(EXIF_IFD_GPS, 0x0006) {
            metadata.set(.altitude, reader.whole(EXIF_IFD_GPS, 0x0005) == 1 ? -altitude : altitude)
        }
        return reader.whole(EXIF_IFD_0, 0x0112).map((5...8).contains) ?? false
    }
}

/// The entries of one Exif block.
private final class ExifReader {
    private let data: UnsafeMutablePointer<ExifData>
    private let order: ExifByteOrder

    init?(_ bytes: [UInt8]) {
        guard let size = UInt32(exactly: bytes.count), let data = exif_data_new() else { return nil }
        // Else it puts in what the standard asks for and the file does not have.
        exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
        exif_data_load_data(data, bytes, size)
        self.data = data
        order = exif_data_get_byte_order(data)
    }

    deinit { exif_data_unref(data) }

    private func entry(_ directory: ExifIfd, _ tag: UInt32) -> ExifEntry? {
        guard let entry = dd_exif_entry(data, directory, ExifTag(rawValue: tag))?.pointee, entry.data != nil else {
            return nil
        }
        return entry
    }

    private func bytes(_ entry: ExifEntry) -> [UInt8] {
        Array(UnsafeBufferPointer(start: entry.data, count: Int(min(entry.size, 64 << 10))))
    }

    func text(_ directory: ExifIfd, _ tag: UInt32) -> String? {
        guard let entry = entry(directory, tag), entry.format == EXIF_FORMAT_ASCII else { return nil }
        let bytes = Array(bytes(entry).prefix { $0 != 0 })
        let text = String(validating: bytes, as: UTF8.self) ?? TextDecoder.convert(bytes, from: "WINDOWS-1252")
        return text?.isEmpty == false ? text : nil
    }

    /// `zone` is the tag of its difference to UTC, as "+09:00" (CIPA DC-008-2019, section 4.6.5.6), which may be blank.
    func date(_ directory: ExifIfd, _ tag: UInt32, zone: UInt32) -> ImportedDate? {
        text(directory, tag).flatMap { DateText.parse($0 + (text(EXIF_IFD_EXIF, zone) ?? "")) }
    }

    func whole(_ directory: ExifIfd, _ tag: UInt32) -> Int? {
        guard let entry = entry(directory, tag) else { return nil }
        switch entry.format {
        case EXIF_FORMAT_BYTE where entry.size >= 1: return Int(entry.data[0])
        case EXIF_FORMAT_SHORT where entry.size >= 2: return Int(exif_get_short(entry.data, order))
        case EXIF_FORMAT_LONG where entry.size >= 4: return Int(exif_get_long(entry.data, order))
        default: return nil
        }
    }

    func real(_ directory: ExifIfd, _ tag: UInt32, at index: Int = 0) -> Double? {
        guard let entry = entry(directory, tag), entry.format == EXIF_FORMAT_RATIONAL, entry.size >= (index + 1) * 8
        else { return nil }
        let value = exif_get_rational(entry.data + index * 8, order)
        return value.denominator == 0 ? nil : Double(value.numerator) / Double(value.denominator)
    }

    var version: String? {
        guard let entry = entry(EXIF_IFD_EXIF, 0x9000) else { return nil }
        let digits = bytes(entry).prefix(4)
        guard digits.count == 4, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let text = String(decoding: digits, as: UTF8.self)
        return "\(Int(text.prefix(2)) ?? 0).\(text.suffix(2))"
    }

    func degrees(_ tag: UInt32, reference: UInt32, negative: String, limit: Double) -> Double? {
        guard let degrees = real(EXIF_IFD_GPS, tag) else { return nil }
        let minutes = real(EXIF_IFD_GPS, tag, at: 1) ?? 0, seconds = real(EXIF_IFD_GPS, tag, at: 2) ?? 0
        let value = degrees + minutes / 60 + seconds / 3600
        guard value <= limit else { return nil }
        return text(EXIF_IFD_GPS, reference) == negative ? -value : value
    }
}
