import Crypto

extension ItemID {
    /// The item that a promoted copy becomes, the same on every device: the first 128 bits of the SHA-256 of
    /// `docdrive/1 copy`, a zero byte, the item, and the dot's device and number, all big-endian.
    public static func promotedCopy(of item: ItemID, dot: Dot) -> ItemID {
        var bytes = Array("docdrive/1 copy\u{0}".utf8)
        bytes.appendBigEndian(item.high)
        bytes.appendBigEndian(item.low)
        bytes.appendBigEndian(dot.device.high)
        bytes.appendBigEndian(dot.device.low)
        bytes.appendBigEndian(dot.n)
        let words = ContentHash(SHA256.hash(data: bytes)).words
        return ItemID(high: words.0, low: words.1)
    }
}

extension DeviceID {
    /// Who wrote the part of a journal that begins with this segment, where two copies of one device have used the same numbers:
    /// the same for all that part them, so that what both write anew is one. The first 80 bits of the SHA-256 of
    /// `docdrive/1 branch`, a zero byte, the device, big-endian, and the name of the segment.
    public static func branch(of device: DeviceID, from segment: ObjectKey) -> DeviceID {
        var bytes = Array("docdrive/1 branch\u{0}".utf8)
        bytes.appendBigEndian(device.high)
        bytes.appendBigEndian(device.low)
        bytes += Array(segment.utf8)
        let words = ContentHash(SHA256.hash(data: bytes)).words
        return DeviceID(high: words.0, low: UInt16(truncatingIfNeeded: words.1 >> 48))
    }
}

extension [UInt8] {
    @inline(__always)
    mutating func appendBigEndian(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}
