import DriveCore

/// What everybody did to the contents of a drive: the measure of what must be there in the end.
///
/// A line is what one person would call one document: each edit continues the line of what it replaced.
public struct History: Sendable {
    /// The number of the newest content.
    public private(set) var newest = Body.shared.count - 1
    public private(set) var written: Set<Body> = []
    /// Somebody who had it replaced or deleted it.
    public var excused: Set<Body> = []
    /// Deleted on purpose.
    public var deleted: Set<Body> = []
    /// Deleted together with a folder.
    public private(set) var deletedWithFolder: Set<Body> = []
    /// Devices that were put back to an image.
    private var restored: Set<Int> = []
    /// How often it was saved, copies included.
    public private(set) var saves: [Body: Int] = [:]
    /// How often a line was kept on purpose: moved, swapped, chosen among versions.
    public private(set) var touches: [Body: Int] = [:]
    /// The first content of the line of a content.
    public private(set) var lines: [Body: Body] = [:]
    /// Lines whose documents have bytes of another line since it was moved over them.
    private var standsFor: [Body: Set<Body>] = [:]
    /// The line that was last at a device's path: what is made there next may be taken for an edit of it.
    public private(set) var lastAt: [Spot: Body] = [:]
    private var lastBodies: [Spot: Body] = [:]
    private var unscannedDeletes: [Spot: Body] = [:]
    /// What acts have taken since the device's last scan.
    var unscannedTakings: [Int: Set<Body>] = [:]
    /// Moved over another file, so that both passed through one place.
    public var movedOver: Set<Body> = []
    public var folderMoves = 0
    /// Folders that were moved since the device's last scan.
    private var unscannedMoves: [Int: Set<Int>] = [:]
    /// Single deletes, by the folder that they were in.
    public private(set) var deletes: [Delete] = []
    /// Shown as a conflict copy at some time: such files may be moved through the trash.
    public internal(set) var copies: Set<Body> = []
    /// What a power cut made of files that people had just saved.
    public private(set) var damaged: Set<[UInt8]> = []
    /// Acts so far.
    public var acts = 0

    public struct Spot: Hashable, Sendable {
        public var device: Int
        public var path: DrivePath
    }

    public struct Delete: Sendable {
        public var device: Int
        public var folder: Int
        public var body: Body
    }

    public init() {}

    /// A content that nobody had before, or now and then one of the shared ones.
    public mutating func newBody(_ generator: inout SeededGenerator) -> Body {
        let body: Body
        if generator.chance(percent: 15) {
            body = generator.choice(Body.shared)
        } else {
            body = newUniqueBody()
        }
        save(body)
        return body
    }

    /// Always a content that nobody had before; the caller saves it.
    public mutating func newUniqueBody() -> Body {
        newest += 1
        return Body(number: newest)
    }

    public mutating func save(_ body: Body) {
        saves[body, default: 0] += 1
        written.insert(body)
    }

    public mutating func touch(_ body: Body) {
        var open = [line(of: body)]
        var seen: Set<Body> = []
        while let line = open.popLast() {
            guard seen.insert(line).inserted else { continue }
            touches[line, default: 0] += 1
            open += standsFor[line] ?? []
        }
    }

    /// What is moved over another document is taken for an edit of it, so who keeps the one keeps the other.
    mutating func moved(_ body: Body, over other: Body) {
        standsFor[line(of: body), default: []].insert(line(of: other))
    }

    /// The line of a content; of itself where it started one.
    public func line(of body: Body) -> Body { lines[body] ?? body }

    public func isOnlySave(_ body: Body) -> Bool { saves[body] == 1 }

    public mutating func `continue`(_ line: Body, with body: Body) { lines[body] = line }

    public mutating func leave(_ path: DrivePath, on device: Int, _ body: Body) {
        lastAt[Spot(device: device, path: path)] = line(of: body)
        lastBodies[Spot(device: device, path: path)] = body
    }

    /// What is made there now may be taken for an edit of what was moved away, whose bytes others then replace.
    public mutating func takePlace(_ path: DrivePath, on device: Int) {
        if let body = lastBodies[Spot(device: device, path: path)] { movedOver.insert(body) }
    }

    /// What was left in a folder stays in it when the folder is moved.
    mutating func movePlaces(from old: DrivePath, to new: DrivePath, on device: Int) {
        for (spot, line) in lastAt where spot.device == device && spot.path.isInside(old) && spot.path != old {
            let moved = Spot(
                device: device, path: DrivePath(new.components + spot.path.components.dropFirst(old.components.count)))
            lastAt[moved] = line
            lastBodies[moved] = lastBodies[spot]
        }
    }

    public mutating func addDelete(_ delete: Delete, at path: DrivePath) {
        deletes.append(delete)
        unscannedDeletes[Spot(device: delete.device, path: path)] = delete.body
    }

    /// A folder that a device had published in the time that it forgot is alive, whatever it deletes now, and what it
    /// deletes with the folder comes back with it.
    mutating func addDeleteWithFolder(_ body: Body, on device: Int) {
        deletedWithFolder.insert(body)
        if restored.contains(device) { touch(body) }
    }

    mutating func moved(folder number: Int, on device: Int) { unscannedMoves[device, default: []].insert(number) }

    /// To a scan that comes now, what lies in a folder that was moved was moved too, even if apply brought it afterwards.
    mutating func noteMovedFolders(of folder: MemoryFolder, on device: Int) {
        for number in unscannedMoves.removeValue(forKey: device) ?? [] {
            for entry in folder.walk(from: number) where entry.hasContent {
                if let body = folder.content(of: entry.number).flatMap({ Body($0) }) { touch(body) }
            }
        }
    }

    /// What is known of a machine holds for its clone.
    mutating func noteClone(of device: Int, as clone: Int) {
        func both<Value>(_ spots: [Spot: Value]) -> [Spot: Value] {
            let own = spots.filter { $0.key.device == device }
            return spots.merging(own.map { (Spot(device: clone, path: $0.key.path), $0.value) }) { $1 }
        }
        (lastAt, lastBodies, unscannedDeletes) = (both(lastAt), both(lastBodies), both(unscannedDeletes))
        unscannedMoves[clone] = unscannedMoves[device]
        unscannedTakings[clone] = unscannedTakings[device]
        if restored.contains(device) { restored.insert(clone) }
    }

    /// A scan came to its end.
    mutating func noteScan(on device: Int) {
        unscannedDeletes = unscannedDeletes.filter { $0.key.device != device }
        unscannedTakings[device] = nil
    }

    /// A conflict copy is shown. To a scan that comes after it, a delete of the original was a choice among versions.
    mutating func noteCopy(_ body: Body, of original: DrivePath, on device: Int) {
        copies.insert(body)
        if let deleted = unscannedDeletes[Spot(device: device, path: original)] { touch(deleted) }
    }

    /// Whether a deleted content may stay away: nobody kept its line, nobody copied any of it.
    func mustStayDeleted(_ body: Body) -> Bool {
        guard deleted.contains(body), isOnlySave(body) else { return false }
        if deletedWithFolder.contains(body) && folderMoves > 0 { return false }
        let line = line(of: body)
        if touches[line, default: 0] > 0 || touches[body, default: 0] > 0 { return false }
        return !saves.contains { $0.value > 1 && self.line(of: $0.key) == line }
    }

    /// A power cut damaged files that people had just saved, and undid some of what they did: no promise covers that.
    public mutating func notePowerCut(before: some Sequence<[UInt8]>, damaged: [[UInt8]]) {
        self.damaged.formUnion(damaged)
        // Damage may look like something that somebody saved: the empty file does.
        for body in damaged.compactMap({ Body($0) }) {
            saves[body, default: 0] += 1
            touch(body)
        }
        noteRestore(lost: before.compactMap { Body($0) })
    }

    /// A device's disk and database were put back to an earlier time: all bets on deletes before that are off.
    mutating func noteRestore(of device: Int, lost: some Sequence<Body>) {
        restored.insert(device)
        noteRestore(lost: lost)
        // What a scan has seen since is unseen again.
        unscannedTakings[device] = written
    }

    private mutating func noteRestore(lost: some Sequence<Body>) {
        excused.formUnion(lost)
        for body in written { touches[body, default: 0] += 1 }
    }
}
