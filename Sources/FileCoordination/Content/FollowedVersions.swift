import DriveCore

/// When contents of refused files came to the paths that the trash has for them, where they followed their files there.
///
/// No log tells of such a move: what it tells of the path before then is of something else.
package struct FollowedVersions {
    private var times: [FileName: UInt64] = [:]

    private static let key = "followed-versions"

    package init(_ state: any DriveState) throws {
        guard let bytes = try state.setting(Self.key) else { return }
        var reader = ByteReader(bytes)
        while !reader.isAtEnd {
            let time = try reader.fixed(UInt64.self)
            let name = FileName(bytes: try reader.blob(limit: bytes.count))
            times[name] = time
        }
    }

    /// From when on the path is that of the file that the entry was a content of.
    package func start(of entry: TrashEntry) -> UInt64 {
        // What was told in the same moment belongs to the move.
        max(entry.time, times[entry.name].map { $0 + 1 } ?? 0)
    }

    /// When something was deleted at each path, the last time.
    package static func ends(in trash: [TrashEntry]) -> [DrivePath: UInt64] {
        var ends: [DrivePath: UInt64] = [:]
        for entry in trash where entry.reason == .deleted {
            ends[entry.path] = max(ends[entry.path] ?? 0, entry.time)
        }
        return ends
    }

    /// Whether the file of a refused content was deleted at the path: what came there since is another one.
    package func isOver(_ entry: TrashEntry, _ ends: [DrivePath: UInt64]) -> Bool {
        ends[entry.path].map { start(of: entry) <= $0 } ?? false
    }

    /// Within the transaction that gives them their paths. Of what has left the trash nothing is kept.
    func note(_ moved: [TrashEntry], now: UInt64, in state: any DriveState) throws {
        let there = Set(try state.trash().map(\.name))
        var times = times.filter { there.contains($0.key) }
        for entry in moved { times[entry.name] = now }
        var writer = ByteWriter()
        for (name, time) in times.sorted(by: { $0.key < $1.key }) {
            writer.fixed(time)
            writer.blob(name.bytes)
        }
        try state.setSetting(writer.bytes, Self.key)
    }
}
