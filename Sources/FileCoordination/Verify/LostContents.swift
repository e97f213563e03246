public import DriveCore

/// A file whose newest content nobody has any more, and what it is from then on.
public struct GivenUpFile: Hashable, Sendable {
    public enum Outcome: Sendable {
        case deleted
        /// The content of another side of its conflict.
        case otherSide
        /// An earlier content, which lies here and is sent as a new file.
        case whatLiesHere
    }

    public var path: DrivePath
    public var outcome: Outcome
}

extension DriveEngine {
    /// Ends the wait for these contents, which neither the store nor, as far as anybody knows, a device has: the files that need
    /// them go on without, on all devices. Nothing on this disk is removed by it. In the order of paths.
    public func giveUp(_ contents: Set<ContentHash>) async throws -> [GivenUpFile] {
        guard parts.transport != nil else { return [] }
        // Somebody may have stored them again, or deleted the files, meanwhile.
        _ = try await fetch()
        return try parts.operations.during(.giveUp) { try parts.state.transaction { try parts.giveUp(contents) } }
    }
}

extension DriveParts {
    fileprivate func giveUp(_ contents: Set<ContentHash>) throws -> [GivenUpFile] {
        let sightings = Sightings()
        var recorder = ScanRecorder(
            state, sightings: sightings, identification: try Identification(sightings, state), vanished: [],
            entropy: entropy, places: 0..<0)
        var paths: [ItemID: DrivePath] = [:]
        var all: [Content] = []
        for item in try state.allItems() where item.state.kind == .file && item.shape.isAlive {
            let lost = item.state.heads.filter { contents.contains($0.content.hash) }
            guard !lost.isEmpty else { continue }
            recorder.giveUp(Set(lost.map(\.dot)), of: item.state)
            all += lost.map(\.content)
            paths[item.id] = try path(of: item.state)
        }
        var numbers = try state.numbers()
        guard let group = try recorder.record(&numbers, now: clock.milliseconds()) else { return [] }
        try state.setNumbers(numbers)
        try state.addPending(group)
        try noteOwn(group, numbers.device)
        try LeftContents.note(all, .givenUp, in: state)
        let files = try group.records.compactMap { record -> GivenUpFile? in
            guard let path = paths[record.id] else { return nil }
            if try state.item(record.id)?.shape.isAlive == true { return GivenUpFile(path: path, outcome: .otherSide) }
            return GivenUpFile(path: path, outcome: try recorder.disown(record.id) ? .whatLiesHere : .deleted)
        }
        for file in files where file.outcome == .deleted {
            try log(
                DriveEvent(
                    time: clock.milliseconds(), kind: .deleted, path: file.path,
                    note: "Nobody had its content any more; it was given up."))
        }
        try checkView()
        return files.sorted { $0.path < $1.path }
    }

    private func path(of state: ItemState) throws -> DrivePath {
        let folder = try ViewReader(self.state).path(ofNode: state.parent) ?? .root
        return folder.appending(state.name.value)
    }
}
