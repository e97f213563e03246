/// Which contents an item's contents come from: each names the one that it replaced.
public struct Ancestry: Sendable {
    private var known: [Content.Predecessor: Content] = [:]

    /// Of the contents that the item had and has.
    public init(_ contents: some Sequence<Content>) {
        for content in contents { known[Content.Predecessor(content.hash)] = content }
    }

    /// The newest content that both come from, one of them included; nil where their histories do not meet, as far as
    /// they are known here.
    public func common(_ a: Content, _ b: Content) -> Content.Predecessor? {
        let others = Set(line(of: b))
        return line(of: a).first { others.contains($0) }
    }

    /// Nil where only its name is known.
    public func content(_ version: Content.Predecessor) -> Content? { known[version] }

    /// The content itself and what it comes from, the newest first.
    private func line(of content: Content) -> [Content.Predecessor] {
        var line = [Content.Predecessor(content.hash)]
        var seen = Set(line)
        var next = content.was
        // Who goes back to an earlier content makes a ring.
        while let version = next, seen.insert(version).inserted {
            line.append(version)
            next = known[version]?.was
        }
        return line
    }
}
