import DriveCore
import FileCoordination

/// Where rules are read from.
enum IgnoreFile {
    struct Text: Hashable {
        var bytes: [UInt8] = []
        /// The file goes on.
        var isCut = false

        var rules: IgnoreRules { IgnoreRules(bytes, isCut: isCut) }
    }

    /// What a pass goes by. Nil where nothing is there: another device may have sent a folder of that name, and a pipe has no end.
    static func rules(at path: DrivePath, in files: any FileStore, _ state: any DriveState) throws -> IgnoreRules? {
        guard let name = path.name, let folder = try files.open(path: path.parent),
            let facts = try files.look(at: name, in: folder)
        else { return nil }
        if facts.kind == .link { return .linked(last: try RememberedRules.rules(of: path, facts, in: state)) }
        if let rules = Self.rules(ofNoFile: facts.kind) { return rules }
        do {
            guard let reader = try files.readUndated(name, in: folder) else { return nil }
            return try text(reader).rules
        } catch {
            guard error.remedy == .skip else { throw error }
            return try RememberedRules.rules(of: path, facts, in: state) ?? unread(error)
        }
    }

    /// Of what has the name of an ignore file and can hold no rules. Nil for a file, and for a link, whose owner keeps rules where it leads.
    static func rules(ofNoFile kind: FileFacts.Kind) -> IgnoreRules? {
        switch kind {
        case .file, .link: nil
        case .folder: IgnoreRules.empty("it is a folder, which holds no rules")
        case .other: IgnoreRules.empty("it is no file, and holds no rules")
        }
    }

    static func unread(_ error: DriveError) -> IgnoreRules {
        // Without the advice, which tells of the file alone.
        let what = error.message.prefix { $0 != ";" }
        return .unread("its rules are not known: \(what)")
    }

    static func text(_ reader: any FileReader) throws(DriveError) -> Text {
        var text = Text()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { buffer.deallocate() }
        // Longer ones are no lists of rules.
        while text.bytes.count <= longest {
            let count = try reader.read(into: buffer)
            if count == 0 { return text }
            text.bytes += buffer[..<count]
        }
        text.isCut = true
        return text
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
