// SPDX-License-Identifier: GPL-2.0-only

/// A name in a folder. Most are short, there are as many as folders, and an array of its own for each takes 64 bytes: up
/// to 15 bytes lie in the value itself.
enum FolderName: Hashable {
    /// The bytes in the order of memory, and how many they are in the last one.
    case short(UInt64, UInt64)
    case long([UInt8])

    init(_ bytes: [UInt8]) {
        guard bytes.count < 16 else {
            self = .long(bytes)
            return
        }
        var words: (UInt64, UInt64) = (0, 0)
        withUnsafeMutableBytes(of: &words) { words in
            words.copyBytes(from: bytes)
            words[15] = UInt8(bytes.count)
        }
        self = .short(words.0, words.1)
    }

    var bytes: [UInt8] {
        switch self {
        case .long(let bytes): return bytes
        case .short(let first, let second):
            return withUnsafeBytes(of: (first, second)) { Array($0[..<Int($0[15])]) }
        }
    }
}
