// SPDX-License-Identifier: GPL-2.0-only

/// What programs write into files that they do not close. The end of most writes is told by the close; what is left open for
/// longer would go unheard until then, be it days.
struct OpenWrites {
    struct Write: Hashable {
        var folder: Folder
        var name: [UInt8]
    }

    /// In seconds: after this long without a close a write is told of.
    let openTime: UInt32
    /// How long a folder in which much is written tells nothing of it.
    static let quietTime: UInt32 = 30
    /// So many events of one folder in a second are much: a writer that goes on would drown everything else.
    static let most = 200
    /// More files than this are not followed at once.
    private static let capacity = 65_536

    private var open: [Write: UInt32] = [:]
    private var counts: [Folder: Int] = [:]
    private var second: UInt32 = 0
    private var quiet: [Folder: UInt32] = [:]

    init(openTime: UInt32) { self.openTime = openTime }

    var isEmpty: Bool { open.isEmpty && quiet.isEmpty }

    /// Whether the folder's events of this kind are too many to hear them all.
    mutating func wrote(_ write: Write, now: UInt32) -> Bool {
        if open[write] == nil, open.count < Self.capacity { open[write] = now }
        if now != second { (counts, second) = ([:], now) }
        counts[write.folder, default: 0] += 1
        guard counts[write.folder] == Self.most else { return false }
        rest(write.folder, now: now)
        return true
    }

    mutating func rest(_ folder: Folder, now: UInt32) { quiet[folder] = now }

    /// Whatever else happens to it is told of by itself.
    mutating func ended(_ write: Write) {
        if !open.isEmpty { open[write] = nil }
    }

    /// Those that have been open for long enough; each is told of once, and again after as long if it is written again.
    mutating func takeDue(now: UInt32) -> [Write] {
        let due = open.filter { now - $0.value >= openTime }.map(\.key)
        for write in due { open[write] = nil }
        return due
    }

    /// Folders that are to be heard again.
    mutating func takeRested(now: UInt32) -> [Folder] {
        let rested = quiet.filter { now - $0.value >= Self.quietTime }.map(\.key)
        for folder in rested { quiet[folder] = nil }
        return rested
    }
}
