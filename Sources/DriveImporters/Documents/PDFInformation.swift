/// What pdfinfo prints of a PDF, taken apart (`printInfo` in poppler's utils/pdfinfo.cc).
///
/// It prints texts of the document as they are, line ends included: a line of a subject can look like a field. Asked for
/// UTF-16, it prints these texts in it and its own words in ASCII still, so that the two are told apart.
enum PDFInformation {
    static let arguments = ["-enc", "UTF-16", "-isodates"]

    /// What stands before a value, as wide as all others.
    private struct Label {
        let key: String
        let bytes: [UInt8]

        init(_ key: String) {
            self.key = key
            bytes = Array("\(key):".utf8) + [UInt8](repeating: 0x20, count: 16 - key.utf8.count)
        }
    }

    /// Fields of the document, in the order in which they are printed. Dates that are none are texts too.
    private static let own = [
        "Title", "Subject", "Keywords", "Author", "Creator", "Producer", "CreationDate", "ModDate",
    ].map(Label.init)

    /// What may come next: the program speaks for itself from there on.
    private static let others = ["Custom Metadata", "Metadata Stream", "Tagged", "Pages"].map(Label.init)

    /// All of them, in the order in which they are printed.
    static func fields(_ output: [UInt8]) -> [(key: String, value: String)] {
        var fields: [(key: String, value: String)] = []
        var rest = output[...]
        var labels = own[...]
        while let index = labels.firstIndex(where: { rest.starts(with: $0.bytes) }) {
            let label = labels[index]
            labels = labels[(index + 1)...]
            rest = rest.dropFirst(label.bytes.count)
            let isText = !label.key.hasSuffix("Date") || rest.first == 0
            let end = end(of: rest, isText: isText, before: labels + others)
            let value = rest[..<end]
            fields.append((label.key, isText ? text(value) : String(decoding: value, as: UTF8.self)))
            rest = rest[end...].dropFirst()
        }
        for line in rest.split(separator: 0x0A) {
            guard let colon = line.firstIndex(of: 0x3A) else { continue }
            let value = line[(colon + 1)...].drop { $0 == 0x20 }
            fields.append((String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self)))
        }
        return fields
    }

    /// The line end that is the program's own: one byte where a character of a text has two, with a label behind it.
    private static func end(of value: ArraySlice<UInt8>, isText: Bool, before labels: ArraySlice<Label>) -> Int {
        for place in stride(from: value.startIndex, to: value.endIndex, by: isText ? 2 : 1) {
            guard value[place] == 0x0A else { continue }
            let behind = value[(place + 1)...]
            if behind.isEmpty || labels.contains(where: { behind.starts(with: $0.bytes) }) { return place }
        }
        return value.endIndex
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        return String(decoding: units, as: UTF16.self)
    }
}
