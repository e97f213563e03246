import ArgumentParser
import DocumentDrive
import DriveCore

/// A path argument, as bytes.
struct PathArgument: ExpressibleByArgument, Sendable {
    let bytes: [UInt8]

    /// An empty path, which a shell makes of a variable that is not set, is none, and never the current folder.
    init?(argument: String) {
        if argument.isEmpty { return nil }
        bytes = RawArguments.bytes(argument)
    }

    /// A part of an argument.
    init?(bytes: [UInt8]) {
        if bytes.isEmpty { return nil }
        self.bytes = bytes
    }

    var folder: FolderPath { FolderPath(bytes) }

    func path(beneath drive: FolderPath) throws(DriveError) -> DrivePath {
        guard let path = folder.path(beneath: drive) else {
            throw DriveError(.usage, "the path is not in the drive; name one in it", path: folder.description)
        }
        return path
    }
}

/// A span of time as people write it: 30s, 10m, 2h, 7d.
struct Span: ExpressibleByArgument, Sendable {
    let seconds: Double

    init?(argument: String) {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let last = argument.last else { return nil }
        let unit = units[last]
        let digits = unit == nil ? argument[...] : argument.dropLast()
        guard let number = Double(digits), number >= 0, number.isFinite else { return nil }
        seconds = number * (unit ?? 1)
    }
}

struct StoreOptions: ParsableArguments, Sendable {
    @Option(name: .customLong("to"), help: ArgumentHelp("The store: a folder's path, or file:///...", valueName: "url"))
    var store: PathArgument?

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "Only tell what would happen.")
    var dryRun = false

    func address() throws(DriveError) -> StoreAddress? {
        try store.map { argument throws(DriveError) in try StoreAddress(argument.bytes) }
    }
}

struct TimeoutOption: ParsableArguments, Sendable {
    @Option(help: ArgumentHelp("Give up after this time: 30s, 10m, 2h.", valueName: "time"))
    var timeout: Span?

    func start() { if let timeout { Interruption.timeout(after: timeout.seconds) } }
}
