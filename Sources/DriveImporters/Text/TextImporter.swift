import DriveImporting
import DriveTypes

/// Plain text and source code: the text as it is.
struct TextImporter: Importer {
    let types = ["public.text"]

    func `import`(from file: ImportFile, as type: ContentType, limits: ImportLimits) throws(ImportFailure)
        -> ImportedMetadata
    {
        var metadata = ImportedMetadata()
        metadata.set(try Self.text(of: file, limits: limits))
        return metadata
    }

    /// Only as much is read as text is kept.
    static func text(of file: ImportFile, limits: ImportLimits) throws(ImportFailure) -> TextGatherer {
        let isCut = file.size > limits.textBytes
        let bytes = try file.read(at: 0, count: limits.textBytes)
        guard let text = TextDecoder.decode(bytes, isCut: isCut) else {
            throw ImportFailure(.malformed, "its bytes are no text, whatever its name says")
        }
        var gatherer = TextGatherer(limit: limits.textBytes)
        gatherer.append(text, collapsing: false)
        if isCut { gatherer.wasCut() }
        return gatherer
    }
}
