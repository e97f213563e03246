import DriveImporting

/// The text of a part: what stands in `t` elements, and in the cells of a sheet what no shared string is.
final class OfficeTextReader: MarkupReader {
    /// Readings of Japanese words, which stand beside the words; what was deleted, or moved and stands elsewhere too;
    /// what programs show that do not know the newer form beside it.
    private static let silent: Set<String> = ["rPh", "rt", "del", "moveFrom", "Fallback"]

    private(set) var text: TextGatherer
    private var isText = false
    private var isShared = false
    private var silence = 0

    init(_ text: TextGatherer) { self.text = text }

    func start(_ name: String, _ attributes: MarkupAttributes) {
        if Self.silent.contains(name) { silence += 1 }
        if silence > 0 { return }
        switch name {
        // The second is that of comments on slides.
        case "t", "text": isText = true
        case "tab": text.space()
        case "br", "cr": text.line()
        case "noBreakHyphen": text.append("-", collapsing: true)
        case "c": isShared = attributes["t"] == "s"
        case "v": isText = !isShared
        case "sheet":
            if let title = attributes["name"] {
                text.append(title, collapsing: true)
                text.line()
            }
        default: break
        }
    }

    func end(_ name: String) {
        if Self.silent.contains(name) { silence -= 1 }
        switch name {
        case "t", "text", "v": isText = false
        case "p", "si", "row", "cm", "comment": if silence == 0 { text.line() }
        case "c", "tc": text.space()
        default: break
        }
    }

    func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        if isText { text.append(bytes, collapsing: true) }
    }
}
