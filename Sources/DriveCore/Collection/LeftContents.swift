/// Contents that nothing needs any more and that may have left the store, as far as this device knows: their objects were removed,
/// or somebody who wants to remove them has been told that they can go.
///
/// What is stored again has other objects, so it is another content here.
public struct LeftContents: Hashable, Sendable {
    private var standings: [ID: Standing] = [:]

    public enum Standing: UInt8, Hashable, Sendable {
        /// Nothing speaks against its being there.
        case kept
        /// Others may have removed it since.
        case given
        case removed
        /// Nobody had it any more, so that its file went on without.
        case givenUp
        /// It was looked for, and was not there. A store that is itself synced may show it yet, and another device may have it.
        case missed

        public var mayBeThere: Bool { self != .removed && self != .givenUp }

        /// What is known for sure stands against what is only suspected.
        fileprivate var certainty: Int {
            switch self {
            case .kept: 0
            case .given: 1
            case .missed: 2
            case .removed: 3
            case .givenUp: 4
            }
        }
    }

    private struct ID: Hashable, Comparable {
        var hash: ContentHash
        var object: ObjectKey

        /// Nil for a content that lies in no object.
        init?(_ content: Content) {
            guard let first = content.namedChunks.first else { return nil }
            self.init(content.hash, first.object)
        }

        init(_ hash: ContentHash, _ object: ObjectKey) { (self.hash, self.object) = (hash, object) }

        static func < (a: ID, b: ID) -> Bool { (a.hash, a.object) < (b.hash, b.object) }
    }

    public init() {}

    public var isEmpty: Bool { standings.isEmpty }

    /// What was removed or given up; the same bytes may have been stored once more.
    public var gone: Set<ContentHash> { Set(standings.lazy.filter { !$0.value.mayBeThere }.map(\.key.hash)) }

    public func standing(of content: Content) -> Standing {
        ID(content).flatMap { standings[$0] } ?? .kept
    }

    /// These objects were removed, or may be. `unneeded` are all contents that are remembered and that nothing here needs: of others
    /// nothing is kept. A large content names the list of its objects alone, so one that no content names may be one of its own.
    public mutating func note(_ objects: Set<ObjectKey>, _ standing: Standing, unneeded: Set<Content>) {
        var unnamed = objects
        for content in unneeded { for chunk in content.namedChunks { unnamed.remove(chunk.object) } }
        var result: [ID: Standing] = [:]
        for content in unneeded {
            guard let id = ID(content) else { continue }
            var new = Standing.kept
            if content.namedChunks.contains(where: { objects.contains($0.object) }) {
                new = standing
            } else if case .list = content.body, !unnamed.isEmpty {
                new = .given
            }
            let all = [new, standings[id] ?? .kept].max { $0.certainty < $1.certainty }
            if let all, all != .kept { result[id] = all }
        }
        standings = result
    }

    /// These were looked for in vain, are waited for no longer, or may have left with what else the store has lost.
    public mutating func note(_ contents: some Sequence<Content>, _ standing: Standing) {
        for id in contents.compactMap(ID.init) where standings[id].map({ $0.certainty < standing.certainty }) ?? true {
            standings[id] = standing
        }
    }

    /// It is there, whatever was known of it.
    public mutating func noteFound(_ content: Content) {
        if let id = ID(content) { standings[id] = nil }
    }

    public init(_ bytes: [UInt8]) throws(DriveError) {
        var reader = ByteReader(bytes)
        for _ in 0..<(try reader.count(limit: 1 << 24, each: 34)) {
            let id = ID(try reader.hash(), try reader.text(limit: 512))
            standings[id] = Standing(rawValue: try reader.byte())
        }
        try reader.expectEnd()
    }

    public var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.count(standings.count)
        for (id, standing) in standings.sorted(by: { $0.key < $1.key }) {
            writer.hash(id.hash)
            writer.blob(Array(id.object.utf8))
            writer.byte(standing.rawValue)
        }
        return writer.bytes
    }
}
