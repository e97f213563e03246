import Glibc

/// Arguments as the bytes that the shell gave: a path need not be UTF-8, and `String` would change it.
enum RawArguments {
    static func bytes(_ argument: String) -> [UInt8] {
        for place in 1..<max(1, Int(CommandLine.argc)) {
            guard let pointer = CommandLine.unsafeArgv[place] else { break }
            let bytes = UnsafeBufferPointer(start: pointer, count: strlen(pointer)).map { UInt8(bitPattern: $0) }
            if String(validating: bytes, as: UTF8.self) == nil, String(decoding: bytes, as: UTF8.self) == argument {
                return bytes
            }
        }
        return Array(argument.utf8)
    }
}
