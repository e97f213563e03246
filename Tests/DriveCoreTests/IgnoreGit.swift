import Foundation
import TestSupport

/// What git itself says about ignore files in a folder of its own: the judge of ours.
struct IgnoreGit {
    static let program: String? = ["/usr/bin/git", "/usr/local/bin/git", "/bin/git"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    struct Answer: Hashable {
        var file: String
        var line: Int
        var pattern: String
    }

    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("ignore-git-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        _ = try run(["init", "--quiet", "--template="], input: Data())
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// A path with a slash at its end is a folder.
    func make(_ paths: [String]) throws {
        for path in paths {
            let place = folder.appendingPathComponent(path)
            let above = path.hasSuffix("/") ? place : place.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: above, withIntermediateDirectories: true)
            if !path.hasSuffix("/") { try Data().write(to: place) }
        }
    }

    func write(_ rules: [UInt8], in path: String) throws {
        let place = path.isEmpty ? folder : folder.appendingPathComponent(path)
        try Data(rules).write(to: place.appendingPathComponent(".gitignore"))
    }

    /// For each path the rule that decided, nil where none matched.
    func check(_ paths: [String]) throws -> [Answer?] {
        let input = Data(paths.flatMap { Array($0.utf8) + [0] })
        let output = try run(["check-ignore", "--no-index", "-v", "-n", "-z", "--stdin"], input: input)
        let fields = output.split(separator: 0, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        return stride(from: 0, to: fields.count - 3, by: 4).map { place in
            guard let line = Int(fields[place + 1]) else { return nil }
            return Answer(file: fields[place], line: line, pattern: fields[place + 2])
        }
    }

    /// Input goes through a file, so that neither side waits for the other.
    private func run(_ arguments: [String], input: Data) throws -> Data {
        let question = folder.appendingPathExtension("in")
        try input.write(to: question)
        defer { try? FileManager.default.removeItem(at: question) }
        let file = try FileHandle(forReadingFrom: question)
        defer { try? file.close() }
        let settings = ["-C", folder.path, "-c", "core.excludesFile=/dev/null", "-c", "core.ignoreCase=false"]
        let answer = try ChildProcess.run(
            Self.program ?? "git", settings + arguments,
            environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path, "GIT_CONFIG_NOSYSTEM": "1"],
            input: file.fileDescriptor)
        return Data(answer.output)
    }
}
