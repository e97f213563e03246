import DriveCore

// Everybody acts offline.
extension WholeSimulation {
    private enum Act { case deleteFolder, delete, moveFolder, edit, move, add }

    private static let acts: [[Act]] = [
        [.deleteFolder, .deleteFolder, .delete], [.moveFolder, .moveFolder, .moveFolder, .edit, .delete, .move],
        [.add, .add, .edit, .moveFolder],
    ]

    func actApart() async throws {
        let folder = devices[0].folder
        for entry in folder.walk() {
            guard let body = folder.content(of: entry.number).flatMap({ Body($0) }) else { continue }
            expectation.files[body] = folder.path(of: entry.place)
        }
        let paths = devices.map { Self.paths($0.folder) }
        for step in plan.acts {
            let device = devices[step.device]
            var generator = SeededGenerator(seed: step.seed)
            let act = generator.choice(Self.acts[step.device])
            let isStructural = perform(act, step.device, paths[step.device], &generator)
            if generator.chance(percent: 50) || isStructural { report.records += try await device.scan() }
            if generator.chance(percent: 30) { try await device.commit(compacting: false) }
            clock.advance(by: RunPlan.tick)
        }
        for device in devices { report.records += try await device.scan() }
    }

    private static func paths(_ folder: MemoryFolder) -> [Int: DrivePath] {
        Dictionary(uniqueKeysWithValues: folder.walk().map { ($0.number, folder.path(of: $0.place)) })
    }

    /// Only what was there before the devices parted is acted on. True where a scan must see the act by itself.
    private func perform(
        _ act: Act, _ number: Int, _ paths: [Int: DrivePath], _ generator: inout SeededGenerator
    ) -> Bool {
        let folder = devices[number].folder
        let known = folder.walk().filter { paths[$0.number] != nil }
        let files = known.filter { $0.kind == .file }
        let folders = known.filter(\.isFolder)
        switch act {
        case .deleteFolder where !folders.isEmpty: deleteFolder(generator.choice(folders), number, paths)
        case .delete where !files.isEmpty: delete(generator.choice(files), number)
        case .moveFolder where !folders.isEmpty:
            let entry = generator.choice(folders)
            let target = someFolder(of: folder, &generator) {
                !folder.isInside($0.number, entry.number) && paths[$0.number] != nil
            }
            moveFolder(entry, to: target, number, paths, keepsName: generator.chance(percent: 30))
        case .edit where !files.isEmpty:
            edit(generator.choice(files), number)
            return false
        case .move where !files.isEmpty:
            let entry = generator.choice(files)
            move(entry, to: someFolder(of: folder, &generator) { paths[$0.number] != nil }, number)
            return false
        case .add:
            let target = someFolder(of: folder, &generator) { paths[$0.number] != nil }
            let body = create(at: Place(folder: target, name: newName("a")), on: devices[number])
            expectation.added.insert(body)
            return false
        default: return false
        }
        return true
    }

    private func origin(_ entry: WalkedEntry, _ folder: MemoryFolder) -> Body? {
        folder.content(of: entry.number).flatMap { Body($0) }.map(expectation.origin)
    }

    private func deleteFolder(_ entry: WalkedEntry, _ number: Int, _ paths: [Int: DrivePath]) {
        let folder = devices[number].folder
        let inside = folder.walk(from: entry.number)
        var chains = [entry.number: Set([paths[entry.number]].compactMap(\.self))]
        for child in inside {
            let above = chains[child.place.folder] ?? []
            if child.isFolder {
                chains[child.number] = above.union([paths[child.number]].compactMap(\.self))
            } else if let body = origin(child, folder) {
                expectation.deletedWithFolder[number, default: []].insert(body)
                expectation.chains[number, default: [:]][body] = above
            }
        }
        note(devices[number], "deletes folder \(folder.path(of: entry.place))")
        folder.remove(at: entry.place)
    }

    private func delete(_ entry: WalkedEntry, _ number: Int) {
        let folder = devices[number].folder
        if let body = origin(entry, folder) { expectation.deleted[number, default: []].insert(body) }
        note(devices[number], "deletes \(folder.path(of: entry.place))")
        folder.remove(at: entry.place)
    }

    private func moveFolder(
        _ entry: WalkedEntry, to target: Int, _ number: Int, _ paths: [Int: DrivePath], keepsName: Bool
    ) {
        let folder = devices[number].folder
        var place = Place(folder: target, name: entry.place.name)
        if !keepsName || folder.number(at: place) != nil { place.name = newName("r") }
        let old = folder.path(of: entry.place)
        folder.move(from: entry.place, to: place)
        if let path = paths[entry.number] { expectation.movedFolders[number, default: []].insert(path) }
        note(devices[number], "moves folder \(old) to \(folder.path(of: place))")
    }

    private func edit(_ entry: WalkedEntry, _ number: Int) {
        let folder = devices[number].folder
        let new = newBody()
        if let body = origin(entry, folder) {
            expectation.kept[number, default: []].insert(body)
            expectation.origins[new] = body
        }
        folder.write(new.bytes, at: entry.place)
        note(devices[number], "edits \(folder.path(of: entry.place)) \(new)")
    }

    private func move(_ entry: WalkedEntry, to target: Int, _ number: Int) {
        let folder = devices[number].folder
        if let body = origin(entry, folder) { expectation.kept[number, default: []].insert(body) }
        let place = Place(folder: target, name: newName("m"))
        note(devices[number], "moves \(folder.path(of: entry.place)) to \(folder.path(of: place))")
        folder.move(from: entry.place, to: place)
    }

    func checkExpectation() throws {
        let live = Set(devices[0].folder.tree().values.compactMap(\.body).map(expectation.origin))
        for (body, path) in expectation.files.sorted(by: { $0.key < $1.key }) {
            let mustLive = expectation.mustLive(body, devices: plan.devices)
            if mustLive == live.contains(body) { continue }
            throw Surprise(kind: mustLive ? "not whole" : "not deleted", details: "\(path) \(body)")
        }
        for body in expectation.added.sorted() where !live.contains(body) {
            throw Surprise(kind: "addition lost", details: "\(body)")
        }
    }
}
