/// White space in the texts of documents, and in what is looked for in them.
public enum WhiteSpace {
    /// Each run as one space, none at the ends. White space is also what Unicode calls so, such as the no-break space of pages.
    public static func collapsed(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var isGap = false
        for scalar in text.unicodeScalars {
            if scalar.value <= 0x20 || (scalar.value >= 0x80 && scalar.properties.isWhitespace) {
                isGap = true
                continue
            }
            if isGap, !result.isEmpty { result.append(" ") }
            isGap = false
            result.append(scalar)
        }
        return String(result)
    }

    /// Of what is looked for, where white space at an end stands for some there.
    static func collapsedInside(_ text: String) -> String {
        // A mark at an end would be one character with what guards it there.
        String(collapsed("|\(text)|").unicodeScalars.dropFirst().dropLast())
    }
}
