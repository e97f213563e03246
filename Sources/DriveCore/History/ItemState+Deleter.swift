extension ItemState {
    /// Of what is deleted, who did that, as far as its records tell. A delete writes nothing of its own into the item, and so does what
    /// has been superseded since: nil where that leaves several.
    package var deleter: DeviceID? {
        var written = dots
        for tag in heads.compactMap(\.content.storedAgain) {
            written[tag.device] = max(written[tag.device], tag.n)
        }
        let silent = context.entries.filter { $0.n > written[$0.device] }
        return silent.count == 1 ? silent[0].device : nil
    }
}
