/// Which contents an item's contents come from: each names the record that it replaced, or where several had written the same, and
/// in what older programs recorded, only the bytes.
///
/// Bytes may come again, by a restore, an undo or by hand: then several records have what a later one replaced, and what came
/// before differs. So two contents meet in one and the same record, and never in bytes alone: who has gone back to an earlier text
/// has left what came after that, and a merge that began at that text would take it for unchanged.
///
/// Where it is not known which record is meant, and that makes a difference, there is none: with a base that is too old or too
/// young a merge drops what one side has done.
public struct Ancestry: Sendable {
    /// The oldest first.
    private let past: [Head]
    /// Where the one is that this record wrote, where those with these bytes are, and those that a device wrote.
    private var written: [Content.Predecessor: Int] = [:]
    private var same: [Content.Predecessor: [Int]] = [:]
    private var own: [DeviceID: [Int]] = [:]
    /// Of each the one that it replaced, where that can be no other.
    private var before: [Int?] = []

    /// Of the contents that the item had and has no more. What it has now are sides, of which none comes from another.
    public init(_ past: some Sequence<Head>) {
        self.past = past.sorted { $0.age < $1.age }
        for (place, head) in self.past.enumerated() {
            let older = replaced(by: head)
            before.append(older.count == 1 ? older[0] : nil)
            written[Content.Predecessor(head.dot)] = place
            same[Content.Predecessor(head.content.hash), default: []].append(place)
            own[head.dot.device, default: []].append(place)
        }
    }

    /// The newest content that both come from, whichever of them is named first; nil where their histories do not meet, or may meet
    /// in one or another, as far as they are known here.
    public func common(_ a: Head, _ b: Head) -> Content? {
        let (one, other) = (line(of: a), line(of: b))
        let certain = Set(other.certain)
        let met = one.certain.first { certain.contains($0) } ?? openMeeting(one, other)
        return met.map { past[$0].content }
    }

    /// What it certainly comes from, the newest first, and where that ends the records of which one is the next.
    private struct Line {
        var certain: [Int] = []
        var open: [Int] = []
    }

    private func line(of head: Head) -> Line {
        var line = Line()
        var next = replaced(by: head)
        while next.count == 1 {
            let place = next[0]
            line.certain.append(place)
            if let older = before[place] { next = [older] } else { next = replaced(by: past[place]) }
        }
        line.open = next
        return line
    }

    /// The one that this one replaced. Where it names only bytes: those that have them, and that its writer may have had then, the
    /// youngest first.
    ///
    /// The writer had no more what it had replaced before, itself or by something that came from others. What it wrote itself is the
    /// oldest that is possible.
    private func replaced(by head: Head) -> [Int] {
        guard let was = head.content.was else { return [] }
        if let place = written[was] { return past[place].age < head.age ? [place] : [] }
        guard let candidates = same[was] else { return [] }
        let newest = own[head.dot.device]?.last { past[$0].age < head.age }
        var had = newest
        var found: [Int] = []
        for place in candidates.reversed() where past[place].age < head.age {
            while let later = had, later > place { had = before[later] }
            if had != place || newest == place { found.append(place) }
            if past[place].dot.device == head.dot.device { break }
        }
        return found
    }

    /// Where lines meet that have no record in common for certain: in the bytes at the end of one, if neither can come from
    /// anything that is nearer to the other.
    private func openMeeting(_ one: Line, _ other: Line) -> Int? {
        let (mayBeOne, mayBeOther) = (reached(from: one.open), reached(from: other.open))
        if let place = one.certain.first(where: { mayBeOther.contains($0) }) {
            return other.open.contains(place) ? place : nil
        }
        if let place = other.certain.first(where: { mayBeOne.contains($0) }) {
            return one.open.contains(place) ? place : nil
        }
        guard let a = one.open.first, let b = other.open.first, past[a].content.hash == past[b].content.hash else {
            return nil
        }
        return max(a, b)
    }

    /// All that may be before these, which are among them.
    private func reached(from open: [Int]) -> Set<Int> {
        var found = Set(open)
        var rest = open
        while let place = rest.popLast() {
            for older in replaced(by: past[place]) where found.insert(older).inserted { rest.append(older) }
        }
        return found
    }
}

extension Head {
    fileprivate var age: Tag { Tag(time: time, dot: dot) }
}
