import Foundation

extension String {
    /// Marks in a row that are put in order together: more than any writing has (the stream-safe format of Unicode, UAX #15,
    /// section 13).
    private static let marksTogether = 30

    /// Canonically composed. Foundation takes time by the square of the marks that follow one letter; of more than 30 each 30 are put in
    /// order by themselves.
    var composed: String {
        // Too short for so many.
        if utf8.count <= 2 * Self.marksTogether { return precomposedStringWithCanonicalMapping }
        var result = ""
        var start = startIndex
        var marks = 0
        for place in unicodeScalars.indices {
            let scalar = unicodeScalars[place]
            // The first mark of all is U+0300.
            if scalar.value < 0x300 || scalar.properties.canonicalCombiningClass == .notReordered {
                marks = 0
            } else if marks == Self.marksTogether {
                result += self[start..<place].precomposedStringWithCanonicalMapping
                (start, marks) = (place, 1)
            } else {
                marks += 1
            }
        }
        if start == startIndex { return precomposedStringWithCanonicalMapping }
        return result + self[start...].precomposedStringWithCanonicalMapping
    }
}
