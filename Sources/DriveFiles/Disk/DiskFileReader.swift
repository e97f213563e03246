import CLinux
import DriveCore
import Glibc

extension DiskFileStore {
    public func read(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> (any FileReader)? {
        guard let (file, first) = try openedFile(name, in: folder) else { return nil }
        let (facts, isDated) = try datedFacts(of: file, first.facts(on: volume))
        return DiskFileReader(file, facts: facts, isDated: isDated, volume: volume, fingerprints: fingerprints)
    }

    /// One call of the kernel less for each of many small files.
    public func read(
        _ name: FileName, in folder: OpenFolder, as facts: FileFacts
    ) throws(DriveError) -> (any FileReader)? {
        if Tick.wait(for: facts.changed) { return try read(name, in: folder) }
        guard let file = try openAnything(name, in: folder) else { return nil }
        return DiskFileReader(file, facts: facts, isDated: true, volume: volume, fingerprints: fingerprints)
    }

    public func readUndated(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> (any FileReader)? {
        guard let (file, first) = try openedFile(name, in: folder) else { return nil }
        return DiskFileReader(
            file, facts: first.facts(on: volume), isDated: true, volume: volume, fingerprints: fingerprints)
    }

    /// Nil where there is no file of that name.
    func openedFile(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> (Descriptor, dd_facts)? {
        guard let file = try openAnything(name, in: folder) else { return nil }
        let facts = try file.facts()
        return facts.kind == DD_KIND_FILE ? (file, facts) : nil
    }

    /// Nil where nothing has the name that can be opened; a pipe or a device may have it.
    private func openAnything(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> Descriptor? {
        let result = dd_open_file(folder.descriptor, name.bytes, name.bytes.count)
        // ENXIO, ENODEV: a socket or a device without a driver (open(2)).
        if result < 0, (-result).meansAbsent || result == -ENXIO || result == -ENODEV { return nil }
        return Descriptor(
            try check(result, "read the file", path: Descriptor.path(of: name, in: folder.descriptor)))
    }

    /// The facts of a file at a moment from which on every write gives it another date; false where it is written so fast
    /// that there was none.
    private func datedFacts(of file: Descriptor, _ first: FileFacts) throws(DriveError) -> (FileFacts, Bool) {
        var facts = first
        for _ in 0..<3 {
            let waited = Tick.wait(for: facts.changed)
            // What is stored before that, into a page that was dirty already, has no date: so it comes after the wait, and counts where
            // nothing was dated since.
            let mayBeMapped = file.letMappedWritesShow(facts)
            if !waited, !mayBeMapped { return (facts, true) }
            let now = try file.facts().facts(on: volume)
            if now.looksUnchanged(since: facts) { return (now, true) }
            facts = now
        }
        return (facts, false)
    }
}

/// Reads a file.
final class DiskFileReader: FileReader {
    let facts: FileFacts
    /// A write after these facts shows in the dates, or nobody keeps them.
    private let isDated: Bool
    let file: Descriptor
    private let volume: Volume
    private let fingerprints: KeyedFingerprints?
    private var position: UInt64 = 0

    init(_ file: Descriptor, facts: FileFacts, isDated: Bool, volume: Volume, fingerprints: KeyedFingerprints?) {
        self.file = file
        self.facts = facts
        self.isDated = isDated
        self.volume = volume
        self.fingerprints = fingerprints
        if facts.size > 1 << 20 { dd_advise_sequential(file.number) }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DriveError) -> Int {
        let filled = facts.size < leastDirect ? try readOn(into: buffer) : try read(at: position, into: buffer)
        position += UInt64(filled)
        return filled
    }

    /// Through the page cache. By offset, so that of a pipe, which may be where a file was, nothing is taken (pread(2)).
    private func readOn(into buffer: UnsafeMutableRawBufferPointer) throws(DriveError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let offset = position + UInt64(filled)
            let count = try check(
                dd_read_at(file.number, buffer.baseAddress! + filled, buffer.count - filled, offset), "read the file",
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

    /// By the open file: a kernel before 6.13 has no listing by folder and name, and would need the whole path.
    func extendedAttributes() throws(DriveError) -> [AttributeKey: [UInt8]] {
        try carriedAttributes(among: file.attributeNames(), file.attribute)
    }

    func contentDigest() -> any ContentDigest { fingerprints?.digest() ?? ContentHasher() }
}
