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

extension [UInt8] {
    @inline(__always)
    mutating func appendBigEndian(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}
