import DriveCore

/// Tells who shows an item which conflicts have come and which are over: what stands now is compared with what stood when
/// they were last told. So it is all the same who ended one: a person, an act, or another device.
///
/// For the engine's one thread.
public final class ConflictNews {
    /// A content that is shown as a copy.
    struct Version: Hashable {
        /// The file that it is a version of.
        var file: DrivePath
        var content: ContentHash
    }

    /// What was shown when it was last looked: of other items nobody would hear.
    private var shown: Set<DrivePath> = []
    /// Of what is shown.
    private var told: [HeadKey: Version] = [:]
    /// Told to be over by whoever has ended them; for the index they stand until the next scan.
    private var ended: Set<HeadKey> = []

    public init() {}

    /// Before anything happens: what stands already is no news. Costs nothing while nobody shows anything.
    func begin(_ parts: DriveParts) throws {
        guard let claims = parts.claims else { return }
        let (before, known) = (shown, told)
        shown = Set(claims.presentedPaths)
        guard shown != before else { return }
        let now = try standing(parts.state)
        // Of what was shown before too, the news are still to come.
        told = now.filter { known[$0.key] != nil || !$0.value.file.isInside(oneOf: before) }
            .merging(known.filter { now[$0.key] == nil && $0.value.file.isInside(oneOf: shown) }) { $1 }
    }

    func tell(_ parts: DriveParts) throws {
        guard let claims = parts.claims, !shown.isEmpty else { return }
        let now = try standing(parts.state)
        for (key, version) in told.inOrder where now[key] == nil && !ended.contains(key) {
            claims.announce(version.file, VersionNews(.resolved, version.content.description))
        }
        for (key, version) in now.inOrder where told[key] == nil {
            claims.announce(version.file, VersionNews(.gained, version.content.description))
        }
        told = now
        ended.formIntersection(now.keys)
    }

    /// An act has just ended the conflict that this content of the file stood for.
    public func end(_ content: ContentHash, of file: DrivePath, _ parts: DriveParts) throws {
        try begin(parts)
        let version = Version(file: file, content: content)
        let keys = told.filter { $0.value == version && !ended.contains($0.key) }.map(\.key)
        guard !keys.isEmpty else { return }
        ended.formUnion(keys)
        parts.claims?.announce(file, VersionNews(.resolved, content.description))
    }

    /// What is on this disk as the view shows it, of what somebody shows.
    private func standing(_ state: any DriveState) throws -> [HeadKey: Version] {
        guard !shown.isEmpty else { return [:] }
        let reader = ViewReader(state)
        var result: [HeadKey: Version] = [:]
        for node in try state.nodesWithDerivedNames() {
            guard let folder = try reader.path(ofNode: node),
                shown.contains(where: { folder.isInside($0) || $0.isInside(folder) })
            else { continue }
            for derived in try state.derivedNames(in: node) {
                let file = folder.appending(derived.ownName)
                guard file.isInside(oneOf: shown), let copy = try state.row(at: folder.appending(derived.name)),
                    copy.isDerived,
                    let content = copy.hash
                else { continue }
                result[derived.key] = Version(file: file, content: content)
            }
        }
        return result
    }
}

extension DrivePath {
    fileprivate func isInside(oneOf folders: Set<DrivePath>) -> Bool { folders.contains { isInside($0) } }
}

extension [HeadKey: ConflictNews.Version] {
    fileprivate var inOrder: [(HeadKey, ConflictNews.Version)] {
        map { ($0.key, $0.value) }.sorted { ($0.1.file, $0.1.content) < ($1.1.file, $1.1.content) }
    }
}
