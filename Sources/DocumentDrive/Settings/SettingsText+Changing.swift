extension SettingsText {
    /// A setting as it shall stand in a file.
    struct Setting {
        let key: String
        /// Nil: in no line.
        var value: Value?
        /// What a file without a line means; a line that is there says it all the same.
        var isImplied = false
        /// A line that is there stays as it is, however it says so.
        var isAsBefore = false
    }

    /// The same text with other values, each in its line; what is not there yet comes behind. All else that people have written
    /// stays: comments, the order, what nobody knows. Throws a `Failure` as parsing does.
    static func changing(_ bytes: [UInt8], to settings: [Setting]) throws(Failure) -> [UInt8] {
        _ = try SettingsText(parsing: bytes)
        let text = String(decoding: bytes, as: UTF8.self).unicodeScalars
        let mark = text.prefix { $0 == byteOrderMark }
        var missing = settings
        var lines: [String] = []
        for line in text[mark.endIndex...].split(separator: "\n", omittingEmptySubsequences: false) {
            guard let (key, found) = place(in: line), let place = missing.firstIndex(where: { $0.key == key }) else {
                lines.append(String(line))
                continue
            }
            let setting = missing.remove(at: place)
            if setting.isAsBefore {
                lines.append(String(line))
            } else if let value = setting.value {
                lines.append(String(line[..<found.lowerBound]) + value.text + String(line[found.upperBound...]))
            }
        }
        // As an editor on Windows ends them.
        let end = lines.count > 1 && lines[0].unicodeScalars.last == "\r" ? "\r" : ""
        // What follows the last end of a line.
        if lines.last?.isEmpty == true { lines.removeLast() }
        for setting in missing where !setting.isImplied {
            if let value = setting.value { lines.append("\(setting.key) = \(value.text)\(end)") }
        }
        return Array((String(mark) + lines.joined(separator: "\n") + "\n").utf8)
    }

    private typealias Line = String.UnicodeScalarView.SubSequence

    private static func place(in line: Line) -> (key: String, value: Range<Line.Index>)? {
        var rest = SettingsLine(line.last == "\r" ? line.dropLast() : line)
        guard let key = try? rest.assignment()?.0, let value = rest.valueRange else { return nil }
        return (key, value)
    }
}

extension SettingsText.Value {
    /// As it stands in a file.
    var text: String {
        switch self {
        case .text(let text): SettingsText.quoted(text)
        case .number(let number): "\(number)"
        case .flag(let flag): "\(flag)"
        }
    }
}
