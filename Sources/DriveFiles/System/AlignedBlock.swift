/// A mebibyte at an address that a device reads and writes itself (O_DIRECT, open(2)).
final class AlignedBlock {
    static let size = 1 << 20
    /// Of the address, of offsets and of lengths. What wants more is read and written through the page cache.
    static let alignment = 4_096

    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: alignment)

    deinit { bytes.deallocate() }
}
