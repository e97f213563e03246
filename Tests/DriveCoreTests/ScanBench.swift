@testable import DriveCore
import DriveTesting

/// A folder tree of inodes beside a drive's memory, and the walk that compares them: just enough to feed the decisions
/// of a scan without an engine.
struct ScanBench {
    struct Node: Hashable {
        var folder: UInt64
        var name: FileName
        var kind: ItemKind
        var content: UInt64 = 0
        var isExecutable = false
        var modified = FileTime(seconds: 7)
    }

    let state: MemoryState
    private let entropy: SeededEntropy
    /// By inode; the root is 0.
    var disk: [UInt64: Node] = [:]
    var now: UInt64 = 1_000_000
    var hasBirthTimes = true
    private var nextInode: UInt64 = 1

    init(device: UInt64 = 1, seed: UInt64 = 1) {
        state = MemoryState(device: DeviceID(high: device, low: 0), label: "bench")
        entropy = SeededEntropy(seed: seed)
        nextInode = device * 1_000_000
    }

    var device: DeviceID { state.numbers().device }

    @discardableResult
    mutating func make(_ path: DrivePath, _ kind: ItemKind = .file, content: UInt64 = 0) -> UInt64 {
        nextInode += 1
        disk[nextInode] = Node(folder: inode(path.parent) ?? 0, name: path.name!, kind: kind, content: content)
        return nextInode
    }

    func inode(_ path: DrivePath) -> UInt64? {
        var place: UInt64 = 0
        for name in path.components {
            guard let next = disk.first(where: { $0.value.folder == place && $0.value.name == name }) else {
                return nil
            }
            place = next.key
        }
        return place
    }

    /// Over what is there, as rename(2) does.
    mutating func move(_ from: DrivePath, _ to: DrivePath) {
        guard let inode = inode(from), let folder = self.inode(to.parent) else { return }
        if self.inode(to) != nil { remove(to) }
        disk[inode]!.folder = folder
        disk[inode]!.name = to.name!
    }

    mutating func swap(_ a: DrivePath, _ b: DrivePath) {
        guard let one = inode(a), let two = inode(b) else { return }
        (disk[one]!.folder, disk[two]!.folder) = (disk[two]!.folder, disk[one]!.folder)
        (disk[one]!.name, disk[two]!.name) = (disk[two]!.name, disk[one]!.name)
    }

    mutating func write(_ path: DrivePath, _ content: UInt64) {
        if let inode = inode(path) {
            disk[inode]!.content = content
            disk[inode]!.modified = FileTime(seconds: Int64(now))
        }
    }

    mutating func touch(_ path: DrivePath, _ seconds: Int64) {
        if let inode = inode(path) { disk[inode]!.modified = FileTime(seconds: seconds) }
    }

    /// An editor's way: a new file over the old one.
    mutating func save(_ path: DrivePath, _ content: UInt64) {
        remove(path)
        make(path, content: content)
    }

    mutating func remove(_ path: DrivePath) {
        guard let top = inode(path), top != 0 else { return }
        var waiting = [top]
        while let inode = waiting.popLast() {
            waiting += disk.filter { $0.value.folder == inode }.keys
            disk[inode] = nil
        }
    }

    /// Path to content; nil for folders.
    var tree: [DrivePath: UInt64?] {
        var result: [DrivePath: UInt64?] = [:]
        for inode in disk.keys {
            result[path(inode)] = disk[inode]!.kind == .folder ? .some(nil) : disk[inode]!.content
        }
        return result
    }

    private func path(_ inode: UInt64) -> DrivePath {
        guard let node = disk[inode] else { return .root }
        return path(node.folder).appending(node.name)
    }

    /// What the view shows.
    var shown: [DrivePath: UInt64?] {
        get throws {
            let reader = ViewReader(state)
            var result: [DrivePath: UInt64?] = [:]
            for entry in try reader.allEntries() {
                guard let folder = try reader.path(ofNode: entry.node) else { continue }
                result.updateValue(entry.content.map(\.hash.words.0), forKey: folder.appending(entry.name))
            }
            return result
        }
    }

    /// When the files on the disk were changed.
    var times: [DrivePath: FileTime] {
        var result: [DrivePath: FileTime] = [:]
        for (inode, node) in disk where node.kind.hasContent { result[path(inode)] = node.modified }
        return result
    }

    /// When the view says that they were.
    var shownTimes: [DrivePath: FileTime] {
        get throws {
            let reader = ViewReader(state)
            var result: [DrivePath: FileTime] = [:]
            for entry in try reader.allEntries() {
                guard let folder = try reader.path(ofNode: entry.node) else { continue }
                result[folder.appending(entry.name)] = entry.attributes.modified
            }
            return result
        }
    }

    func item(_ path: DrivePath) throws -> ItemState? {
        var row = state.row(.root)!
        for name in path.components {
            guard let next = state.child(of: row.id, named: name) else { return nil }
            row = next
        }
        return state.item(row.primary.item)?.state
    }
}

// The scan.
extension ScanBench {
    static func hash(_ content: UInt64) -> ContentHash { ContentHash(words: (content, 0, 0, 0)) }

    private func facts(_ inode: UInt64) -> FileFacts {
        let node = disk[inode]!
        let kind: FileFacts.Kind = node.kind == .folder ? .folder : node.kind == .link ? .link : .file
        return FileFacts(
            kind: kind,
            identity: FileIdentity(inode: inode, birth: hasBirthTimes ? FileTime(seconds: Int64(inode)) : nil),
            size: node.kind == .folder ? 0 : node.content, modified: node.modified,
            changed: FileTime(seconds: Int64(node.content), nanoseconds: node.isExecutable ? 1 : 0),
            isExecutable: node.isExecutable)
    }

    func walk() -> Sightings {
        var sightings = Sightings()
        var unseen = Set(state.allRows().map(\.id)).subtracting([.root])
        var waiting: [(inode: UInt64, folder: Sighting.Folder, row: RowID?)] = [(0, .row(.root), .root)]
        while let here = waiting.popLast() {
            for (inode, node) in disk.filter({ $0.value.folder == here.inode }).sorted(by: { $0.key < $1.key }) {
                let row = here.row.flatMap { state.child(of: $0, named: node.name) }
                let facts = facts(inode)
                let isSame = row.map { $0.facts.identity == facts.identity && $0.kind == node.kind } ?? false
                if let row, isSame, node.kind == .folder || row.facts.looksUnchanged(since: facts) {
                    unseen.remove(row.id)
                    if node.kind == .folder { waiting.append((inode, .row(row.id), row.id)) }
                    continue
                }
                sightings.list.append(Sighting(folder: here.folder, name: node.name, facts: facts))
                read(&sightings.list[sightings.list.count - 1], node)
                if node.kind == .folder {
                    let known = state.row(identity: facts.identity).flatMap { $0.kind == .folder ? $0.id : nil }
                    waiting.append((inode, .sighting(sightings.list.count - 1), known))
                }
            }
        }
        sightings.loose = unseen
        return sightings
    }

    private func read(_ sighting: inout Sighting, _ node: Node) {
        sighting.attributes = Attributes(
            isExecutable: node.isExecutable, modified: node.kind == .folder ? nil : sighting.facts.modified)
        guard node.kind.hasContent else { return }
        sighting.content = Content(
            hash: Self.hash(node.content), size: node.content, modified: sighting.facts.modified, body: .inline([]))
    }

    @discardableResult
    func scan(makesRecords: Bool = true) throws -> [ItemState] {
        let sightings = walk()
        var identification = try Identification(sightings, state)
        try identification.matchByContent(sightings, state)
        return try state.transaction {
            var recorder = ScanRecorder(
                state, sightings: sightings, identification: identification, vanished: identification.vanished,
                entropy: entropy, makesRecords: makesRecords, places: 0..<sightings.list.count)
            var numbers = state.numbers()
            let group = try recorder.record(&numbers, now: now)
            state.setNumbers(numbers)
            var acknowledgement = Acknowledgement(state)
            for row in state.allRows() { _ = try acknowledgement.acknowledge(row) }
            return group?.records ?? []
        }
    }

    /// Joins what another device wrote.
    func learn(_ records: [ItemState]) throws {
        var numbers = state.numbers()
        for record in records { numbers.receive(record.newestTime, now: now) }
        state.setNumbers(numbers)
        var maintenance = ViewMaintenance(state)
        try maintenance.put(records.joined.map { state.item($0.id)?.state.joined($0) ?? $0 })
    }
}
