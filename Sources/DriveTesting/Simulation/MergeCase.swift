import DriveCore
import Foundation
import DriveTransport

/// One conformance case: what two or three devices do apart, and the tree that all of them must have in the end.
public struct MergeCase: Sendable, CustomStringConvertible {
    public var name: String
    /// Made on the first device and synced before anything else; in order of path.
    public var start: [Operation]
    public var rounds: [Round]
    /// Labels of the devices that take part, in order.
    public var devices: [String]
    /// The tree, with the times of conflict copies as `*`.
    public var expected: [DrivePath: TreeEntry]
    /// Contents that are in some trash and not in the tree.
    public var kept: [[UInt8]]
    /// Derived entries.
    public var conflictCopies: Int

    public var description: String { name }

    /// What each device does offline, in order; then all sync to rest.
    public struct Round: Sendable {
        public var turns: [(device: String, operations: [Operation])]
    }

    public enum Operation: Sendable {
        case create(DrivePath, [UInt8])
        case write(DrivePath, [UInt8])
        case save(DrivePath, [UInt8])
        case saveWithBackup(DrivePath, [UInt8])
        case makeFolder(DrivePath)
        case remove(DrivePath)
        case toggleExecutable(DrivePath)
        case copy(DrivePath, DrivePath)
        case move(DrivePath, DrivePath)
        case swap(DrivePath, DrivePath)
        /// Scan and commit now.
        case scan
        case fetch(only: Set<String>?)
        case apply
        /// What the path holds now; nil content is a folder.
        case has(DrivePath, TreeEntry, Bool)
        case isTrashed([UInt8], Bool)
    }

    /// Reads the lines of a case file; throws where one is not understood.
    public static func parse(_ data: [UInt8]) throws -> [MergeCase] {
        try data.split(separator: 0x0A).map { try MergeCase(line: Data($0)) }
    }
}

extension MergeCase {
    private struct Raw: Decodable {
        var name: String
        var start: [String: String]
        var a: [[Value]]?
        var b: [[Value]]?
        var c: [[Value]]?
        var order: String?
        var then: [RawRound]?
        var expect: [String: String]
        var kept: [String]
        var conflictCopies: Int
    }

    private struct RawRound: Decodable {
        var a: [[Value]]?
        var b: [[Value]]?
        var c: [[Value]]?
        var order: String?

        func operations(of device: Character) -> [[Value]] {
            switch device {
            case "a": a ?? []
            case "b": b ?? []
            default: c ?? []
            }
        }
    }

    private struct Value: Decodable {
        var text: String
        var flag = false

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                self.flag = flag
                text = ""
            } else {
                text = try container.decode(String.self)
            }
        }
    }

    private init(line: Data) throws {
        let raw = try JSONDecoder().decode(Raw.self, from: line)
        name = raw.name
        // The comparison of the cases' paths is by bytes, as the model's is by code points.
        start = raw.start.map { (DrivePath($0.key), $0.value) }.sorted { $0.0 < $1.0 }.map { path, text in
            text == "d" ? .makeFolder(path) : .create(path, Array(text.utf8))
        }
        devices = [(raw.a, "A"), (raw.b, "B"), (raw.c, "C")].filter { $0.0 != nil }.map(\.1)
        let first = RawRound(a: raw.a, b: raw.b, c: raw.c, order: raw.order)
        rounds = try ([first] + (raw.then ?? [])).map { try Self.round($0, order: $0.order ?? raw.order ?? "") }
        expected = [:]
        for (path, text) in raw.expect { expected[DrivePath(path)] = Self.entry(text) }
        kept = raw.kept.map { Array($0.utf8) }
        conflictCopies = raw.conflictCopies
    }

    private static func round(_ raw: RawRound, order: String) throws -> Round {
        Round(
            turns: try order.map { device in
                (device.uppercased(), try raw.operations(of: device).map { try operation($0) })
            })
    }

    private static func entry(_ text: String) -> TreeEntry { text == "d" ? .folder : .file(Array(text.utf8)) }

    private static func operation(_ values: [Value]) throws -> Operation {
        func path(_ place: Int) throws -> DrivePath { DrivePath(try value(place).text) }
        func bytes(_ place: Int) throws -> [UInt8] { Array(try value(place).text.utf8) }
        func value(_ place: Int) throws -> Value {
            guard place < values.count else { throw ContractViolation("a case's operation is too short") }
            return values[place]
        }
        switch try value(0).text {
        case "create": return .create(try path(1), try bytes(2))
        case "write": return .write(try path(1), try bytes(2))
        case "save": return .save(try path(1), try bytes(2))
        case "backupsave": return .saveWithBackup(try path(1), try bytes(2))
        case "mkdir": return .makeFolder(try path(1))
        case "rm": return .remove(try path(1))
        case "chmod": return .toggleExecutable(try path(1))
        case "cp": return .copy(try path(1), try path(2))
        case "mv": return .move(try path(1), try path(2))
        case "swap": return .swap(try path(1), try path(2))
        case "scan": return .scan
        case "fetch": return .fetch(only: values.count > 2 ? Set(values[2].text.map(String.init)) : nil)
        case "apply": return .apply
        case "has": return .has(try path(1), entry(try value(2).text), true)
        case "hasnot": return .has(try path(1), entry(try value(2).text), false)
        case "trashed": return .isTrashed(try bytes(2), try value(3).flag)
        case let unknown: throw ContractViolation("a case's operation \(unknown) is not known")
        }
    }
}
