import DriveCore

/// How files stand, at one moment.
///
/// For one search, or one item: what it knows is not brought up to date.
final class SyncStates: ItemStates {
    let isConnected: Bool
    private let index: DriveIndex
    private let dirty: Set<ItemID>
    private let published: UInt64
    private let isAllPublished: Bool
    private lazy var labels: DeviceLabels = noting(DeviceLabels()) { try index.labels() }
    private lazy var problems: [DrivePath: ItemProblems] = noting([:]) { try index.itemProblems() }
    private lazy var trouble: Trouble? = noting(nil) { try index.trouble() }
    private lazy var heldDeletes: Set<RowID> = noting([]) { try HeldDeletes(index).incoming() }
    private lazy var parked: Set<RowID> = noting([]) { Set(try index.parkedRows().map(\.id)) }
    private lazy var kept: Set<RowID> = noting([]) { try KeptFolders(index).rows() }
    private lazy var conflicts: [RowID: ConflictStanding] = noting([:]) { try index.conflictStandings() }
    /// Whoever asks an attribute cannot be told that the disk fails, and looks here afterwards.
    private var failure: (any Error)?

    init(_ index: DriveIndex) throws {
        self.index = index
        dirty = try index.dirtyItems()
        published = try index.journal().published
        let last = try index.numbers().last
        isAllPublished = last <= published
        isConnected = try index.isConnected
    }

    func throwFailure() throws { if let failure { throw failure } }

    func state(of row: Row) -> Standing {
        if row.isHeld || heldDeletes.contains(row.id) { return .held }
        if row.isParked || isInParked(row) { return .waiting }
        if row.isDerived { return .conflict }
        let isDirty = row.members.contains { dirty.contains($0.item) }
        if isDirty, row.kind == .folder, kept.contains(row.id) { return .synced }
        // What was changed here is looked at by the next apply too, which may have to wait for the store.
        if !isAllPublished, row.members.contains(where: isUnpublished) { return .uploading }
        return isDirty ? .downloading : .synced
    }

    func origin(of row: Row) -> ItemOrigin? {
        guard isConnected, let member = row.members.first else { return nil }
        let item = noting(nil) { try index.item(member.item)?.state }
        return item.map { ItemOrigin(row, $0, labels) }
    }

    func conflict(of row: Row) -> ConflictStanding { conflicts[row.id] ?? ConflictStanding() }

    /// What ended the last pass at the store is why each item waits that has no reason of its own.
    func problems(of row: Row, at path: DrivePath) -> ItemProblems {
        var result = problems[path] ?? ItemProblems()
        guard let trouble, !trouble.isHere else { return result }
        switch state(of: row) {
        case .uploading: result.uploading = result.uploading ?? trouble.error.description
        case .downloading where !trouble.isOfSending:
            result.downloading = result.downloading ?? trouble.error.description
        default: break
        }
        return result
    }

    /// Nearly always nothing waits aside.
    private func isInParked(_ row: Row) -> Bool {
        guard !parked.isEmpty else { return false }
        var folder = row.parent
        while folder != .root, !parked.contains(folder) {
            guard let next = noting(nil, { try index.row(folder) }) else { return false }
            folder = next.parent
        }
        return folder != .root
    }

    private func isUnpublished(_ member: Member) -> Bool {
        noting(false) { try index.ownRecord(of: member.item).map { $0.n > published } ?? false }
    }

    private func noting<Result>(_ other: Result, _ body: () throws -> Result) -> Result {
        do { return try body() } catch {
            failure = failure ?? error
            return other
        }
    }
}

extension DriveIndex {
    /// Something was recorded for a store, or came from one.
    package var isConnected: Bool { get throws { try numbers().last > 0 || !token().entries.isEmpty } }

    /// Of both sides; a file with several copies has the class of the first that has one.
    fileprivate func conflictStandings() throws -> [RowID: ConflictStanding] {
        var result: [RowID: ConflictStanding] = [:]
        let records = try conflictRecords()
        let kinds = Dictionary(records.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        let reader = ViewReader(self)
        for node in try nodesWithDerivedNames() {
            guard let folder = try reader.path(ofNode: node) else { continue }
            for derived in try derivedNames(in: node) {
                let copy = try row(at: folder.appending(derived.name))
                let current = try row(at: folder.appending(derived.ownName))
                let known = kinds[derived.key]
                let isOfThese = known?.current == current?.hash && known?.copy == copy?.hash
                for row in [copy, current].compactMap(\.self) {
                    result[row.id, default: ConflictStanding()].isUnresolved = true
                    if isOfThese, result[row.id]?.kind == nil { result[row.id]?.kind = known?.kind }
                }
            }
        }
        for record in records where record.kind == .deleteVersusEdit {
            guard let state = try item(record.item)?.state, state.context == record.context, state.heads.count == 1
            else { continue }
            for row in try rows(holding: record.item) {
                result[row.id] = ConflictStanding(isUnresolved: true, kind: .deleteVersusEdit)
            }
        }
        return result
    }

    fileprivate func itemProblems() throws -> [DrivePath: ItemProblems] {
        var result: [DrivePath: ItemProblems] = [:]
        for problem in try problems() {
            switch problem.source {
            case .apply, .fetch: result[problem.path, default: ItemProblems()].downloading = problem.reason
            case .scan: result[problem.path, default: ItemProblems()].uploading = problem.reason
            case .scrub: break
            }
        }
        return result
    }
}
