import DriveCore
import Glibc

/// The time in which a body has its items: what is there before and after tells what it did.
struct HeldAccess {
    private let intents: [FileIntent]
    private let items: [CoordinatedItem]
    private let before: [ItemLook?]

    init(_ intents: [FileIntent], root: [UInt8]) {
        self.intents = intents
        items = intents.map { CoordinatedItem($0.path, root: root) }
        before = items.map { ItemLook($0.place) }
    }

    /// Of what is read for uploading the body gets snapshots; where that is everything, `release` is called before it.
    func run<Result>(
        _ body: ([CoordinatedItem]) async throws -> Result, release: () -> Void
    ) async throws -> Result {
        let uploads = intents.indices.filter { intents[$0].reading?.contains(.forUploading) == true }
        if uploads.isEmpty { return try await body(items) }
        let snapshots = try await Snapshots.make(of: uploads.map { items[$0] })
        defer { snapshots.remove() }
        if uploads.count == items.count { release() }
        var given = items
        for (place, copy) in zip(uploads, snapshots.items) { given[place] = copy }
        return try await body(given)
    }

    /// A folder counts as changed always: what is in it is not looked at. What was moved is told by whoever moved it.
    var report: AccessReport {
        var report = AccessReport()
        for (place, intent) in intents.enumerated() where intent.isWriting {
            guard let now = ItemLook(items[place].place) else { continue }
            if let before = before[place], before.inode == now.inode || !isMoved(now) {
                if before != now || now.isFolder { report.changed.append(intent.path) }
            } else if !isMoved(now) {
                report.appeared.append(intent.path)
            }
        }
        return report
    }

    private func isMoved(_ look: ItemLook) -> Bool { before.contains { $0?.inode == look.inode } }
}

/// What tells a changed item from an unchanged one.
private struct ItemLook: Hashable {
    var inode: UInt64
    var size: Int64
    var times: [Int]
    var isFolder: Bool

    init?(_ place: [UInt8]) {
        var facts = stat()
        guard lstat(place.map { CChar(bitPattern: $0) } + [0], &facts) == 0 else { return nil }
        inode = UInt64(facts.st_ino)
        size = Int64(facts.st_size)
        times = [facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec, facts.st_ctim.tv_sec, facts.st_ctim.tv_nsec]
        isFolder = facts.st_mode & S_IFMT == S_IFDIR
    }
}
