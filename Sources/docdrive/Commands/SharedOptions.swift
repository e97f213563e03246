import ArgumentParser
import DocumentDrive
import DriveCore
import DriveTransport

/// A path argument, as bytes.
struct PathArgument: ExpressibleByArgument, Sendable {
    let bytes: [UInt8]

    /// Else a shell with our completions would complete no name where it does without them.
    static let defaultCompletionKind = CompletionKind.file()

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

struct StoreOptions: ParsableArguments, Sendable {
    @Option(
        name: .customLong("to"),
        help: ArgumentHelp(
            "The store: a folder's path, file:///..., s3://BUCKET/..., webdavs://HOST/... or sftp://HOST/...",
            valueName: "url"))
    var store: PathArgument?

    @Option(
        name: .customLong("store-id"),
        help: ArgumentHelp(
            "Which store, where several lie in one place: as `store-id` in .docdrive/config.toml of a device that has it.",
            valueName: "id"))
    var storeID: String?

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "Only tell what would happen.")
    var dryRun = false

    @Option(
        help: ArgumentHelp(
            "How much goes to and from the store in a second, in this run: 512K, 2M, UP:DOWN, off. A number alone is KiB.",
            valueName: "rate"))
    var bwlimit: String?

    func bandwidth() throws(DriveError) -> BandwidthRates? {
        guard let bwlimit else { return nil }
        guard let rates = BandwidthRates(bwlimit) else { throw BandwidthRates.unreadable(bwlimit) }
        return rates
    }

    func validate() throws {
        if storeID != nil, store == nil {
            throw ValidationError("--store-id chooses among stores; say where with --to")
        }
    }

    func chosenStore() throws(DriveError) -> StoreID? {
        guard let storeID else { return nil }
        guard let id = StoreID(storeID) else {
            throw DriveError(.usage, "this is no store's id; it has 26 letters and digits", path: storeID)
        }
        return id
    }

    func address() throws(DriveError) -> StoreAddress? {
        try store.map { argument throws(DriveError) in try StoreAddress(argument.bytes) }
    }
}

extension BandwidthRates {
    static func unreadable(_ text: String) -> DriveError {
        DriveError(
            .usage,
            "a rate is a number of KiB per second, or with a unit: 512K, 2M, off, or UP:DOWN; at least 1K, at most \(most / 1_073_741_824)G",
            path: text)
    }
}

struct TimeoutOption: ParsableArguments, Sendable {
    @Option(help: ArgumentHelp("Give up after this time: 30s, 10m, 2h.", valueName: "time"), transform: Span.argument)
    var timeout: Span?

    func start() { if let timeout { Interruption.timeout(after: timeout.seconds) } }
}
