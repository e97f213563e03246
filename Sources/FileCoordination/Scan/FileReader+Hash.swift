import DriveCore

extension FileReader {
    /// Reads to the end, and hands on what it reads; nil where the file changed meanwhile.
    package func hash(
        _ deliver: (UnsafeRawBufferPointer) throws(DriveError) -> Void = { _ in }
    ) throws(DriveError) -> (ContentHash, UInt64)? {
        var digest = contentDigest()
        // Some file systems say 0 of files that have bytes.
        var left = facts.size == 0 ? UInt64.max : facts.size
        let length = Int(min(left, 256 << 10))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 64)
        defer { buffer.deallocate() }
        // What is longer by now is another version than the one that was opened.
        while left > 0 {
            let count = try read(into: buffer)
            if count == 0 { break }
            left -= min(left, UInt64(count))
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            digest.update(bytes)
            try deliver(bytes)
        }
        guard try isUnchanged() else { return nil }
        let (hash, size) = digest.finish()
        return (hash, size)
    }
}
