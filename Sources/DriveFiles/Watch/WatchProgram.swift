import DriveCore
public import DrivePrograms

/// Where `docdrive-watch` is.
public enum WatchProgram {
    private static let program = SiblingProgram(
        name: "docdrive-watch", title: "watcher", variable: "DOCDRIVE_WATCH")
    public static var name: String { program.name }
    public static var variable: String { program.variable }

    /// Looks beside the running executable, in `../libexec` of it, and in `$DOCDRIVE_WATCH`.
    public static func find(
        executable: String? = SiblingProgram.runningExecutable,
        environment: [String: String] = SiblingProgram.ownEnvironment
    ) throws(DriveError) -> String {
        do throws(SiblingProgram.Missing) {
            return try program.find(executable: executable, environment: environment)
        } catch {
            throw DriveError(.notFound, error.message + "; without it, use sync instead of watch")
        }
    }
}
