import CLinux
import DriveCore
import Glibc
import Synchronization

/// What a drive would know that looks only at the names that it is told of: the oracle of the torture tests.
///
/// As in a drive, folders are known by inode, so that a renamed one takes its contents along.
final class DriveModel: Sendable {
    /// Numbers of inodes are given again, to folders that have nothing in common.
    struct FolderID: Hashable {
        var inode: UInt64
        var birth: [Int64]
    }

    struct Place: Hashable {
        var folder: FolderID
        var name: [UInt8]
    }

    struct Look: Hashable {
        var inode: UInt64
        var isFolder: Bool
        /// 0 for folders, whose times change with their entries.
        var modified: Int
        var size: Int
    }

    struct State {
        var looks: [FolderID: [[UInt8]: Look]] = [:]
        var readyCount = 0
        var coverage = (watched: 0, unwatched: 0)
        var rescans: [String] = []
        var touched: Set<DrivePath> = []
        var closed: Set<DrivePath> = []
        var isEnded = false
        var waiters: [(@Sendable (State) -> Bool, CheckedContinuation<Void, Never>)] = []
    }

    let root: String
    private let state = Mutex(State())

    init(root: String) { self.root = root }

    var now: State { state.withLock { $0 } }

    func consume(_ events: AsyncStream<WatchEvent>) async {
        for await event in events { take(event) }
        update { $0.isEnded = true }
    }

    /// What was told so far.
    func forget() { update { ($0.touched, $0.closed) = ([], []) } }

    /// Returns when what was seen fulfils the condition.
    func wait(until condition: @escaping @Sendable (State) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isFulfilled = state.withLock { state in
                if condition(state) { return true }
                state.waiters.append((condition, continuation))
                return false
            }
            if isFulfilled { continuation.resume() }
        }
    }

    /// Paths that exist, or whose content changed, without the model knowing.
    func missing() -> [String] {
        let looks = now.looks
        return Self.walk(root).compactMap { path, place, look in looks[place.folder]?[place.name] == look ? nil : path }
    }

    /// Names that are no more in folders that are still there, without the model knowing.
    func ghosts() -> [Place] {
        let looks = now.looks
        var ghosts: [Place] = []
        Self.eachFolder(root) { folder in
            let names = Set(folder.entries.map(\.place.name))
            let gone = (looks[folder.id] ?? [:]).keys.filter { !names.contains($0) }
            ghosts += gone.map { Place(folder: folder.id, name: $0) }
        }
        return ghosts
    }

    private func take(_ event: WatchEvent) {
        switch event {
        case .ready(let watched, let unwatched):
            update {
                $0.readyCount += 1
                $0.coverage = (watched, unwatched)
            }
        case .rescan(let reason):
            var looks: [FolderID: [[UInt8]: Look]] = [:]
            Self.eachFolder(root) { looks[$0.id] = $0.looks }
            update {
                $0.looks = looks
                $0.rescans.append(reason)
            }
        case .touched(let folder, nil, _): relook(folder)
        case .touched(let folder, let name?, let isClosed):
            let found = Self.look(root, folder, name)
            update {
                if let (place, look) = found { $0.looks[place.folder, default: [:]][place.name] = look }
                $0.touched.insert(folder.appending(name))
                if isClosed { $0.closed.insert(folder.appending(name)) }
            }
        }
    }

    private func relook(_ folder: DrivePath) {
        let path = root + "/" + String(decoding: folder.bytes, as: UTF8.self)
        guard let found = Self.list(path) else { return }
        update { $0.looks[found.id] = found.looks }
    }

    private func update(_ body: (inout State) -> Void) {
        let fulfilled = state.withLock { state in
            body(&state)
            guard !state.waiters.isEmpty else { return [CheckedContinuation<Void, Never>]() }
            let waiters = state.waiters
            state.waiters = waiters.filter { !$0.0(state) }
            return waiters.filter { $0.0(state) }.map(\.1)
        }
        for waiter in fulfilled { waiter.resume() }
    }

    // The disk.

    private static func look(_ root: String, _ folder: DrivePath, _ name: FileName) -> (Place, Look?)? {
        let path = Array(root.utf8) + [0x2F] + folder.bytes + [0]
        let descriptor = open(path.map(CChar.init(bitPattern:)), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let id = id(descriptor) else { return nil }
        let place = Place(folder: id, name: name.bytes)
        return (place, look(descriptor, name.bytes))
    }

    private static func look(_ descriptor: Int32, _ name: [UInt8]) -> Look? {
        var status = stat()
        let text = name.map(CChar.init(bitPattern:)) + [0]
        guard fstatat(descriptor, text, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        return Look(
            inode: UInt64(status.st_ino), isFolder: isFolder,
            modified: isFolder ? 0 : status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec,
            size: isFolder ? 0 : Int(status.st_size))
    }

    private static func id(_ descriptor: Int32) -> FolderID? {
        var facts = dd_facts()
        guard dd_look_at(descriptor, &facts) == 0 else { return nil }
        return FolderID(inode: facts.inode, birth: [facts.birth_seconds, Int64(facts.birth_nanoseconds)])
    }

    private struct Listing {
        var id: FolderID
        var entries: [(path: String, place: Place, look: Look)] = []

        var looks: [[UInt8]: Look] { Dictionary(entries.map { ($0.place.name, $0.look) }) { _, last in last } }
    }

    /// Without what is left out; nil where no folder is.
    private static func list(_ folder: String) -> Listing? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        guard let id = id(dirfd(stream)) else { return nil }
        var result = Listing(id: id)
        while let entry = readdir(stream) {
            let start = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
            let text = start.assumingMemoryBound(to: CChar.self)
            let name = Array(UnsafeRawBufferPointer(start: start, count: strlen(text)))
            if [[0x2E], [0x2E, 0x2E], Array(".docdrive".utf8)].contains(name) { continue }
            guard let look = look(dirfd(stream), name) else { continue }
            let path = folder + "/" + String(decoding: name, as: UTF8.self)
            result.entries.append((path, Place(folder: id, name: name), look))
        }
        return result
    }

    private static func eachFolder(_ root: String, _ body: (Listing) -> Void) {
        var folders = [root]
        while let folder = folders.popLast() {
            guard let found = list(folder) else { continue }
            body(found)
            folders += found.entries.filter(\.look.isFolder).map(\.path)
        }
    }

    /// Everything beneath the root except what is left out.
    static func walk(_ root: String) -> [(String, Place, Look)] {
        var result: [(String, Place, Look)] = []
        eachFolder(root) { result += $0.entries.map { ($0.path, $0.place, $0.look) } }
        return result
    }
}
