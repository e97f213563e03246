extension String {
    /// As a shell takes it for one word, whatever it holds.
    public var shellWord: String {
        let plain: (Unicode.Scalar) -> Bool = { scalar in
            ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
                || "/._-+,@%:=".unicodeScalars.contains(scalar) || scalar.value > 0x9F
        }
        return !isEmpty && unicodeScalars.allSatisfy(plain) ? self : inShellQuotes
    }

    fileprivate var inShellQuotes: String {
        "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

extension DrivePath {
    /// As a shell and the command behind it take it for one word that is no option.
    public var shellText: String {
        let text = description
        return text.first == "-" ? "./\(text)".inShellQuotes : text.shellWord
    }
}
