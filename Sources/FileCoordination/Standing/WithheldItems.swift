import DriveCore
import Foundation

/// Items that are recorded and not published, because the store refuses what they hold. A setting of the index, as JSON.
struct WithheldItems {
    private let state: any DriveState
    private static let settingKey = "withheld-items"

    init(_ state: any DriveState) { self.state = state }

    struct Reason: Hashable, Codable {
        var cause: Cause
        var message: String
        /// Others may know of the item by what it was before.
        var isKnown: Bool
        /// Where others have it then.
        var others: OthersPlace?

        init(_ error: DriveError, isKnown: Bool, others: OthersPlace?) {
            (cause, message, self.isKnown, self.others) = (Cause(storing: error), error.message, isKnown, others)
        }

        /// Another device than this one has moved it since, so that what has its place may not have to wait any more.
        func isOutdated(by item: ItemState, _ device: DeviceID) -> Bool {
            guard let others else { return false }
            if item.name.tag.dot.device != device, item.name.value != others.name { return true }
            return item.placement.tag.dot.device != device && item.parent != others.parent
        }
    }

    private struct Stored: Codable {
        var high: UInt64
        var low: UInt64
        var reason: Reason
    }

    func all() throws -> [ItemID: Reason] {
        let stored = try state.storedValue([Stored].self, Self.settingKey) ?? []
        return Dictionary(stored.map { (ItemID(high: $0.high, low: $0.low), $0.reason) }) { first, _ in first }
    }

    /// They are told as what a scan found, until they are sent.
    func set(_ items: [ItemID: Reason], now: UInt64) throws {
        guard try state.setting(Self.settingKey) != nil || !items.isEmpty else { return }
        let stored = items.sorted { $0.key < $1.key }.map {
            Stored(high: $0.key.high, low: $0.key.low, reason: $0.value)
        }
        let bytes = items.isEmpty ? nil : Array(try JSONEncoder().encode(stored))
        try state.transaction {
            let before = Set(try found().map(\.path))
            try state.setSetting(bytes, Self.settingKey)
            let found = try found()
            try StandingMemory(state).keep(
                found.map { Obstacle($0.path, $0.cause) }, of: .scan, stays: { !before.contains($0) }, now: now)
            let told = before.union(found.map(\.path))
            let others = try state.problems().filter { $0.source == .scan && !told.contains($0.path) }
            let problems = found.map { Problem(path: $0.path, reason: $0.reason, source: .scan, since: now) }
            try state.setProblems(others + problems, from: .scan)
        }
    }

    /// Where these are here now, or were.
    func found() throws -> [FoundProblem] {
        try all().flatMap { id, reason in
            let rows = try state.rows(holding: id)
            if rows.isEmpty { return try gone(id).map { [deleted($0, reason)] } ?? [] }
            return try rows.filter { !$0.isParked && $0.kind == .file }.map {
                FoundProblem(try state.path(of: $0), reason.message, reason.cause)
            }
        }
    }

    private func gone(_ id: ItemID) throws -> DrivePath? {
        guard let item = try state.item(id), !item.shape.isAlive else { return nil }
        return try ViewReader(state).path(ofNode: item.state.parent)?.appending(item.state.name.value)
    }

    private func deleted(_ path: DrivePath, _ reason: Reason) -> FoundProblem {
        FoundProblem(
            path, "the other devices are told of its delete once the store takes what it held last: \(reason.message)",
            reason.cause)
    }
}

extension DriveParts {
    /// Whether something waits to be published that the next pass can publish.
    func hasMoreToPublish() throws -> Bool {
        let groups = try state.pendingGroups()
        if groups.isEmpty { return false }
        let withheld = try WithheldItems(state).all()
        let device = try state.numbers().device
        return try groups.flatMap(\.records).contains { record in
            guard let reason = withheld[record.id] else { return true }
            return try state.item(record.id).map { reason.isOutdated(by: $0.state, device) } ?? false
        }
    }
}
