public import DriveCore
import Foundation

/// What a drive remembers of what is in its way, so that it can be told with nothing running: obstacles of items, the
/// trouble of the whole, a pause. Settings of the index, as JSON.
public struct StandingMemory {
    private let state: any DriveState

    public init(_ state: any DriveState) { self.state = state }

    /// By whom they were found.
    public enum Finder: String, CaseIterable, Sendable { case scan, apply }

    public func obstacles() throws -> [Obstacle] { try Finder.allCases.flatMap { try obstacles(of: $0) } }

    /// What ended the last pass; nil where it ended well.
    public func trouble() throws -> Trouble? { try state.trouble() }

    /// Nil where nobody paused the drive, or the pause is over.
    public func pause(now: UInt64) throws -> Pause? {
        guard let stored = try state.setting(Self.pauseKey) else { return nil }
        // What somebody forbade stays forbidden where nobody can read until when.
        let pause = (try? JSONDecoder().decode(Pause.self, from: Data(stored))) ?? Pause(since: now)
        return pause.holds(at: now) ? pause : nil
    }

    public func setPause(_ pause: Pause?) throws { try save(pause, Self.pauseKey) }

    private static let pauseKey = "pause"

    func note(_ trouble: Trouble) throws {
        try save(try self.trouble().map { $0.again(trouble) } ?? trouble, Trouble.settingName)
    }

    func forgetTrouble() throws {
        if try state.setting(Trouble.settingName) != nil { try save(Trouble?.none, Trouble.settingName) }
    }

    /// What a pass found now. Of what was found before, `stays` tells what this look says nothing of. What is still in the way
    /// keeps the time at which it was met first.
    @discardableResult
    func keep(
        _ found: [Obstacle], of finder: Finder, stays: (DrivePath) throws -> Bool = { _ in false }, now: UInt64
    ) throws -> [Obstacle] {
        let before = try obstacles(of: finder)
        var first: [DrivePath: Obstacle] = [:]
        for obstacle in before { first[obstacle.path] = obstacle }
        var result: [DrivePath: Obstacle] = [:]
        for obstacle in before where try stays(obstacle.path) { result[obstacle.path] = obstacle }
        for obstacle in found {
            let known = first[obstacle.path].flatMap { $0.cause == obstacle.cause ? $0.since : nil }
            result[obstacle.path] = Obstacle(obstacle.path, obstacle.cause, since: known ?? now)
        }
        let kept = result.values.sorted { $0.path < $1.path }
        if kept != before { try save(kept.isEmpty ? nil : kept.map(Stored.init), Self.key(finder)) }
        return kept
    }

    /// Where a look broke off, nobody knows whether what may pass in a moment is still there.
    func forgetPassing(in touched: TouchedPaths? = nil) throws {
        let before = try obstacles(of: .scan)
        let kept = before.filter { obstacle in
            !obstacle.cause.passesByItself || touched?.covers(obstacle.path) == false
        }
        if kept != before { try save(kept.isEmpty ? nil : kept.map(Stored.init), Self.key(.scan)) }
    }

    private func obstacles(of finder: Finder) throws -> [Obstacle] {
        try load([Stored].self, Self.key(finder))?.map(\.obstacle) ?? []
    }

    private static func key(_ finder: Finder) -> String { "obstacles-\(finder.rawValue)" }

    /// A path is bytes.
    private struct Stored: Codable {
        var path: Data
        var cause: Cause
        var since: UInt64

        init(_ obstacle: Obstacle) {
            (path, cause, since) = (Data(obstacle.path.bytes), obstacle.cause, obstacle.since)
        }

        var obstacle: Obstacle { Obstacle(DrivePath(bytes: path), cause, since: since) }
    }

    private func load<Value: Decodable>(_ type: Value.Type, _ key: String) throws -> Value? {
        try state.storedValue(type, key)
    }

    private func save<Value: Encodable>(_ value: Value?, _ key: String) throws {
        let bytes = try value.map { Array(try JSONEncoder().encode($0)) }
        try state.transaction { try state.setSetting(bytes, key) }
    }
}

extension Cause {
    /// Over once a program lets go of the item.
    var passesByItself: Bool { self == .openForWriting || self == .changing || self == .inUse }
}
