public import DriveCore

/// What became of one thing that an act was about.
public struct ActOutcome: Hashable, Sendable, Codable {
    /// The item: where it is now, or was. Nil for what is said of the act as a whole.
    public var path: DrivePath?
    /// Where it was to be, if its name was taken and it got another one.
    public var askedPath: DrivePath?
    /// False where it was left as it was; the sentence says why.
    public var isDone: Bool
    /// What was done, or why not, for people; without the path.
    public var sentence: String

    public init(_ path: DrivePath?, _ sentence: String, isDone: Bool = true, askedPath: DrivePath? = nil) {
        self.path = path
        self.askedPath = askedPath == path ? nil : askedPath
        self.isDone = isDone
        self.sentence = sentence
    }

    package static func left(_ path: DrivePath, _ reason: String) -> ActOutcome {
        ActOutcome(path, "left as it is: \(reason)", isDone: false)
    }

    /// As `Drive.perform` says it.
    public var line: String { path.map { "\($0): \(sentence)" } ?? sentence }
}
