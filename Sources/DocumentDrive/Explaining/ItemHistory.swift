import DriveCore
import DriveFiles
import DriveIndex

/// What the log knows of paths: what happened there last, and what became of what is gone, for which all of it is read once, and
/// only if asked.
struct ItemHistory {
    private let index: DriveIndex
    private let folder: FolderPath
    private lazy var history = PathHistory((try? index.events(limit: .max)) ?? [])
    /// The names in the trash of what was deleted at each path, the last one last.
    private lazy var deleted = namesOfDeleted()

    init(_ index: DriveIndex, _ folder: FolderPath) { (self.index, self.folder) = (index, folder) }

    /// The last event there; that a delete was undone by an edit, where nothing has replaced what was kept.
    func latest(of path: DrivePath) throws -> DriveEvent? {
        var latest: DriveEvent?
        try index.events(at: path) { event in
            if event.isOfReading { return true }
            if latest == nil || event.isKeptChange { latest = event }
            return !event.isKeptChange && [.added, .attributes, .conflict].contains(event.kind)
        }
        return latest
    }

    /// Nil where neither the log, the trash nor a record has anything of it.
    mutating func past(of path: DrivePath) throws -> ItemFacts.Past? {
        switch history.fate(of: path) {
        case .gone(let departure): .deleted(departure.event, trash: trashed(departure.path))
        // A folder takes along what is in it, and nothing that never was.
        case .moved(let event, let place) where try history.mentions(path) || index.row(at: place) != nil:
            .moved(event, to: place)
        case .moved: nil
        case nil: try pastWithoutLog(of: path)
        }
    }

    private mutating func pastWithoutLog(of path: DrivePath) throws -> ItemFacts.Past? {
        if let trash = trashed(path) { return .deletedEarlier(trash: trash) }
        let dead = try index.deadItems(named: path)
        for item in dead {
            guard let event = try index.departure(of: item, history) else { continue }
            return .deleted(event, trash: trashed(event.path))
        }
        return try dead.isEmpty ? nil : unseen(dead, at: path) ?? .deletedEarlier(trash: nil)
    }

    /// Nil of what had its name before the log begins, or may have been deleted here.
    private mutating func unseen(_ dead: [ItemState], at path: DrivePath) throws -> ItemFacts.Past? {
        guard let begin = history.begin, let last = dead.first, try namedSince(path, dead) >= begin else { return nil }
        let deleter = last.deleter
        if try deleter == index.numbers().device { return nil }
        let labels = try index.labels()
        return .deletedUnseen(device: deleter.map { labels.text(Dot(device: $0, n: .max)) })
    }

    /// When the newest of them was changed last, or a folder that is gone with it: so it may have got that name.
    private func namedSince(_ path: DrivePath, _ dead: [ItemState]) throws -> UInt64 {
        var newest = dead.map(\.newestTime).max() ?? .zero
        var folder = path.parent
        while !folder.isRoot {
            for item in try index.deadItems(named: folder) { newest = max(newest, item.newestTime) }
            folder = folder.parent
        }
        return newest.milliseconds
    }

    private mutating func trashed(_ path: DrivePath) -> String? {
        let names = deleted[path] ?? []
        // An index that was put back may know of what was taken out since.
        return names.last { [folder] in DriveLayout.isInTrash($0, of: folder.bytes) }?.description
    }

    private func namesOfDeleted() -> [DrivePath: [FileName]] {
        let entries = ((try? index.trash()) ?? []).filter { $0.reason == .deleted }
        return Dictionary(grouping: entries, by: \.path).mapValues { $0.map(\.name) }
    }
}

extension DriveEvent {
    /// What somebody found who read the file, which is no change of it.
    fileprivate var isOfReading: Bool { kind == .error || kind == .recovered && operation?.kind == .local }
}
