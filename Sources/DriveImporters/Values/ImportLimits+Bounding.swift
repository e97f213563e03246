import DriveImporting

extension ImportLimits {
    /// Without surrounding space and without control characters, cut at a character; nil if nothing is left.
    func bounded(_ text: String) -> String? {
        var gatherer = TextGatherer(limit: attributeBytes)
        gatherer.append(text, collapsing: true)
        let result = gatherer.finished().text
        return result.isEmpty ? nil : result
    }
}
