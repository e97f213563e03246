extension ItemState {
    /// The state that knows what both knew: commutative, associative, idempotent.
    ///
    /// A dot that one side lists and the other's context covers without listing was removed there for good; that is
    /// sound because a record carries all dots that its writer knew and did not replace.
    /// The two must be states of one item; kind never differs between honest writers, and the first one's is kept.
    public func joined(_ other: ItemState) -> ItemState {
        precondition(id == other.id, "join of two different items")
        var result = self
        result.context = context.joined(other.context)
        result.name = name.joined(other.name)
        result.placement = placement.joined(other.placement)
        result.attributes.merge(other.attributes) { $0.joined($1) }
        result.heads = joinedDots(heads, context, other.heads, other.context, dot: \.dot) { mine, theirs in
            var head = mine
            head.mark = mine.mark.union(theirs.mark)
            head.content = mine.content.joined(theirs.content)
            return head
        }
        result.life = joinedDots(life, context, other.life, other.context, dot: \.dot) { mine, theirs in
            LifeDot(dot: mine.dot, mark: mine.mark.union(theirs.mark))
        }
        return result
    }
}

/// Both lists are sorted by dot, and so is the result.
private func joinedDots<Element>(
    _ a: [Element], _ contextA: DeviceVector, _ b: [Element], _ contextB: DeviceVector,
    dot: (Element) -> Dot, merge: (Element, Element) -> Element
) -> [Element] {
    var result: [Element] = []
    result.reserveCapacity(max(a.count, b.count))
    var i = 0
    var j = 0
    while i < a.count || j < b.count {
        if j == b.count || (i < a.count && dot(a[i]) < dot(b[j])) {
            if !contextB.covers(dot(a[i])) { result.append(a[i]) }
            i += 1
        } else if i == a.count || dot(b[j]) < dot(a[i]) {
            if !contextA.covers(dot(b[j])) { result.append(b[j]) }
            j += 1
        } else {
            result.append(merge(a[i], b[j]))
            i += 1
            j += 1
        }
    }
    return result
}
