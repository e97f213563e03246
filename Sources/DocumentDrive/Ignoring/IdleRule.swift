public import DriveCore
import FileCoordination

/// A line of a `.driveignore` that no name can match: what it was to keep back is sent. Or a file whose rules do not count, or not as
/// somebody may think.
public struct IdleRule: Hashable, Sendable {
    public var file: DrivePath
    /// Counted from 1; 0 for the whole file.
    public var line: Int
    /// Empty for the whole file, and where it stands for all that follows in one that is too long.
    public var text: [UInt8]
    /// Why it matches nothing, for people.
    public var reason: String

    init(_ problem: IgnoreRules.Problem, in file: DrivePath) {
        self.file = file
        (line, text, reason) = (problem.line, problem.text, problem.reason)
    }

    /// The file, and the line where it is about one.
    public var place: String { isWholeFile ? "\(file)" : "\(file):\(line)" }

    /// What to do about it, for people.
    public var remedy: String { isWholeFile ? "put a file there that you may read" : "correct the line" }

    public var isWholeFile: Bool { line == 0 }

    /// For people, without the place.
    public var sentence: String {
        let subject = text.isEmpty ? "" : "`\(String(decoding: text, as: UTF8.self))` matches nothing: "
        return "\(subject)\(reason)"
    }
}

extension DriveReader {
    /// Those of the ignore files that are known, by file and line. Where a folder cannot be entered they are left out; a pass names it.
    public func idleRules() throws -> [IdleRule] {
        // Where the folder is not as a drive has it, something else is said.
        guard let files = try? lookingFiles() else { return [] }
        return try idleRules(in: IgnoreKeeper.files(of: index), files)
    }

    func idleRules(in paths: some Sequence<DrivePath>, _ files: any FileStore) throws -> [IdleRule] {
        try paths.sorted().flatMap { path -> [IdleRule] in
            do {
                guard let rules = try IgnoreFile.rules(at: path, in: files, index) else { return [] }
                return rules.problems.map { IdleRule($0, in: path) }
            } catch let error as DriveError where error.remedy == .skip {
                return []
            }
        }
    }
}
