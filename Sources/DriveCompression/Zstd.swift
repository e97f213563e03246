import CZstd
package import DriveCore

/// libzstd with its working memory kept between calls. Not shared between tasks.
package final class Zstd {
    private let compressor = ZSTD_createCCtx()
    private let decompressor = ZSTD_createDCtx()

    package init() {}

    deinit {
        ZSTD_freeCCtx(compressor)
        ZSTD_freeDCtx(decompressor)
    }

    package func compress(_ bytes: [UInt8], level: Int32) throws(DriveError) -> [UInt8] {
        let result = bytes.withUnsafeBytes { compress($0, level: level) }
        guard let result else { throw DriveError(.exhausted, "zstd could not compress for lack of memory") }
        return result
    }

    /// Nil where zstd fails, which is for lack of memory only.
    package func compress(_ bytes: UnsafeRawBufferPointer, level: Int32) -> [UInt8]? {
        var length: Int?
        let result = [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(bytes.count)) { buffer, count in
            let size = ZSTD_compressCCtx(
                compressor, buffer.baseAddress, buffer.count, bytes.baseAddress, bytes.count, level)
            guard ZSTD_isError(size) == 0 else { return }
            length = size
            count = size
        }
        return length == nil ? nil : result
    }

    /// Never writes more than `size` bytes, whatever the frame claims, and refuses any other length.
    package func decompress(_ bytes: [UInt8], size: Int) throws(DriveError) -> [UInt8] {
        guard size >= 0 else { throw Self.damage }
        var isWhole = false
        let result = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            isWhole = bytes.withUnsafeBytes { decompress($0, into: buffer.baseAddress, size: size) }
            count = isWhole ? size : 0
        }
        guard isWhole else { throw Self.damage }
        return result
    }

    /// As the bytes, for a text: what is no UTF-8 in it is repaired as `String(decoding:as:)` does.
    package func decompressText(_ bytes: [UInt8], size: Int) throws(DriveError) -> String {
        guard size >= 0 else { throw Self.damage }
        var isWhole = false
        let result = String(unsafeUninitializedCapacity: size) { buffer in
            isWhole = bytes.withUnsafeBytes { decompress($0, into: buffer.baseAddress, size: size) }
            return isWhole ? size : 0
        }
        guard isWhole else { throw Self.damage }
        return result
    }

    private static var damage: DriveError { DriveError(.corrupt, "compressed data is damaged") }

    private func decompress(_ source: UnsafeRawBufferPointer, into target: UnsafeMutablePointer<UInt8>?, size: Int)
        -> Bool
    {
        let length = ZSTD_decompressDCtx(decompressor, target, size, source.baseAddress, source.count)
        return ZSTD_isError(length) == 0 && length == size
    }
}
