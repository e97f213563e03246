/// Which contents an item's contents come from: each names the one that it replaced.
///
/// A content may come again, by an undo or by hand: then what a later one replaced is one of several that are equal, and what came
/// before differs. It is never one that is younger. Of those that the writer wrote itself it is the last, since it knew that;
/// else the first is taken, which leads to an older text: with a base that is too old a merge may bring back what was taken out,
/// with one that is too young it would take out what was written.
public struct Ancestry: Sendable {
    /// The oldest first.
    private var known: [Content.Predecessor: [Head]] = [:]

    /// Of the contents that the item had and has.
    public init(_ heads: some Sequence<Head>) {
        for head in heads { known[Content.Predecessor(head.content.hash), default: []].append(head) }
        for version in known.keys { known[version]?.sort { $0.age < $1.age } }
    }

    /// The newest content that both come from, one of them included; nil where their histories do not meet, as far as
    /// they are known here.
    public func common(_ a: Head, _ b: Head) -> Content.Predecessor? {
        let others = Set(line(of: b))
        return line(of: a).first { others.contains($0) }
    }

    /// Nil where only its name is known.
    public func content(_ version: Content.Predecessor) -> Content? { known[version]?.last?.content }

    /// The content itself and what it comes from, the newest first.
    private func line(of head: Head) -> [Content.Predecessor] {
        var line = [Content.Predecessor(head.content.hash)]
        var last = head
        while let version = last.content.was {
            line.append(version)
            guard let before = replaced(by: last, version) else { break }
            last = before
        }
        return line
    }

    private func replaced(by head: Head, _ version: Content.Predecessor) -> Head? {
        let older = known[version]?.filter { $0.age < head.age } ?? []
        return older.last { $0.dot.device == head.dot.device } ?? older.first
    }
}

extension Head {
    fileprivate var age: Tag { Tag(time: time, dot: dot) }
}
