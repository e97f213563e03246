/// What a watcher saw touched: names in folders, or anything in a folder.
public struct TouchedNames<Folder: Hashable & Sendable>: Hashable, Sendable {
    /// Of a folder in which more were touched it is not kept which: looking at all of it costs no more.
    public static var mostNames: Int { 256 }

    private var names: [Folder: Set<FileName>] = [:]
    private var whole: Set<Folder> = []

    public init() {}

    /// Anything in these folders.
    public init(whole folders: some Sequence<Folder>) { whole = Set(folders) }

    public var isEmpty: Bool { names.isEmpty && whole.isEmpty }
    public var folders: Set<Folder> { whole.union(names.keys) }

    /// Nil where anything in the folder may have been touched; empty where nothing was.
    public func names(in folder: Folder) -> Set<FileName>? { whole.contains(folder) ? nil : names[folder] ?? [] }

    public func covers(_ name: FileName, in folder: Folder) -> Bool {
        names(in: folder).map { $0.contains(name) } ?? true
    }

    public mutating func insert(_ name: FileName, in folder: Folder) {
        guard !whole.contains(folder) else { return }
        names[folder, default: []].insert(name)
        if names[folder, default: []].count > Self.mostNames { insert(whole: folder) }
    }

    /// Anything in the folder may have been touched.
    public mutating func insert(whole folder: Folder) {
        names[folder] = nil
        whole.insert(folder)
    }

    public mutating func formUnion(_ other: TouchedNames) {
        for folder in other.whole { insert(whole: folder) }
        for (folder, names) in other.names { for name in names { insert(name, in: folder) } }
    }

    public func union(_ other: TouchedNames) -> TouchedNames {
        var result = self
        result.formUnion(other)
        return result
    }

    /// Anything in each of the folders.
    public var widened: TouchedNames { TouchedNames(whole: folders) }

    /// As seen from elsewhere; without the folders that have no place there.
    public func placed<Place>(_ place: (Folder) -> Place?) -> TouchedNames<Place> {
        var result = TouchedNames<Place>()
        for folder in whole { if let place = place(folder) { result.insert(whole: place) } }
        for (folder, names) in names {
            guard let place = place(folder) else { continue }
            for name in names { result.insert(name, in: place) }
        }
        return result
    }
}

/// What a watcher saw touched in a drive.
public typealias TouchedPaths = TouchedNames<DrivePath>

extension TouchedPaths {
    /// Whether the item itself was touched; never the root.
    public func covers(_ path: DrivePath) -> Bool { path.name.map { covers($0, in: path.parent) } ?? false }
}
