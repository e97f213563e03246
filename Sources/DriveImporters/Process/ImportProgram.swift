import Foundation

/// Where `docdrive-import` is.
public enum ImportProgram {
    public static let name = "docdrive-import"
    public static let variable = "DOCDRIVE_IMPORT"

    /// Looks beside the running executable, in `../libexec` of it, and in `$DOCDRIVE_IMPORT`.
    public static func find(
        executable: String? = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ImportFailure) -> String {
        var candidates: [String] = []
        if let executable {
            let folder = URL(fileURLWithPath: executable).deletingLastPathComponent()
            candidates.append(folder.appendingPathComponent(name).path)
            let prefix = folder.deletingLastPathComponent()
            candidates.append(prefix.appendingPathComponent("libexec").appendingPathComponent(name).path)
        }
        if let path = environment[variable], !path.isEmpty { candidates.append(path) }
        if let found = candidates.first(where: isProgram) { return found }
        throw ImportFailure(
            .unavailable,
            "the importer program \(name) is missing (looked for \(candidates.joined(separator: ", "))): "
                + "install it beside docdrive or set \(variable) to its path")
    }

    private static func isProgram(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
            && FileManager.default.isExecutableFile(atPath: path)
    }
}
