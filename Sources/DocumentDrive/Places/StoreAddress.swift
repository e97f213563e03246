public import DriveCore

/// Where a store is: a folder, given by its path or as a `file://` URL.
public struct StoreAddress: Hashable, Sendable {
    public let folder: FolderPath

    public init(folder: FolderPath) { self.folder = folder }

    /// A path, relative to the current folder, or a URL (RFC 8089 for `file`).
    public init(_ argument: [UInt8]) throws(DriveError) {
        // The system would take the path to end there.
        guard !argument.contains(0) else {
            throw DriveError(.usage, "the store's address holds a zero byte, as no path does; correct it")
        }
        guard let text = String(validating: argument, as: UTF8.self), let colon = text.range(of: "://") else {
            guard !argument.isEmpty else {
                throw DriveError(.usage, "the store's address is empty; give a folder's path or a URL")
            }
            folder = FolderPath(argument)
            return
        }
        let scheme = text[..<colon.lowerBound].lowercased()
        guard scheme == "file" else {
            throw DriveError(
                .usage, "a store of the kind `\(scheme)` is not known; use a folder's path or file://", path: text)
        }
        var rest = text[colon.upperBound...]
        if rest.hasPrefix("localhost/") { rest = rest.dropFirst("localhost".count) }
        guard rest.hasPrefix("/"), let bytes = Self.unescaped(rest.utf8) else {
            throw DriveError(.usage, "this is no file URL; write file:///folder", path: text)
        }
        folder = FolderPath(bytes)
    }

    /// As it is recorded: the path, or a URL where the path is not UTF-8 or would be taken for a URL.
    public var text: String {
        if let text = String(validating: folder.bytes, as: UTF8.self), !text.contains("://") { return text }
        return "file://" + PercentEncoding.text(folder.bytes)
    }

    /// Whether both lead to one folder, links followed.
    public func isSame(as other: StoreAddress) -> Bool { folder.resolved == other.folder.resolved }

    private static func unescaped(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var result: [UInt8] = []
        var escape: [UInt8]?
        for byte in text {
            if var digits = escape {
                digits.append(byte)
                escape = digits
                guard digits.count == 2 else { continue }
                guard let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), value != 0 else {
                    return nil
                }
                result.append(value)
                escape = nil
            } else if byte == 0x25 {
                escape = []
            } else {
                result.append(byte)
            }
        }
        return escape == nil ? result : nil
    }
}

extension StringProtocol {
    /// The first place of a text in this one, without Foundation.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
