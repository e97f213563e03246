import DriveCore

/// What there is in staging of large contents whose download came to no end: the next one begins with it. A process that was
/// killed leaves it too; every chunk is verified before it is used again.
struct UnfinishedDownloads {
    private let parts: DriveParts

    /// The content's hash follows, and something of its own.
    static let prefix = "part-"
    /// In milliseconds: 7 days.
    private static let lifetime: UInt64 = 7 * 86_400_000

    init(_ parts: DriveParts) { self.parts = parts }

    func newName(for content: Content) -> FileName {
        FileName("\(Self.prefix)\(content.hash)-\(parts.entropy.nonce(8))")
    }

    func parts(of content: Content) throws -> [FileName] { try names("\(Self.prefix)\(content.hash)-") }

    /// Nil where it is not there any more, or cannot be read.
    func open(_ name: FileName, _ content: Content) throws -> LocalContent? {
        guard let reader = try? parts.files.readUndated(name, in: parts.files.open(.incoming)) else { return nil }
        return LocalContent(content: content, file: reader)
    }

    enum Kept { case none, longest }

    /// Best effort: without it the next download is longer.
    func keep(_ kept: Kept, of names: [FileName]) {
        guard let incoming = try? parts.files.open(.incoming) else { return }
        let sizes = names.map { (try? parts.files.look(at: $0, in: incoming))?.size ?? 0 }
        let longest = kept == .longest ? sizes.indices.max { sizes[$0] < sizes[$1] } : nil
        for place in names.indices where place != longest || sizes[place] == 0 {
            try? parts.files.discard(names[place], in: .incoming)
        }
    }

    /// False where there are none.
    func removeAll() throws -> Bool {
        let all = try names(Self.prefix)
        for name in all { try parts.files.discard(name, in: .incoming) }
        return !all.isEmpty
    }

    /// Whether something in staging may still be of use.
    func isWanted(_ entry: FolderEntry, in incoming: OpenFolder) throws -> Bool {
        guard entry.name.bytes.starts(with: Self.prefix.utf8), entry.kind != .folder,
            let facts = try parts.files.look(at: entry.name, in: incoming), facts.kind == .file
        else { return false }
        let age = Int64(clamping: parts.clock.milliseconds() / 1_000) - facts.modified.seconds
        return age.magnitude < Self.lifetime / 1_000
    }

    private func names(_ prefix: String) throws -> [FileName] {
        try parts.files.list(parts.files.open(.incoming)).map(\.name).filter { $0.bytes.starts(with: prefix.utf8) }
    }
}
