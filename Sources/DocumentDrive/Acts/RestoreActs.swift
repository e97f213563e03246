import DriveCore
import DriveFiles
import FileCoordination

/// Brings earlier contents back: over what is there now, which goes to the trash, or under a free name.
struct RestoreActs {
    let parts: DriveParts

    init(_ parts: DriveParts) { self.parts = parts }

    func restore(_ contents: [RestoredContent]) throws -> PlannedAct<[ActOutcome]> {
        let steps = try contents.compactMap { content in
            try deed(content).map { UndoPlan.Step(deed: $0, source: DrivePath(bytes: content.path)) }
        }
        let left = contents.count - steps.count
        return PlannedAct(steps.map(\.deed)) {
            let done = steps.isEmpty ? [] : try await run(steps)
            let kept = ActOutcome(nil, "\(left) \(left == 1 ? "is" : "are") already as asked for")
            return done + (left == 0 ? [] : [kept])
        }
    }

    /// Out of the trash, beside what has the name now. `isUndo`: as the reverse of what took it there.
    func restore(trashed names: [String], isUndo: Bool = false) throws -> PlannedAct<[ActOutcome]> {
        let all = Dictionary(
            try parts.state.trash().map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let cleanings = try isUndo ? Cleanings(parts.state) : nil
        let steps = try names.map { name in
            guard let entry = all[FileName(name)] else {
                throw DriveError(.usage, "the trash has nothing with this id; `docdrive trash ls` lists it", path: name)
            }
            return UndoPlan.Step(
                deed: .takeOut(entry.name, to: entry.path), operation: cleanings?.operation(of: entry))
        }
        return PlannedAct(steps.map(\.deed)) { try await run(steps, isUndo ? .undo : .restore) }
    }

    private func run(_ steps: [UndoPlan.Step], _ cause: DriveOperation.Kind = .restore) async throws -> [ActOutcome] {
        var runner = try DeedRunner(parts, reason: .restored, steps)
        try await parts.operations.during(cause) { try await runner.run() }
        if let failed = runner.outcomes.first(where: { $0.obstacle != nil }), runner.outcomes.count == 1 {
            throw DriveError(.notFound, failed.obstacle ?? "", path: failed.path.description)
        }
        return runner.outcomes.map { outcome in
            if let obstacle = outcome.obstacle {
                return ActOutcome(outcome.deed.path, "not restored: \(obstacle)", isDone: false)
            }
            return ActOutcome(
                outcome.path, "is back" + (outcome.deed.trashed == nil ? "" : "; what was there is in the trash"),
                askedPath: outcome.deed.path)
        }
    }

    /// Nobody's document has such a place.
    private func check(_ path: DrivePath) throws(DriveError) {
        if path.components.first == DriveLayout.state {
            throw DriveError(
                .usage, "this is where the drive keeps its own files; name another place", path: path.description)
        }
        guard path.components.allSatisfy(\.isValid) else {
            throw DriveError(
                .usage, "no file can have this name: of at most 255 bytes each, and neither . nor ..",
                path: path.description)
        }
    }

    /// Nil where nothing is to be done.
    private func deed(_ content: RestoredContent) throws -> Deed? {
        if content.content.isEmpty { return try folderDeed(DrivePath(bytes: content.target ?? content.path)) }
        guard let hash = ContentHash(hexadecimal: content.content) else {
            throw DriveError(.usage, "no possible content", path: content.content)
        }
        let path = DrivePath(bytes: content.target ?? content.path)
        guard let (name, folder, facts) = try standing(at: path) else {
            return .putBack(hash, at: path, replacing: nil)
        }
        guard facts.kind == .file || facts.kind == .link, let now = try parts.files.contentHash(of: name, in: folder)
        else {
            throw DriveError(
                .usage, "something that is no file has this name; say --to where it shall be", path: path.description)
        }
        return now == hash ? nil : .putBack(hash, at: path, replacing: now)
    }

    /// What has the place now, which must be one that a document can have.
    private func standing(at path: DrivePath) throws -> (name: FileName, folder: OpenFolder, facts: FileFacts)? {
        try check(path)
        guard let name = path.name, let folder = try parts.files.open(path: path.parent),
            let facts = try parts.files.look(at: name, in: folder)
        else { return nil }
        return (name, folder, facts)
    }

    private func folderDeed(_ path: DrivePath) throws -> Deed? {
        guard let now = try standing(at: path) else { return .makeFolder(path) }
        guard now.facts.kind == .folder else {
            throw DriveError(
                .usage, "something that is no folder has this name; move it away first", path: path.description)
        }
        return nil
    }
}

/// Which cleaning moved what to the trash.
private struct Cleanings {
    private var operations: [DrivePath: [(content: ContentHash?, time: UInt64, id: UInt64)]] = [:]

    init(_ state: any DriveState) throws {
        for operation in try state.operations(limit: .max) where operation.kind == .clean {
            for event in try state.events(of: operation.id) {
                operations[event.path, default: []].append((event.before, event.time, operation.id))
            }
        }
    }

    func operation(of entry: TrashEntry) -> UInt64? {
        operations[entry.path]?.first { $0.content == entry.hash && $0.time == entry.time }?.id
    }
}

extension ContentHash {
    /// From 64 hexadecimal digits.
    init?(hexadecimal text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 64 else { return nil }
        let bytes = stride(from: 0, to: 64, by: 2).compactMap { place in
            UInt8(String(decoding: digits[place..<(place + 2)], as: UTF8.self), radix: 16)
        }
        self.init(bytes: bytes)
    }
}
