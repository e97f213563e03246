import DriveCore
import FileCoordination

/// Where rules are read from.
enum IgnoreFile {
    /// Nil where no file is there: another device may have sent a link or a folder of that name, and a pipe has no end.
    static func rules(at path: DrivePath, in files: any FileStore) throws(DriveError) -> IgnoreRules? {
        guard let name = path.name, let folder = try files.open(path: path.parent),
            let reader = try files.readUndated(name, in: folder)
        else { return nil }
        return try rules(reader)
    }

    static func rules(_ reader: any FileReader) throws(DriveError) -> IgnoreRules {
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { buffer.deallocate() }
        // Longer ones are no lists of rules.
        while bytes.count <= longest {
            let count = try reader.read(into: buffer)
            if count == 0 { return IgnoreRules(bytes) }
            bytes += buffer[..<count]
        }
        return IgnoreRules(bytes, isCut: true)
    }

    /// Another device's rules for the root, before apply has brought them here.
    static func stored(_ engine: DriveEngine) async throws -> IgnoreRules? {
        let state = engine.parts.state
        guard try state.rowCount() == 0, let reader = engine.parts.transport?.contentReader(),
            let entry = try ViewReader(state).entry(named: IgnoreRules.fileName, in: .root), entry.kind == .file,
            let content = entry.content, content.size < longest
        else { return nil }
        var bytes: [UInt8] = []
        do {
            try await reader.read(content) { part throws(DriveError) in bytes += Array(part) }
        } catch {
            guard error.remedy == .skip else { throw error }
            // Gone or damaged in the store, or not there yet. That must not keep everything else from coming, and nobody
            // needs what the usual rules leave out.
            return IgnoreRules(Array(IgnoreRules.defaultFile.utf8))
        }
        return IgnoreRules(bytes)
    }

    private static let longest = 1 << 20
}
