import ArgumentParser
import DocumentDrive
import DriveCore

/// Shows two files side by side: by diff(1), or by a program of the person's own.
struct Differ {
    var tool: String?
    var color: ColorChoice

    /// False where the program failed.
    func show(_ files: [FolderPath], labels: [String]) throws -> Bool {
        if let tool {
            let script = Array("\(tool) \"$@\"".utf8)
            let words = [Array("-c".utf8), script, Array("--tool".utf8)] + files.map(\.bytes)
            let code = try ForegroundProgram.run("sh", words)
            if code > Self.differ { Output.error("docdrive: the command of --tool ended with status \(code)") }
            return code <= Self.differ
        }
        let options =
            ["-u", "--color=\(color.isOn ? "always" : "never")"] + labels.flatMap { ["--label", $0] } + ["--"]
        return try ForegroundProgram.run("diff", options.map { Array($0.utf8) } + files.map(\.bytes)) <= Self.differ
    }

    /// An empty command would run the first file.
    static func check(tool: String?) throws {
        guard let tool, tool.allSatisfy(\.isWhitespace) else { return }
        throw ValidationError("--tool is empty; name a program, such as --tool meld.")
    }

    /// What diff, cmp and those that are like them end with where files differ.
    private static let differ: Int32 = 1
}
