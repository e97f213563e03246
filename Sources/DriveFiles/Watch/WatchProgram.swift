import DriveCore
import Foundation

/// Where `docdrive-watch` is.
public enum WatchProgram {
    public static let name = "docdrive-watch"
    public static let variable = "DOCDRIVE_WATCH"

    /// Looks beside the running executable, in `../libexec` of it, and in `$DOCDRIVE_WATCH`.
    public static func find(
        executable: String? = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> String {
        let candidates = candidates(executable: executable, environment: environment)
        if let found = candidates.first(where: isProgram) { return found }
        throw DriveError(
            .notFound,
            "the watcher program \(name) is missing (looked for \(candidates.joined(separator: ", "))): "
                + "install it beside docdrive or set \(variable) to its path; without it, use sync instead of watch")
    }

    private static func candidates(executable: String?, environment: [String: String]) -> [String] {
        var candidates: [String] = []
        if let executable {
            let folder = URL(fileURLWithPath: executable).deletingLastPathComponent()
            candidates.append(folder.appendingPathComponent(name).path)
            let prefix = folder.deletingLastPathComponent()
            candidates.append(prefix.appendingPathComponent("libexec").appendingPathComponent(name).path)
        }
        if let path = environment[variable], !path.isEmpty { candidates.append(path) }
        return candidates
    }

    private static func isProgram(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
            && FileManager.default.isExecutableFile(atPath: path)
    }
}
