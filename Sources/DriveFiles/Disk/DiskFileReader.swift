import CLinux
import CXXHash
import DriveCore
import Glibc
import Synchronization

extension DiskFileStore {
    public func read(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> (any FileReader)? {
        guard let file = try openedFile(name, in: folder) else { return nil }
        let (facts, isDated) = try datedFacts(of: file)
        return DiskFileReader(file, facts: facts, isDated: isDated, volume: volume, hashStates: hashStates)
    }

    public func readUndated(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> (any FileReader)? {
        guard let file = try openedFile(name, in: folder) else { return nil }
        let facts = try file.facts().facts(on: volume)
        return DiskFileReader(file, facts: facts, isDated: true, volume: volume, hashStates: hashStates)
    }

    /// Nil where there is no file of that name.
    func openedFile(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> Descriptor? {
        let result = dd_open_file(folder.descriptor, name.bytes, name.bytes.count)
        // ENXIO, ENODEV: a socket or a device without a driver (open(2)).
        if result < 0, (-result).meansAbsent || result == -ENXIO || result == -ENODEV { return nil }
        let file = Descriptor(
            try check(result, "read the file", path: Descriptor.path(of: name, in: folder.descriptor)))
        return try file.facts().kind == DD_KIND_FILE ? file : nil
    }

    /// The facts of a file at a moment from which on every write gives it another date; false where it is written so fast
    /// that there was none.
    private func datedFacts(of file: Descriptor) throws(DriveError) -> (FileFacts, Bool) {
        for _ in 0..<3 {
            let facts = try file.facts().facts(on: volume)
            if !Tick.wait(for: facts.changed) { return (facts, true) }
        }
        return (try file.facts().facts(on: volume), false)
    }
}

/// Reads a file and fingerprints what it reads.
private final class DiskFileReader: FileReader {
    let facts: FileFacts
    /// A write after these facts shows in the dates, or nobody keeps them.
    private let isDated: Bool
    private let file: Descriptor
    private let volume: Volume
    private let hashStates: HashStates
    private let hash: HashStates.State
    private var position: UInt64 = 0

    init(_ file: Descriptor, facts: FileFacts, isDated: Bool, volume: Volume, hashStates: HashStates) {
        self.file = file
        self.facts = facts
        self.isDated = isDated
        self.volume = volume
        self.hashStates = hashStates
        hash = hashStates.take()
        if facts.size > 1 << 20 { dd_advise_sequential(file.number) }
    }

    deinit { hashStates.giveBack(hash) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DriveError) -> Int {
        let filled = facts.size < leastDirect ? try readOn(into: buffer) : try read(at: position, into: buffer)
        position += UInt64(filled)
        if filled > 0 { _ = dd_xxh3_update(hash.pointer, buffer.baseAddress!, filled) }
        return filled
    }

    /// In the file's own order, which the kernel reads ahead of.
    private func readOn(into buffer: UnsafeMutableRawBufferPointer) throws(DriveError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = try check(
                dd_read(file.number, buffer.baseAddress! + filled, buffer.count - filled), "read the file",
                path: Descriptor.path(of: nil, in: file.number))
            filled += count
            // At the expected end another call would only say so again.
            if count == 0 || position + UInt64(filled) == facts.size { break }
        }
        return filled
    }

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(DriveError) -> Int {
        try file.read(at: offset, into: buffer, path: Descriptor.path(of: nil, in: file.number))
    }

    func isUnchanged() throws(DriveError) -> Bool {
        let now = try file.facts().facts(on: volume)
        return isDated && now.looksUnchanged(since: facts)
    }

    var fingerprint: Fingerprint {
        let value = XXH3_128bits_digest(hash.pointer)
        return Fingerprint(high: value.high64, low: value.low64)
    }
}

/// Hash states for use again: a scan opens a hundred thousand files, and a state is 576 bytes, aligned to 64.
final class HashStates: Sendable {
    /// An address, because a pointer may not cross threads; between `take` and `giveBack` it has one owner.
    struct State: Sendable {
        fileprivate let address: UInt
        var pointer: OpaquePointer { OpaquePointer(bitPattern: address)! }
    }

    private let idle = Mutex<[State]>([])

    func take() -> State {
        let state = idle.withLock { $0.popLast() } ?? State(address: UInt(bitPattern: XXH3_createState()))
        XXH3_128bits_reset(state.pointer)
        return state
    }

    func giveBack(_ state: State) { idle.withLock { $0.append(state) } }

    deinit { idle.withLock { $0.forEach { XXH3_freeState($0.pointer) } } }
}
