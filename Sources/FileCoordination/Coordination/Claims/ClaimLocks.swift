import DriveCore
import Glibc

/// Claims as locks that the kernel keeps for one open file, so that arbiters of several processes heed one another, and
/// a process that dies holds nothing.
///
/// Every path has two bytes of the file, at places that its hash tells. One stands for the item: readers share it. The
/// other stands for all that is in the item: whoever uses something shares it for each folder above, whoever deletes,
/// moves or replaces an item has it alone. Paths whose hashes are equal wait for one another for nothing, which hurts nobody.
///
/// Locks of one open file never conflict, and one process has one for a drive: what it has granted is merged here.
struct ClaimLocks: ~Copyable {
    private let number: Int32
    private var claims: [ClaimID: [Int64: Bool]] = [:]
    /// For each place how many share it and how many have it alone (such as claims of one purpose).
    private var counts: [Int64: (shared: Int, alone: Int)] = [:]

    /// What the kernel has for this process; nothing where it has no lock.
    private var kept: [Int64: Int16] = [:]
    /// What was shared stays so for a while, until this ends, for who uses many items of a folder one after the other: the
    /// folders above would be locked and let go for each of them.
    var lingers = false {
        didSet { if !lingers { while let place = lingering.popLast() { _ = lock(place) } } }
    }
    /// Shared places that nobody uses now, the longest unused first, and few: the kernel looks at all locks of a file at
    /// each call (`posix_lock_inode` in fs/locks.c).
    private var lingering: [Int64] = []
    static let mostLingering = 16

    /// Arbiters that this process asks.
    private var asked: Set<Int32> = []

    /// What programs have that wait for parts of this one, by who heeds it.
    private var surroundings: [UInt64: [Enclosure]] = [:]
    private var lastSurrounding: UInt64 = 0

    /// Nil where the file cannot be made.
    init?(file: [UInt8]) {
        let path = file.map { CChar(bitPattern: $0) } + [0]
        number = path.withUnsafeBufferPointer {
            Glibc.open($0.baseAddress.unsafelyUnwrapped, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        if number < 0 { return nil }
    }

    deinit { close(number) }

    /// All, or nothing where another process has one of them. Adds to what the claim has. `marked` as in `mark`; what is held as
    /// `enclosures` by who waits for this is not in the way.
    mutating func take(
        _ id: ClaimID, _ intents: [FileIntent], marked name: ClaimID? = nil, within enclosures: [Enclosure] = []
    ) -> Bool {
        take(id, places: Self.places(of: intents), marked: name, within: enclosures)
    }

    /// The same for what ends soon. Of many items others may have to wait meanwhile for what lies beside them, too.
    mutating func takeBriefly(_ id: ClaimID, _ intents: [FileIntent], within enclosures: [Enclosure] = []) -> Bool {
        if let whole = Self.placesOfWhole(intents), take(id, places: whole, marked: nil, within: enclosures) {
            return true
        }
        return take(id, intents, within: enclosures)
    }

    private mutating func take(
        _ id: ClaimID, places: [Int64: Bool], marked name: ClaimID?, within enclosures: [Enclosure]
    ) -> Bool {
        var wanted = places
        if let name { wanted[Self.place(ofHolderOf: name)] = true }
        for had in [outer(enclosures), claims[id] ?? [:]] {
            for (place, isAlone) in had where isAlone || wanted[place] == false { wanted[place] = nil }
        }
        var taken: [Int64] = []
        for (place, isAlone) in wanted {
            count(place, isAlone, 1)
            taken.append(place)
            guard lock(place) else {
                for place in taken {
                    count(place, wanted[place] == true, -1)
                    _ = lock(place)
                }
                return false
            }
        }
        for (place, isAlone) in wanted {
            if let before = claims[id]?[place] { count(place, before, -1) }
            claims[id, default: [:]][place] = isAlone
        }
        return true
    }

    mutating func heed(_ enclosures: [Enclosure]) -> UInt64 {
        lastSurrounding += 1
        surroundings[lastSurrounding] = enclosures
        return lastSurrounding
    }

    mutating func endHeeding(_ number: UInt64) { surroundings[number] = nil }

    /// What programs have locks for now that wait for parts of this one. What is theirs no more is anybody's, and what they have
    /// of another drive has its mark in another file.
    var outer: [Int64: Bool] { outer([]) }

    /// The same, and of these.
    private func outer(_ enclosures: [Enclosure]) -> [Int64: Bool] {
        (surroundings.values.joined() + enclosures).reduce(into: [:]) { all, enclosure in
            if isMarked(enclosure.claim) { all.merge(enclosure.places) { $0 || $1 } }
        }
    }

    /// Until it is released, others can tell that this process has locks for the claim, which they know by this name.
    mutating func mark(_ id: ClaimID, as name: ClaimID) {
        let place = Self.place(ofHolderOf: name)
        guard claims[id] != nil, claims[id]?[place] == nil else { return }
        claims[id]?[place] = true
        set(place, isAlone: true, true)
    }

    private func isMarked(_ name: ClaimID) -> Bool {
        let place = Self.place(ofHolderOf: name)
        return counts[place] != nil || isTaken(place, length: 1, Int16(F_WRLCK))
    }

    /// Whether this would wait for a program that waits for this one: it shares what is wanted alone.
    func isHopeless(_ intents: [FileIntent], within enclosures: [Enclosure] = []) -> Bool {
        let outer = outer(enclosures)
        return Self.places(of: intents).contains { $0.value && outer[$0.key] == false }
    }

    mutating func release(_ id: ClaimID) {
        for (place, isAlone) in claims.removeValue(forKey: id) ?? [:] {
            count(place, isAlone, -1)
            _ = lock(place)
        }
    }

    private mutating func count(_ place: Int64, _ isAlone: Bool, _ change: Int) {
        var now = counts[place] ?? (0, 0)
        if isAlone { now.alone += change } else { now.shared += change }
        counts[place] = now.shared + now.alone > 0 ? now : nil
    }

    /// Makes the kernel's lock what the counts say; false where another process is in the way. A file system without such
    /// locks is never in the way (fcntl(2): EINVAL, ENOLCK).
    private mutating func lock(_ place: Int64) -> Bool {
        let now = counts[place] ?? (0, 0)
        let type = Int16(now.alone > 0 ? F_WRLCK : now.shared > 0 ? F_RDLCK : F_UNLCK)
        let had = kept[place] ?? Int16(F_UNLCK)
        if type == had { return true }
        if lingers, type == F_UNLCK, had == F_RDLCK {
            linger(place)
            return true
        }
        guard lock(place, type) else { return false }
        kept[place] = type == F_UNLCK ? nil : type
        return true
    }

    private mutating func linger(_ place: Int64) {
        lingering.removeAll { $0 == place }
        lingering.append(place)
        guard lingering.count > Self.mostLingering else { return }
        let longest = lingering.removeFirst()
        // Who uses it again lets go of it later.
        guard counts[longest] == nil, lock(longest, Int16(F_UNLCK)) else { return }
        kept[longest] = nil
    }

    /// Whether this process is the arbiter of others.
    var isServing = false {
        didSet {
            if isServing != oldValue { set(Self.arbiterPlace, isAlone: true, isServing) }
        }
    }

    /// Whether this process has asked that arbiter for something, or been granted it.
    mutating func setAsking(_ isAsking: Bool, arbiter: Int32) {
        if isAsking == asked.contains(arbiter) { return }
        if isAsking { asked.insert(arbiter) } else { asked.remove(arbiter) }
        set(Self.place(ofAskersOf: arbiter), isAlone: false, isAsking)
    }

    private mutating func set(_ place: Int64, isAlone: Bool, _ isOn: Bool) {
        count(place, isAlone, isOn ? 1 : -1)
        _ = lock(place)
    }

    /// Whether somebody has what an arbiter granted that is gone, and has not taken its own locks yet.
    var areOrphans: Bool {
        guard isServing else {
            return isTaken(Self.arbiterPlace + 1, length: 0, Int16(F_WRLCK))
                && !isTaken(Self.arbiterPlace, length: 1, Int16(F_RDLCK))
        }
        let own = Self.place(ofAskersOf: getpid())
        let first = Self.arbiterPlace + 1
        return isTaken(first, length: own - first, Int16(F_WRLCK)) || isTaken(own + 1, length: 0, Int16(F_WRLCK))
    }

    /// Beyond all places of items. An arbiter has the first alone; who asks one shares that of its process: the kernel lets go of
    /// the one with the arbiter, and of the other with the asker only.
    private static let arbiterPlace: Int64 = 1 << 62
    private static func place(ofAskersOf arbiter: Int32) -> Int64 { arbiterPlace + 1 + Int64(max(arbiter, 0)) }

    /// Whether another process has any lock of this file.
    var isAnybodyElseThere: Bool { isTaken(0, length: 0, Int16(F_WRLCK)) }

    /// Whether no other process is in the way of these, which are not taken. What the program has that waits for this one
    /// is not.
    func areFree(_ intents: [FileIntent], within enclosures: [Enclosure] = []) -> Bool {
        let outer = outer(enclosures)
        return !Self.places(of: intents).contains { place, isAlone in
            if let had = outer[place], had || !isAlone { return false }
            return isTaken(place, length: 1, Int16(isAlone ? F_WRLCK : F_RDLCK))
        }
    }

    /// Whether a lock of this type would have to wait. A length of 0 reaches to the end.
    private func isTaken(_ place: Int64, length: Int64, _ type: Int16) -> Bool {
        var lock = Self.flock(place, length: length, type)
        while true {
            if withUnsafeMutablePointer(to: &lock, { fcntl(number, Self.getLock, $0) }) == 0 {
                return lock.l_type != Int16(F_UNLCK)
            }
            if errno != EINTR { return false }
        }
    }

    /// What fcntl(2) wants to be 0 with these locks is l_pid, which it is.
    private static func flock(_ place: Int64, length: Int64, _ type: Int16) -> flock {
        var lock = Glibc.flock()
        lock.l_type = type
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(place)
        lock.l_len = off_t(length)
        return lock
    }

    private func lock(_ place: Int64, _ type: Int16) -> Bool {
        var lock = Self.flock(place, length: 1, type)
        while true {
            if withUnsafeMutablePointer(to: &lock, { fcntl(number, Self.setLock, $0) }) == 0 { return true }
            if errno != EINTR { return errno != EAGAIN && errno != EACCES }
        }
    }

    /// F_OFD_SETLK and F_OFD_GETLK (fcntl.h): locks of an open file, not of a process, so that closing some other descriptor of the file
    /// ends none.
    private static let setLock: Int32 = 37
    private static let getLock: Int32 = 36
}
