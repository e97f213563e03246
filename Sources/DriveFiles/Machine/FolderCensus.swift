import CLinux
public import DriveCore
import Glibc

/// What lies in a folder that may become a drive: names, kinds and sizes, nothing opened but folders.
public struct FolderCensus: Sendable {
    public struct Item: Hashable, Sendable {
        public var kind: FileFacts.Kind
        public var size: UInt64
    }

    /// How much of a folder is looked at.
    public enum Depth: Sendable {
        /// Its folders, which alone can be drives and stores.
        case folders
        /// How many items there are, and how large.
        case count
        /// Each of them.
        case items
    }

    /// By path; empty where they are not asked for.
    public private(set) var items: [DrivePath: Item] = [:]
    /// Where only folders were looked at, their number.
    public private(set) var count = 0
    /// Of all files.
    public private(set) var bytes: UInt64 = 0
    /// Drives somewhere beneath the folder.
    public private(set) var drives: [DrivePath] = []
    /// Stores somewhere beneath the folder.
    public private(set) var stores: [DrivePath] = []
    /// What is mounted beneath the folder, also a part of the same file system, and subvolumes: nothing of it
    /// is counted, or looked at.
    public private(set) var mounts: [DrivePath] = []
    /// Folders that could not be read, or looked at, as a mount of another person; where only folders are looked at, of those that hold some.
    public private(set) var unreadable: [DrivePath] = []
    /// Those of them whose disk or server failed when they were looked at: nobody's permissions are in the way.
    public private(set) var silent: [DrivePath] = []

    private let depth: Depth
    /// A folder of two links holds no folder, and need not be read where only those count.
    private var passesLeaves = false

    private init(depth: Depth) { self.depth = depth }

    /// Nil where the folder is not there. `storeMark` is the name at the top of a store that only a store has.
    public static func take(
        at path: [UInt8], storeMark: FileName, depth: Depth = .items
    ) throws(DriveError) -> FolderCensus? {
        let number = path.withPathPointer { dd_open_root($0) }
        if number == -ENOENT { return nil }
        let root = Descriptor(try check(number, "open the folder", path: String(decoding: path, as: UTF8.self)))
        var census = FolderCensus(depth: depth)
        try census.walk(root, Volume(try root.facts()), storeMark)
        return census
    }

    private mutating func walk(_ root: Descriptor, _ volume: Volume, _ storeMark: FileName) throws(DriveError) {
        passesLeaves = depth == .folders && dd_counts_subfolders(root.number)
        var folders: [DrivePath] = [.root]
        while let path = folders.popLast() {
            guard let folder = try open(path, in: root) else { continue }
            do throws(DriveError) {
                try list(folder, path, volume, &folders, storeMark)
            } catch  where error.remedy == .skip { unreadable.append(path) }
        }
    }

    /// From the root anew, so that a deep tree needs few descriptors.
    private mutating func open(_ path: DrivePath, in root: Descriptor) throws(DriveError) -> Descriptor? {
        var folder = root
        for name in path.components {
            do throws(DriveError) {
                guard let next = try folder.folder(name) else { return nil }
                folder = next
            } catch  where error.remedy == .skip {
                unreadable.append(path)
                return nil
            }
        }
        return folder
    }

    private mutating func list(
        _ folder: Descriptor, _ path: DrivePath, _ volume: Volume, _ folders: inout [DrivePath], _ storeMark: FileName
    ) throws(DriveError) {
        var entries: [(name: FileName, kind: FileFacts.Kind?)] = []
        try forEachEntry(in: folder.number) { name, kind, _ throws(DriveError) in
            if depth == .folders, let kind, kind != .folder { return }
            entries.append((name: FileName(bytes: Array(name)), kind: kind))
        }
        if !path.isRoot, entries.contains(where: { $0.name == DriveLayout.state }),
            let state = try folder.folder(DriveLayout.state), try DriveMarker.read(in: state) != nil
        {
            drives.append(path)
        }
        for (name, kind) in entries {
            if path.isRoot, name == DriveLayout.state { continue }
            var facts = dd_facts()
            let failure = -dd_look(folder.number, name.bytes, name.bytes.count, &facts)
            if failure != 0 {
                if !failure.meansAbsent, kind == nil || kind == .folder { note(failure, at: path.appending(name)) }
                continue
            }
            let found = facts.facts(on: volume)
            if found.kind == .other { continue }
            if found.isForeignMount {
                // A file that is mounted is no ground that could be cleaned by itself.
                if found.kind == .folder { mounts.append(path.appending(name)) }
                continue
            }
            if depth == .folders, found.kind != .folder { continue }
            if name == storeMark, found.kind == .folder { stores.append(path) }
            count += 1
            if found.kind == .file { bytes = bytes.addingClamped(found.size) }
            if depth == .items {
                items[path.appending(name)] = Item(kind: found.kind, size: found.kind == .folder ? 0 : found.size)
            }
            let isLeaf = passesLeaves && facts.links == 2
            if found.kind == .folder, !isLeaf { folders.append(path.appending(name)) }
        }
    }

    /// Of a mount of somebody else's, or one whose server is gone.
    private mutating func note(_ failure: Int32, at path: DrivePath) {
        unreadable.append(path)
        let isSilent = [.unreachable, .inputOutput].contains(DriveError.system(failure, "look at it").kind)
        if isSilent { silent.append(path) }
    }
}
