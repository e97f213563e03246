import DriveCore

// What is decided by the texts.
extension ResolutionPlan {
    /// The conflict as it is once what is planned is done: the class was found for what the file holds now. Nil where one of the
    /// two is not as it was.
    mutating func judged(_ conflict: Conflict, _ source: Source) throws -> Conflict? {
        guard let file, conflict.suggestion != nil, let path = conflict.copy, let copy = conflict.copySide?.hash
        else { return conflict }
        var now = conflict
        now.kind = .identical
        if file.hash == copy { return now }
        guard let mine = try text(of: file, source), let theirs = try source.text(path, copy) else { return nil }
        self.file?.text = mine
        // What both sides come from is behind the file still: it has all lines of what it was, or was merged with that.
        let base = try conflict.ancestor.flatMap(source.ancestor)
        now.currentSide?.facts.size = UInt64(mine.count)
        now.kind = ConflictClass(mine, theirs, ancestor: base) {
            base.flatMap { source.merge.isClean(mine, ancestor: $0, theirs) }
        }
        return now
    }

    private func text(of file: PlannedFile, _ source: Source) throws -> [UInt8]? {
        try file.text ?? source.text(file.place, file.hash)
    }

    mutating func merging(_ conflict: Conflict, _ source: Source) throws {
        guard let path = conflict.copy, let copy = conflict.copySide?.hash else {
            return leave(conflict, conflict.copy == nil ? conflict.reasonToLook : Self.notHere)
        }
        guard conflict.kind != .binary else { return leave(conflict, "they are no texts; open both") }
        guard let hash = conflict.ancestor, let base = try source.ancestor(hash) else {
            return leave(
                conflict,
                "the text that both come from is not known here; `docdrive conflicts diff \(conflict.id)` compares them"
            )
        }
        guard let current = file?.hash ?? conflict.currentSide?.hash,
            let mine = try text(of: file ?? PlannedFile(hash: current, place: conflict.current), source),
            let theirs = try source.text(path, copy)
        else { return leave(conflict, Self.notHere) }
        guard case .clean(let merged) = try source.merge.merge(mine, ancestor: base, theirs) else {
            return leave(
                conflict, "both changed the same lines; `docdrive conflicts diff \(conflict.id) --three-way` shows them"
            )
        }
        // Where the copy adds nothing, the file still has to be what it was found to add nothing to.
        let kept: Deed =
            merged == mine
            ? .expect(conflict.current, current) : .write(merged, at: conflict.current, replacing: current)
        resolve(conflict, [kept, .takeAway(path, copy)], "merged; what both were is in the trash")
        guard merged != mine else { return }
        file = PlannedFile(hash: ContentHasher.hash(of: merged), place: conflict.current, text: merged)
    }
}
