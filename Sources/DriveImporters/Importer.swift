import DriveImporting
import DriveTypes

/// Reads text and attributes out of files of some types.
public protocol Importer: Sendable {
    /// The uniform type identifiers it reads. The importer whose type stands nearest in a file's type tree is taken.
    var types: [String] { get }

    /// Memory and time are bounded by the limits, whatever the bytes are.
    func `import`(from file: ImportFile, as type: ContentType, limits: ImportLimits) throws(ImportFailure)
        -> ImportedMetadata
}

/// All importers, and which one reads what.
public struct Importers: Sendable {
    private let byType: [String: any Importer]
    public let contentTypes: ContentTypes

    /// Types that are text to Apple but whose bytes are not worth a search.
    private static let unread: Set<String> = ["public.rtf", "com.adobe.postscript"]

    public init(tools: ImportTools = .installed(), contentTypes: ContentTypes = .shared) {
        self.init(
            [
                TextImporter(), MarkdownImporter(), HTMLImporter(), XMLImporter(), OfficeImporter(),
                OpenDocumentImporter(), FlatOpenDocumentImporter(), PDFImporter(tools: tools), ImageImporter(),
                AudioImporter(), MovieImporter(), MailImporter(),
            ], contentTypes: contentTypes)
    }

    public init(_ importers: [any Importer], contentTypes: ContentTypes = .shared) {
        var byType: [String: any Importer] = [:]
        for importer in importers {
            for type in importer.types { byType[type] = importer }
        }
        self.byType = byType
        self.contentTypes = contentTypes
    }

    public func importer(for type: ContentType) -> (any Importer)? {
        for identifier in type.tree {
            if Self.unread.contains(identifier) { return nil }
            if let importer = byType[identifier] { return importer }
        }
        return nil
    }

    /// Reads a file. Without a type, its name and first bytes tell it, and the result says it; a type that nobody reads
    /// gives nothing else.
    public func `import`(
        from file: ImportFile, name: [UInt8], type: ContentType?, limits: ImportLimits
    ) throws(ImportFailure) -> ImportedMetadata {
        let firstBytes = try file.read(at: 0, count: Signatures.count)
        let actual = type ?? contentTypes.type(name: name, firstBytes: firstBytes)
        do throws(ImportFailure) {
            return try read(file, as: actual, limits: limits)
        } catch {
            // Seldom names, as "tutorial.it", promise nothing: then the bytes count.
            guard actual.isUnknown, error.kind == .malformed else { throw error }
            let mime = Signatures.mime(of: firstBytes) ?? "application/octet-stream"
            return try read(file, as: contentTypes.type(mime: mime), limits: limits)
        }
    }

    private func read(
        _ file: ImportFile, as type: ContentType, limits: ImportLimits
    ) throws(ImportFailure) -> ImportedMetadata {
        var metadata = ImportedMetadata()
        if let importer = importer(for: type), file.size > 0 {
            metadata = try importer.import(from: file, as: type, limits: limits).bounded(by: limits)
        }
        for (name, value) in type.attributes { metadata[name] = value }
        return metadata
    }
}
