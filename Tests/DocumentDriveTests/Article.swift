import Foundation

/// A DocC article, whose examples stand in the test that runs them.
struct Article {
    private let file: URL
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/DocumentDrive/DocumentDrive.docc")

    init(_ name: String) { file = Self.folder.appendingPathComponent("\(name).md") }

    /// Its blocks of Swift, without regard to how far a line is indented.
    func examples() throws -> [String] {
        var block: [String]?
        var blocks: [String] = []
        for line in try Self.lines(of: file) {
            if line == "```swift" {
                block = []
            } else if line == "```", let example = block {
                blocks.append(example.joined(separator: "\n"))
                block = nil
            } else {
                block?.append(line)
            }
        }
        return blocks
    }

    /// Those that do not stand in this file.
    func missing(in test: String) throws -> [String] {
        let code = try Self.lines(of: URL(fileURLWithPath: test)).joined(separator: "\n")
        return try examples().filter { !code.contains($0) }
    }

    private static func lines(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }
}
