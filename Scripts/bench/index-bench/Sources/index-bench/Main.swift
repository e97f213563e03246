import DriveCore
import DriveIndex
import Glibc

/// Measures the index: filling it with plain files in folders of twenty, bytes on disk, and single look-ups.
@main struct IndexBench {
    static func main() throws {
        let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
        let path = "/tmp/index-bench-\(getpid()).sqlite"
        defer { for name in [path, path + "-wal", path + "-shm"] { unlink(name) } }
        let index = try DriveIndex(path: Array(path.utf8))
        var drive = PlainDrive()
        try measure("item and row, inserted", count) {
            for start in stride(from: 0, to: count, by: 10_000) {
                try index.transaction {
                    for place in start..<min(start + 10_000, count) { try drive.add(place, to: index) }
                }
            }
        }
        try index.checkpoint()
        var facts = stat()
        stat(path, &facts)
        print("bytes an item: \(Int(facts.st_size) / count)")
        let ids = drive.files.shuffled().prefix(100_000)
        try index.transaction {
            try measure("item by id", ids.count) { for id in ids { _ = try index.item(id) } }
            try measure("rows of an item", ids.count) { for id in ids { _ = try index.rows(holding: id) } }
            try measure("children of a name", ids.count) {
                for place in 0..<ids.count {
                    _ = try index.children(of: drive.folders[place % drive.folders.count], named: "a report 7.docx")
                }
            }
            try measure("known chunk", ids.count) {
                for place in 0..<ids.count { _ = try index.knownChunk(drive.hash(place)) }
            }
            try measure("shape saved again", ids.count) {
                for id in ids {
                    guard var item = try index.item(id) else { continue }
                    item.shape.shownChildren += 1
                    try index.save(item)
                }
            }
        }
        try measure("item by id, outside of a transaction", ids.count) { for id in ids { _ = try index.item(id) } }
        try measure("search of all names", 1) {
            print(try index.search(NameQuery(words: ["report 777"])).count, "hits")
        }
        try measure("all items", count) { print(try index.allItems().count, "items") }
        try measure("commit of one setting", 100) { for place in 0..<100 { try index.setSetting([UInt8(place)], "a") } }
    }

    static func measure(_ what: String, _ count: Int, _ body: () throws -> Void) throws {
        var start = timespec()
        var end = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start)
        try body()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end)
        let nanoseconds = (end.tv_sec - start.tv_sec) * 1_000_000_000 + end.tv_nsec - start.tv_nsec
        print("\(what): \(Double(nanoseconds / count) / 1_000) us CPU")
    }
}

/// Items as a first import makes them.
struct PlainDrive {
    let device = DeviceID(high: 77, low: 7)
    var files: [ItemID] = []
    var folders: [ItemID] = [.root]
    var rows: [RowID] = [.root]

    func hash(_ place: Int) -> ContentHash {
        var words: [UInt64] = []
        var random = UInt64(place) &* 0x9E37_79B9_7F4A_7C15
        for _ in 0..<4 {
            random = (random ^ random >> 29) &* 0xBF58_476D_1CE4_E5B9 &+ 0x94D0_49BB_1331_11EB
            words.append(random ^ random >> 31)
        }
        return ContentHash(words: (words[0], words[1], words[2], words[3]))
    }

    mutating func add(_ place: Int, to index: DriveIndex) throws {
        let id = ItemID(high: .random(in: 0 ... .max), low: .random(in: 1 ... .max))
        let isFolder = place % 20 == 0
        let folder = place % folders.count
        let dot = Dot(device: device, n: UInt64(place + 1))
        let tag = Tag(time: HybridTime(milliseconds: 1_700_000_000_000), dot: dot)
        let time = FileTime(seconds: 1_690_000_000 + Int64(place), nanoseconds: 123_456_789)
        let content = Content(
            hash: hash(place), size: 16_000, modified: time,
            body: .chunks([
                ChunkReference(
                    id: hash(place), length: 16_000, object: StoredKey.packKey(device, nonce: UInt64(place / 300)),
                    offset: UInt64(place % 300) * 9_000, storedLength: 9_000, encoding: .zstd)
            ]))
        let name = FileName(isFolder ? "folder \(place)" : "a report \(place).docx")
        var item = StoredItem(
            state: ItemState(
                id: id, kind: isFolder ? .folder : .file, context: DeviceVector(device, dot.n),
                name: Register(tag: tag, value: name),
                placement: Register(tag: tag, value: Placement(parent: folders[folder], from: folders[folder])),
                heads: isFolder ? [] : [Head(dot: dot, time: tag.time, content: content)], life: [LifeDot(dot: dot)]))
        item.shape.isAlive = true
        item.shape.parent = folders[folder]
        if isFolder { item.shape.node = id }
        try index.save(item)
        try index.setOwnRecord(OwnRecord(n: dot.n), of: id)
        let row = try index.newRowID()
        try index.save(
            Row(
                id: row, parent: rows[folder], name: name, kind: isFolder ? .folder : .file,
                facts: FileFacts(
                    kind: isFolder ? .folder : .file,
                    identity: FileIdentity(inode: UInt64(place + 1_000_000), birth: time), size: 16_000,
                    modified: time, changed: time),
                hash: isFolder ? nil : content.hash, attributes: Attributes(modified: isFolder ? nil : time),
                members: [Member(item: id, dots: isFolder ? [] : [dot])], lifeSeen: [id: [dot]]))
        files.append(id)
        if isFolder {
            folders.append(id)
            rows.append(row)
        }
    }
}
