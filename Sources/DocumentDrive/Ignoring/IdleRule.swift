public import DriveCore
import FileCoordination

/// A line of a `.driveignore` that no name can match: what it was to keep back is sent.
public struct IdleRule: Hashable, Sendable {
    public var file: DrivePath
    /// Counted from 1.
    public var line: Int
    /// Empty where it stands for all that follows in a file that is too long.
    public var text: [UInt8]
    /// Why it matches nothing, for people.
    public var reason: String

    init(_ problem: IgnoreRules.Problem, in file: DrivePath) {
        self.file = file
        (line, text, reason) = (problem.line, problem.text, problem.reason)
    }

    /// For people, without the place.
    public var sentence: String {
        let subject = text.isEmpty ? "" : "`\(String(decoding: text, as: UTF8.self))` matches nothing: "
        return "\(subject)\(reason)"
    }
}

extension DriveReader {
    /// Those of the ignore files that are known, by file and line. What cannot be read is left out; a pass names it.
    public func idleRules() throws -> [IdleRule] {
        // Where the folder is not as a drive has it, something else is said.
        guard let files = try? lookingFiles() else { return [] }
        return try idleRules(in: IgnoreKeeper.files(of: index), files)
    }

    func idleRules(in paths: some Sequence<DrivePath>, _ files: any FileStore) throws -> [IdleRule] {
        try paths.sorted().flatMap { path -> [IdleRule] in
            do throws(DriveError) {
                guard let rules = try IgnoreFile.rules(at: path, in: files) else { return [] }
                return rules.problems.map { IdleRule($0, in: path) }
            } catch {
                if error.remedy == .skip { return [] }
                throw error
            }
        }
    }
}
