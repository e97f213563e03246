import DrivePrograms

/// Where `docdrive-import` is.
public enum ImportProgram {
    private static let program = SiblingProgram(name: "docdrive-import", title: "importer", variable: "DOCDRIVE_IMPORT")
    public static var name: String { program.name }

    /// Looks beside the running executable, in `../libexec` of it, and in `$DOCDRIVE_IMPORT`.
    public static func find() throws(ImportFailure) -> String {
        do throws(SiblingProgram.Missing) { return try program.find() } catch {
            throw ImportFailure(.unavailable, error.message)
        }
    }
}
