import DriveImporting
import DriveTypes

/// OpenDocument: odt, ods, odp, odg and their templates.
struct OpenDocumentImporter: Importer {
    let types = ["org.oasis-open.opendocument"]

    func `import`(from file: ImportFile, as type: ContentType, limits: ImportLimits) throws(ImportFailure)
        -> ImportedMetadata
    {
        let reader = OpenDocumentReader(limits: limits)
        var isDocument = false, isEncrypted = false
        var failure: ImportFailure?
        try ZipParts.read(file, limits: limits) { (archive) throws(ImportFailure) in
            while let part = try archive.next() {
                do throws(ImportFailure) {
                    switch part.name {
                    case "meta.xml": try archive.parse(part, reader, limits: limits)
                    case "content.xml":
                        isDocument = true
                        try archive.parse(part, reader, limits: limits)
                    case "META-INF/manifest.xml":
                        let manifest = PropertyReader([], limits: limits)
                        manifest.onStart = { name, _ in if name == "encryption-data" { isEncrypted = true } }
                        try archive.parse(part, manifest, limits: limits)
                    default: continue
                    }
                } catch {
                    // Parts of an encrypted document look damaged; the manifest, which says so, comes last.
                    guard error.kind == .malformed else { throw error }
                    failure = failure ?? error
                }
            }
        }
        if isEncrypted { throw ImportFailure(.encrypted, "it is encrypted") }
        if let failure { throw failure }
        guard isDocument else { throw ImportFailure(.malformed, "it is an archive, but no OpenDocument file") }
        return reader.metadata()
    }
}

/// OpenDocument in one XML file: fodt, fods, fodp.
struct FlatOpenDocumentImporter: Importer {
    let types = ["org.oasis-open.opendocument.flat"]

    func `import`(from file: ImportFile, as type: ContentType, limits: ImportLimits) throws(ImportFailure)
        -> ImportedMetadata
    {
        let reader = OpenDocumentReader(limits: limits)
        try XMLImporter.parse(file, reader, limits: limits)
        if file.size > limits.inputBytes { reader.text.endsEarly() }
        return reader.metadata()
    }
}
