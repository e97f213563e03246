import Foundation

/// The commands that a page of `docs` shows, and beneath each what it prints.
struct PageExamples {
    struct Example {
        var command: String
        var output: String
    }

    private(set) var all: [Example] = []

    private static let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("docs")

    /// Of the blocks that are marked as `console`; a command stands behind `$ `.
    init(_ page: String) throws {
        let text = try String(contentsOf: Self.docs.appendingPathComponent(page), encoding: .utf8)
        var isInBlock = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isInBlock = line == "```console"
            } else if isInBlock, line.hasPrefix("$ ") {
                all.append(Example(command: String(line.dropFirst(2)), output: ""))
            } else if isInBlock {
                all[all.count - 1].output += line + "\n"
            }
        }
    }

    /// The command, with the program that is tested first in PATH.
    static func script(_ command: String) -> String {
        let programs = URL(fileURLWithPath: Machine.program).deletingLastPathComponent().path
        return "PATH=\(programs):$PATH; export PATH; \(command)"
    }
}
