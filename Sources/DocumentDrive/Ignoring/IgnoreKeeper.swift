import DriveCore
import DriveIndex
import FileCoordination
import Synchronization

/// The ignore rules of a drive as they stand in its folders; looked at again before every scan.
final class IgnoreKeeper: Sendable {
    private struct State {
        var tree = IgnoreTree()
        var digest = Fingerprint(IgnoreTree().source)
        /// What each file looked like when it was read.
        var facts: [DrivePath: FileFacts] = [:]
    }

    private let state = Mutex(State())

    func ignores(_ path: DrivePath, isFolder: Bool) -> Bool {
        state.withLock { $0.tree.ignores(path, isFolder: isFolder) }
    }

    /// Tells the rules for what is directly in a folder from others (`EngineOptions.ignoreRules`).
    func rules(in folder: DrivePath) -> Fingerprint {
        state.withLock { state in
            guard state.tree.needsPlaces else { return state.digest }
            var writer = ByteWriter()
            writer.fixed(state.digest.high)
            writer.fixed(state.digest.low)
            for name in folder.components { writer.blob(name.bytes) }
            return Fingerprint(writer.bytes)
        }
    }

    /// Reads what is new. Rules that come with a scan count from the next one on, those of the root at once.
    func refresh(_ engine: DriveEngine) async throws {
        let files = engine.parts.files
        var paths: Set<DrivePath> = [DrivePath([IgnoreRules.fileName])]
        if let index = engine.parts.state as? DriveIndex {
            for row in try index.ignoreFiles() { paths.insert(try index.path(of: row)) }
        }
        let known = state.withLock { $0.facts }
        var rules: [DrivePath: (FileFacts?, IgnoreRules?)] = [:]
        for path in paths.union(known.keys) {
            do {
                guard let (reader, facts) = try Self.open(path, files) else {
                    rules[path] = (nil, path.parent.isRoot ? try await Self.stored(engine) : nil)
                    continue
                }
                if known[path]?.looksUnchanged(since: facts) == true { continue }
                rules[path] = (facts, IgnoreRules(try Self.bytes(reader)))
            } catch let error as DriveError where error.remedy == .skip {
                // What is known of it counts on, and the scan names the file: one bad file stops nothing else.
                continue
            }
        }
        if rules.isEmpty { return }
        state.withLock { state in
            for (path, (facts, found)) in rules {
                state.facts[path] = facts
                state.tree[path.parent] = found
            }
            state.digest = Fingerprint(state.tree.source)
        }
    }

    /// Another device's rules, before apply has brought them here.
    private static func stored(_ engine: DriveEngine) async throws -> IgnoreRules? {
        let state = engine.parts.state
        guard try state.rowCount() == 0, let reader = engine.parts.transport?.contentReader(),
            let entry = try ViewReader(state).entry(named: IgnoreRules.fileName, in: .root), entry.kind == .file,
            let content = entry.content, content.size < 1 << 20
        else { return nil }
        do { return IgnoreRules(try await bytes(of: content, reader)) } catch {
            guard error.remedy == .skip else { throw error }
            // Gone or damaged in the store, or not there yet. That must not keep everything else from coming, and nobody
            // needs what the usual rules leave out.
            return IgnoreRules(Array(IgnoreRules.defaultFile.utf8))
        }
    }

    private static func bytes(
        of content: Content, _ reader: any ContentReader
    ) async throws(DriveError) -> [UInt8] {
        var bytes: [UInt8] = []
        try await reader.read(content) { part throws(DriveError) in bytes += Array(part) }
        return bytes
    }

    private static func open(
        _ path: DrivePath, _ files: any FileStore
    ) throws(DriveError) -> (any FileReader, FileFacts)? {
        guard let name = path.name, let folder = try files.open(path: path.parent) else { return nil }
        return try files.read(name, in: folder).map { ($0, $0.facts) }
    }

    private static func bytes(_ reader: any FileReader) throws(DriveError) -> [UInt8] {
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { buffer.deallocate() }
        // Longer ones are no lists of rules.
        while bytes.count < 1 << 20 {
            let count = try reader.read(into: buffer)
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }
}

extension Fingerprint {
    /// Of few bytes, and the same in every process.
    fileprivate init(_ bytes: [UInt8]) {
        let words = ContentHasher.hash(of: bytes).words
        self.init(high: words.0, low: words.1)
    }
}
