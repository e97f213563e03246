import Glibc

/// Arguments as the bytes that the shell gave: a path need not be UTF-8, and `String` would change it.
enum RawArguments {
    static func bytes(_ argument: String) -> [UInt8] {
        for place in 1..<max(1, Int(CommandLine.argc)) {
            guard let pointer = CommandLine.unsafeArgv[place] else { break }
            let bytes = UnsafeBufferPointer(start: pointer, count: strlen(pointer)).map { UInt8(bitPattern: $0) }
            for candidate in [bytes[...], joinedValue(bytes)].compactMap(\.self) where isRaw(candidate, argument) {
                return Array(candidate)
            }
        }
        return Array(argument.utf8)
    }

    /// Of `--to=PATH` the path.
    private static func joinedValue(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        guard bytes.first == 0x2D, let sign = bytes.firstIndex(of: 0x3D) else { return nil }
        return bytes[(sign + 1)...]
    }

    private static func isRaw(_ bytes: ArraySlice<UInt8>, _ argument: String) -> Bool {
        String(validating: bytes, as: UTF8.self) == nil && String(decoding: bytes, as: UTF8.self) == argument
    }
}
