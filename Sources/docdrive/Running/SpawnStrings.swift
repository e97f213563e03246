import Glibc

/// Words and variables as execve(2) takes them: bytes with a NUL at each end, and nil after the last. Whoever asks frees them.
enum SpawnStrings {
    typealias List = [UnsafeMutablePointer<CChar>?]

    static func words(_ words: [[UInt8]]) -> List {
        words.map { word in strdup(word.map { CChar(bitPattern: $0) } + [0]) } + [nil]
    }

    /// The variables of this process and these, which come before its own of the same name.
    static func environment(_ more: [String: [UInt8]]) -> List {
        let names = more.keys.map { Array("\($0)=".utf8) }
        let kept = inherited.filter { line in !names.contains { line.starts(with: $0) } }
        return words(kept + more.map { Array("\($0.key)=".utf8) + $0.value })
    }

    private static var inherited: [[UInt8]] {
        var lines: [[UInt8]] = []
        var place = environ
        while let line = place.pointee {
            lines.append(UnsafeBufferPointer(start: line, count: strlen(line)).map { UInt8(bitPattern: $0) })
            place += 1
        }
        return lines
    }
}
