extension ItemState {
    /// What no program of good will writes, so that a reader may refuse the journal that holds it; nil where the record is
    /// fine. Looks at the record alone: whether it is refused depends on nobody's state.
    public var flaw: String? {
        if id == .root { return "a record is about the root" }
        // Else a dot that nobody wrote yet would stand where the real one comes later.
        return knowsItsDots ? nil : "a record does not know what is in it"
    }

    private var knowsItsDots: Bool {
        context.covers(name.tag.dot) && context.covers(placement.tag.dot)
            && attributes.values.allSatisfy { context.covers($0.tag.dot) }
            && heads.allSatisfy { context.covers($0.dot) } && life.allSatisfy { context.covers($0.dot) }
    }
}
