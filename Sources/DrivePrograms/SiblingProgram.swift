import Foundation

/// A program that is installed together with the running one.
public struct SiblingProgram: Sendable {
    public let name: String
    /// What it is to people, such as `watcher`.
    public let title: String
    /// The environment variable that names it where it is elsewhere.
    public let variable: String

    public init(name: String, title: String, variable: String) {
        self.name = name
        self.title = title
        self.variable = variable
    }

    /// None of the places has it.
    public struct Missing: Error {
        /// What happened and what to do.
        public let message: String
    }

    /// Looks beside the running executable, in `../libexec` of it, and where the variable says.
    public func find(
        executable: String? = runningExecutable, environment: [String: String] = ownEnvironment
    ) throws(Missing) -> String {
        let candidates = candidates(executable, environment)
        if let found = candidates.first(where: Self.isProgram) { return found }
        throw Missing(
            message:
                "the \(title) program \(name) is missing (looked for \(candidates.joined(separator: ", "))): install "
                + "it beside docdrive or set \(variable) to its path")
    }

    public static var runningExecutable: String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }

    public static var ownEnvironment: [String: String] { ProcessInfo.processInfo.environment }

    private func candidates(_ executable: String?, _ environment: [String: String]) -> [String] {
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
