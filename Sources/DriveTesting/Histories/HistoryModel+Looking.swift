import DriveCore

// What people see, and whether anything explains it.
extension HistoryModel {
    /// Somebody looked at a path. Between passes it is what people left there; beside a pass it may be what can have come.
    public mutating func read(_ path: DrivePath, _ found: SeenEntry?, on device: Int) throws(HistoryViolation) {
        now += 1
        count { $0.reads += 1 }
        if running(device) == nil || !hasNews(device) {
            if found != trees[device][path] {
                throw HistoryViolation(
                    .changed,
                    "\(path) on \(Self.label(device)) is \(text(found)), was \(text(trees[device][path])), and no pass "
                        + "can have changed it")
            }
            return
        }
        if let found { try explain(path, found, device) }
    }

    /// The pass ended; `tree` is what is there, `kept` what the device keeps beside it.
    public mutating func passEnded(
        _ device: Int, isComplete: Bool, tree: [DrivePath: SeenEntry], kept: () -> Set<[UInt8]>
    ) throws(HistoryViolation) {
        guard let number = running(device) else { return }
        let hadNews = hasNews(device)
        now += 1
        count { $0.reads += 1 }
        passes[number].end = now
        passes[number].isComplete = isComplete
        let before = trees[device]
        trees[device] = tree
        if !hadNews, tree != before {
            let path = Set(tree.keys).union(before.keys).sorted().first { tree[$0] != before[$0] } ?? .root
            throw HistoryViolation(
                .changed,
                "\(path) on \(Self.label(device)) was \(text(before[path])), is \(text(tree[path])) after a pass that had "
                    + "nothing to bring")
        }
        for (path, entry) in tree.sorted(by: { $0.key < $1.key }) { try explain(path, entry, device) }
        try checkRemovals(before, tree, device, kept)
        if passes[number].isQuiet { try checkBounds(tree, device) }
    }

    /// Whether a pass of the device may find anything that the device has not certainly seen. With conflict copies or
    /// deleted folders about, what it records itself may change what is shown elsewhere in its folder.
    private func hasNews(_ device: Int) -> Bool {
        guard let pass = running(device) else { return false }
        let start = passes[pass].start
        if removedFolders > 0 || trees[device].keys.contains(where: { $0.isConflictCopy }) { return true }
        return events.contains { event in
            event.device != device && possibly(event, seenBy: device) && !certainly(event, seenBy: device, at: start)
        }
    }

    /// Everything that is seen was written by somebody, can have come here, and is called what somebody called it.
    private mutating func explain(
        _ path: DrivePath, _ entry: SeenEntry, _ device: Int
    ) throws(HistoryViolation) {
        let place = "\(path) on \(Self.label(device))"
        guard let bytes = entry.bytes else {
            if let name = path.name, folderNames.contains(name) { return }
            throw HistoryViolation(.foreign, "\(place) is a folder that nobody made")
        }
        guard let body = numbers[bytes] else {
            throw HistoryViolation(.foreign, "\(place) holds \(text(entry)), which nobody wrote")
        }
        let event = bodies[body].event
        if !possibly(event, seenBy: device) {
            throw HistoryViolation(.tooEarly, "\(place) holds \(text(body)), which cannot have come there yet")
        }
        if event.device != device, !certainly(event, seenBy: device, at: now) { conjecture(body, on: device) }
        try explainName(path, body, place)
        if entry.isExecutable, !bodies[line(of: body)].wasMadeExecutable {
            throw HistoryViolation(.attribute, "\(place) is executable, and nobody made \(text(body)) so")
        }
    }

    private mutating func explainName(
        _ path: DrivePath, _ body: Int, _ place: String
    ) throws(HistoryViolation) {
        guard let name = path.name else { return }
        let line = bodies[line(of: body)]
        // Where no folder was ever moved, the parent is what somebody gave it too; name and parent merge separately.
        let isWhole = movedFolders == 0
        if line.names.contains(name), !isWhole || line.paths.contains(where: { $0.parent == path.parent }) { return }
        guard let copy = ConflictCopyName(name) else {
            throw HistoryViolation(.misplaced, "\(place) holds \(text(body)), which nobody called so")
        }
        noteCopy(body)
        let names = Set(line.names.map { ConflictCopyName($0)?.original ?? $0 })
        if !names.contains(copy.original) {
            throw HistoryViolation(.misplaced, "\(place) is a copy of what \(text(body)) was never called")
        }
        if !isConflictExplained(body, copy.original) {
            throw HistoryViolation(.needlessCopy, "\(place) holds \(text(body)), and no two changes met there")
        }
    }

    /// A second content of one item, or a second item of one name: both need two changes of two devices, neither of which
    /// had certainly seen the other's (merge rules V6-V8). A folder that is moved takes along what others put into it, to
    /// where something may have the name.
    private func isConflictExplained(_ body: Int, _ name: FileName) -> Bool {
        let here = line(of: body)
        let own = acts.filter { line(of: $0.body) == here }
        let others =
            acts.filter { line(of: $0.body) == here || $0.name == name }
            + folderActs.filter { $0.name == name || $0.isMove }
        return own.contains { act in others.contains { areConcurrent(act.event, $0.event) } }
    }

    /// What was there and is not any more was given up by somebody whom the device can have heard of.
    private func checkRemovals(
        _ before: [DrivePath: SeenEntry], _ tree: [DrivePath: SeenEntry], _ device: Int, _ kept: () -> Set<[UInt8]>
    ) throws(HistoryViolation) {
        let present = Set(tree.values.compactMap(\.bytes))
        let gone = Set(before.values.compactMap(\.bytes)).subtracting(present).compactMap { numbers[$0] }.sorted()
        for body in gone where !mayBeGone(body, device) {
            // A step that was disturbed may leave it parked, until the next pass.
            if passes.last(where: { $0.device == device })?.isQuiet == false, kept().contains(bodies[body].bytes) {
                continue
            }
            throw HistoryViolation(
                .removedUnseen,
                "\(text(body)) is gone from \(Self.label(device)), and nobody whom it can know of gave it up")
        }
    }

    private func mayBeGone(_ body: Int, _ device: Int) -> Bool {
        let body = bodies[body]
        return body.isAway || body.isInDoubt || body.excuses.contains { possibly($0, seenBy: device) }
    }

    /// After a pass that nobody disturbed: what had to come is there, what had to go is not.
    func checkBounds(_ tree: [DrivePath: SeenEntry], _ device: Int) throws(HistoryViolation) {
        let present = Set(tree.values.compactMap(\.bytes))
        for (number, body) in bodies.enumerated() {
            if present.contains(body.bytes) {
                try checkGivenUp(number, device)
            } else if body.excuses.isEmpty, !body.isAway, !body.isInDoubt,
                certainly(body.event, seenBy: device, at: now)
            {
                throw HistoryViolation(
                    .missing, "\(text(number)) is not on \(Self.label(device)), and nobody gave it up")
            }
        }
        // The first of a name has it (V7), so there is no copy without it.
        for path in tree.keys.sorted() {
            guard let name = path.name, let copy = ConflictCopyName(name),
                let body = tree[path]?.bytes.flatMap({ numbers[$0] }), !bodies[line(of: body)].names.contains(name)
            else { continue }
            if tree[path.parent.appending(copy.original)] == nil {
                throw HistoryViolation(
                    .needlessCopy, "\(path) on \(Self.label(device)) is a copy, and nothing has the name itself")
            }
        }
    }

    /// What was replaced or deleted stays away where the device has had to see that, unless somebody did something with
    /// its line of which the one who gave it up had not heard.
    private func checkGivenUp(_ number: Int, _ device: Int) throws(HistoryViolation) {
        let body = bodies[number]
        if body.wasMovedOver { return }
        let saving = savingEvents(number)
        for excuse in body.excuses where certainly(excuse, seenBy: device, at: now) {
            let isSaved = saving.contains { event in
                event.device != excuse.device && !certainly(event, seenBy: excuse.device, at: excuse.time)
            }
            if isSaved { continue }
            throw HistoryViolation(
                .cameBack,
                "\(text(number)) is on \(Self.label(device)), though \(Self.label(excuse.device)) gave it up")
        }
    }

    /// What may keep a body that another device gives up at the same time.
    ///
    /// A delete never wins over a move that it did not see: the file is kept at its new place, with what it holds, and so
    /// is all that lies in a folder that was moved, even if it came there afterwards. And where a body had a rival: "In a
    /// conflict, deleting one version on A while B deletes, renames or resolves the other may bring a version back. Always
    /// the safe side" (merge rules, residual weaknesses). Who touches a conflict copy makes it an item of its own.
    private func savingEvents(_ number: Int) -> [Event] {
        let here = line(of: number)
        let rivals = Set(
            bodies.indices.filter { line(of: $0) == here && !descends($0, number) && !descends(number, $0) })
        let saving = acts.filter { act in
            guard line(of: act.body) == here else { return false }
            return act.isMove || rivals.contains(act.body) || act.body == number && ConflictCopyName(act.name) != nil
        }
        let ends = rivals.flatMap { bodies[$0].excuses } + (rivals.isEmpty ? [] : bodies[number].excuses)
        return (saving + folderActs.filter(\.isMove)).map(\.event) + ends
    }

    /// Whether the one was written in the place of the other, or in the place of what was.
    private func descends(_ number: Int, _ other: Int) -> Bool {
        var current: Int? = number
        while let here = current {
            if here == other { return true }
            current = bodies[here].previous
        }
        return false
    }

    /// All devices have come to rest.
    public mutating func restReached() throws(HistoryViolation) {
        now += 1
        for device in 0..<devices {
            if trees[device] != trees[0] {
                let path = Set(trees[device].keys).union(trees[0].keys).sorted()
                    .first { trees[device][$0] != trees[0][$0] }
                throw HistoryViolation(
                    .unequal,
                    "\(path ?? .root) is \(text(path.flatMap { trees[0][$0] })) on A and "
                        + "\(text(path.flatMap { trees[device][$0] })) on \(Self.label(device))")
            }
        }
        let present = Set(trees[0].values.compactMap(\.bytes))
        for (number, body) in bodies.enumerated()
        where body.excuses.isEmpty && !body.isAway && !body.isInDoubt && !present.contains(body.bytes) {
            throw HistoryViolation(.lost, "\(text(number)) is nowhere, and nobody gave it up")
        }
    }

    /// A late write into a file that had lost its name is at least in a trash.
    public func checkKept(_ kept: Set<[UInt8]>) throws(HistoryViolation) {
        let present = Set(trees[0].values.compactMap(\.bytes))
        for (number, body) in bodies.enumerated()
        where body.isAway && body.excuses.isEmpty && !present.contains(body.bytes) && !kept.contains(body.bytes) {
            throw HistoryViolation(.lost, "\(text(number)) was written late and is in no trash")
        }
    }
}

extension DrivePath {
    var isConflictCopy: Bool { name.flatMap { ConflictCopyName($0) } != nil }
}
