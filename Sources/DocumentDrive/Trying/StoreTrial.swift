public import DriveCore
import DriveFiles
import DriveTransport
import FileCoordination

/// Tries whether a place can hold a store: everything that a drive asks of one, in a folder of its own that is removed
/// afterwards. Whatever else is there is neither read nor touched.
public struct StoreTrial: Sendable {
    private let address: StoreAddress
    private let means: StoreAccess.Means
    /// The way to a place.
    var opening: @Sendable (StoreAddress, StoreAccess.Means) throws -> StoreAccess = { try StoreAccess($0, $1) }
    /// Of the largest object that is put.
    public var largest = 64 << 20
    /// Devices that publish at once, and how often each does.
    public var writers = 4
    public var commits = 25

    public init(_ address: StoreAddress, credentials: StoreCredentials? = nil) {
        self.address = address
        means = StoreAccess.Means(credentials: credentials)
    }

    public struct Finding: Hashable, Sendable, Codable {
        /// What a drive relies on, as a sentence.
        public var promise: String
        public var isKept: Bool
        /// Whether data or syncing is at risk where it is broken.
        public var isNeeded = true
        /// What was seen: figures, or what was wrong.
        public var detail: String?
    }

    /// Reports each promise as it is tried. Throws where the place cannot be worked in at all, or is full; what is left there
    /// then is named. A last folder that is missing is made, as the first sync makes it, and removed afterwards.
    public func run(report: (Finding) -> Void) async throws {
        let outer = try opening(address, means).location
        switch try await outer.look() {
        case .notFolder: throw DriveError(.usage, "this is a file; give a folder", path: address.text)
        case .empty, .store, .occupied: return try await runInside(report)
        case .absent: try await outer.create()
        }
        do { try await runInside(report) } catch {
            // It stays where something of the trial is left in it, which the error names.
            try? await outer.remove()
            throw error
        }
        try? await outer.remove()
    }

    private func runInside(_ report: (Finding) -> Void) async throws {
        let place = self.place()
        let access = try opening(place, means)
        try await access.location.create()
        do {
            try await tryAll(at: place, access, report)
        } catch let error as DriveError {
            guard try await remains(of: access) != nil else { throw error }
            throw DriveError(
                error.kind, "\(error.message); \(Self.left(at: place))", path: error.path, retryAfter: error.retryAfter)
        }
        let remains = try await remains(of: access)
        report(
            Finding(
                promise: Self.tidiness, isKept: remains == nil, isNeeded: false,
                detail: remains.map { "\($0.message); \(Self.left(at: place))" }))
    }

    static let tidiness = "what is removed leaves nothing"

    /// Why the trial's folder could not be removed; nil where it was.
    private func remains(of access: StoreAccess) async throws -> DriveError? {
        // What ended the trial may be over, and nobody comes by later.
        access.tryAgain()
        do { try await tidy(access) } catch let error as DriveError { return error }
        return nil
    }

    private static func left(at place: StoreAddress) -> String { "\(place.text) is left there; remove it" }

    /// A folder of our own in the place.
    private func place() -> StoreAddress {
        let name = "docdrive-trial-" + String(SystemEntropy().next(), radix: 36)
        switch address {
        case .folder(let folder): return .folder(folder.appending(FileName(name)))
        case .remote(var url):
            url.path = url.path.isEmpty ? name : "\(url.path)/\(name)"
            return .remote(url)
        }
    }

    private func tryAll(at place: StoreAddress, _ access: StoreAccess, _ report: (Finding) -> Void) async throws {
        for (number, promise) in ObjectStoreContract.promises.enumerated() {
            try await finding(promise.description, isNeeded: promise.isNeeded, report) {
                try await promise.check { FolderOfStore(access.objects, "p\(number)/") }
                return nil
            }
        }
        try await finding("what was put is listed and read at once, also by others", report) {
            try await Freshness(own: access.objects, other: opening(place, means).objects).check()
        }
        try await finding("an object of \(largest >> 20) MiB arrives whole", report) {
            do { return try await LargeObject(size: largest).check(access.objects) } catch let error as DriveError
                where error.kind == .noSpace
            {
                // Small ones had room: what there is may not do, or none of this size is taken.
                throw ContractViolation(error.description)
            }
        }
        try await finding("of what \(writers) devices publish at once, nothing that was answered is lost", report) {
            let stores = try (0..<writers).map { _ in try opening(place, means).objects }
            return try await PublishingRace(commits: commits).check(stores)
        }
    }

    /// A promise that is broken is a finding; a store that is gone, or full, ends the trial.
    private func finding(
        _ promise: String, isNeeded: Bool = true, _ report: (Finding) -> Void, _ check: () async throws -> String?
    ) async throws {
        do {
            report(Finding(promise: promise, isKept: true, isNeeded: isNeeded, detail: try await check()))
        } catch let violation as ContractViolation {
            // The promise itself is said already.
            let said = "\(promise): "
            let detail = violation.description
            report(
                Finding(
                    promise: promise, isKept: false, isNeeded: isNeeded,
                    detail: detail.hasPrefix(said) ? String(detail.dropFirst(said.count)) : detail))
        } catch let error as DriveError where !error.kind.isBesidePromises {
            report(Finding(promise: promise, isKept: false, isNeeded: isNeeded, detail: error.description))
        }
    }

    private func tidy(_ access: StoreAccess) async throws {
        try await access.objects.delete(access.objects.listAll(prefix: "").map(\.key))
        try await access.location.remove()
    }
}

/// The objects of a store whose keys begin with a prefix, as a store of its own.
struct FolderOfStore: ObjectStore {
    private let base: any ObjectStore
    private let prefix: String
    var capabilities: StoreCapabilities { base.capabilities }

    init(_ base: any ObjectStore, _ prefix: String) {
        self.base = base
        self.prefix = prefix
    }

    func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        try await base.get(prefix + key, range: range)
    }

    func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) { try await base.put(prefix + key, bytes) }

    func list(prefix start: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        try await base.list(prefix: prefix + start, after: after.map { prefix + $0 }, limit: limit).map {
            StoredObject(key: String($0.key.dropFirst(prefix.count)), size: $0.size)
        }
    }

    func delete(_ key: ObjectKey) async throws(DriveError) { try await base.delete(prefix + key) }
}
