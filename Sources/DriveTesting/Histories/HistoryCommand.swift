public import DriveCore

/// One command of a history: what a person does, or looks at, on one device, or what its passes do.
public struct HistoryCommand: Hashable, Sendable, CustomStringConvertible {
    /// Its place in the whole history, which it keeps when others are left out. What it writes says this number.
    public var number: Int
    public var device: Int
    public var action: Action
    /// How far passes in the background go on before it.
    public var pace: UInt64

    public enum Action: Hashable, Sendable {
        /// Into the file that is there, or a new file that appears whole.
        case write(Target)
        /// As most editors save: a new file, renamed over the old one.
        case save(Target)
        case append(Target)
        /// Only where the name is free.
        case rename(Target, to: DrivePath)
        /// `mv`: over another file too.
        case moveOver(Target, to: DrivePath)
        /// `rm -r`.
        case delete(Target)
        case makeFolder(DrivePath)
        case setExecutable(Target, Bool)
        case read(Target)
        /// A pass, to its end.
        case sync
        /// A pass in the background.
        case syncConcurrently
        /// The pass in the background stands still until `resume`.
        case pause
        case resume
        /// All devices until nothing changes any more.
        case stabilize
    }

    /// A path, or one of the conflict copies of it that are there.
    public struct Target: Hashable, Sendable, CustomStringConvertible {
        public var path: DrivePath
        /// Which copy, in the order of their contents; nil for the file itself.
        public var copy: Int?

        public init(_ path: DrivePath, copy: Int? = nil) {
            self.path = path
            self.copy = copy
        }

        public var description: String { copy.map { "copy \($0) of \(path)" } ?? "\(path)" }
    }

    public var description: String {
        let who = String(UnicodeScalar(UInt8(0x41 + device % 26)))
        return "\(number) \(who) \(action)"
    }

    /// The bytes that a write stores.
    public var token: [UInt8] { Array("w\(number)".utf8) }
}

extension HistoryCommand.Action: CustomStringConvertible {
    public var description: String {
        switch self {
        case .write(let target): "WRITE \(target)"
        case .save(let target): "SAVE \(target)"
        case .append(let target): "APPEND \(target)"
        case .rename(let target, let path): "RENAME \(target) to \(path)"
        case .moveOver(let target, let path): "MOVE \(target) over \(path)"
        case .delete(let target): "DELETE \(target)"
        case .makeFolder(let path): "MKDIR \(path)"
        case .setExecutable(let target, let flag): "CHMOD \(flag ? "+x" : "-x") \(target)"
        case .read(let target): "READ \(target)"
        case .sync: "SYNC"
        case .syncConcurrently: "SYNC in the background"
        case .pause: "PAUSE"
        case .resume: "RESUME"
        case .stabilize: "STABILIZE"
        }
    }
}
