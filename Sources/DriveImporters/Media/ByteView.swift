import DriveImporting

/// Bytes with numbers in them; what lies beyond the end is nil.
struct ByteView {
    let bytes: ArraySlice<UInt8>
    var isLittleEndian = false

    init(_ bytes: some Collection<UInt8>, isLittleEndian: Bool = false) {
        self.bytes = ArraySlice(bytes)
        self.isLittleEndian = isLittleEndian
    }

    var count: Int { bytes.count }

    func slice(_ offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else { return nil }
        let start = bytes.startIndex + offset
        return bytes[start..<start + count]
    }

    func view(_ offset: Int, _ count: Int) -> ByteView? {
        slice(offset, count).map { ByteView($0, isLittleEndian: isLittleEndian) }
    }

    /// A number of one to eight bytes that fits.
    func number(_ offset: Int, _ count: Int) -> Int? {
        guard let slice = slice(offset, count) else { return nil }
        let value = (isLittleEndian ? Array(slice.reversed()) : Array(slice)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value)
    }

    func byte(_ offset: Int) -> Int? { number(offset, 1) }
    func short(_ offset: Int) -> Int? { number(offset, 2) }
    func long(_ offset: Int) -> Int? { number(offset, 4) }

    func has(_ text: String, at offset: Int) -> Bool {
        slice(offset, text.utf8.count)?.elementsEqual(text.utf8) == true
    }

    func code(_ offset: Int) -> String? { slice(offset, 4).map { String(decoding: $0, as: UTF8.self) } }
}

extension ImportFile {
    func view(at offset: Int, count: Int, isLittleEndian: Bool = false) throws(ImportFailure) -> ByteView {
        ByteView(try read(at: offset, count: count), isLittleEndian: isLittleEndian)
    }
}
