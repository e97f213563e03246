import DriveImporting
import DriveTypes

extension ContentType {
    /// What the index keeps of it.
    public var attributes: [AttributeName: ImportedValue] {
        [
            .contentType: .string(identifier), .contentTypeTree: .strings(tree), .kind: .string(kind),
            .mimeType: .string(mime),
        ]
    }
}
