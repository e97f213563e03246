import DriveCore

// What is shown after all that is ordinary: one act at a time does what it says and nothing else.
extension WholeSimulation {
    func round(_ step: WholePlan.Step) async throws {
        var generator = SeededGenerator(seed: step.seed)
        let folders = devices[0].folder.walk().filter(\.isFolder)
        if !folders.isEmpty, generator.chance(percent: 35) {
            let folder = generator.choice(folders)
            try await deleteAgainstMove(devices[0].folder.path(of: folder.place), step.device, &generator)
        } else {
            try await singleAct(devices[step.device], &generator)
        }
        clock.advance(by: 5 * RunPlan.tick)
    }

    private func contents(_ folder: MemoryFolder) -> [DrivePath: TreeEntry] {
        folder.tree().filter { $0.value != .folder }
    }

    private func singleAct(_ device: any SimulatedDevice, _ generator: inout SeededGenerator) async throws {
        let entries = device.folder.walk()
        if entries.isEmpty { return }
        act(device, generator.choice(entries), &generator)
        let wanted = contents(device.folder)
        try await rest()
        for other in devices where contents(other.folder) != wanted {
            let found = contents(other.folder)
            let path = Set(wanted.keys).union(found.keys).filter { wanted[$0] != found[$0] }.min()
            throw Surprise(
                kind: "single act", details: "\(path ?? .root) is \(path.flatMap { found[$0] }.text) on \(other.label)")
        }
    }

    private func act(_ device: any SimulatedDevice, _ entry: WalkedEntry, _ generator: inout SeededGenerator) {
        let folder = device.folder
        let path = folder.path(of: entry.place)
        switch generator.below(7) {
        case 0:
            folder.remove(at: entry.place)
            note(device, "deletes \(path)")
        case 1, 2:
            let name = newName("p")
            folder.move(from: entry.place, to: Place(folder: entry.place.folder, name: name))
            note(device, "renames \(path) to \(name)")
        case 3:
            let target = someFolder(of: folder, &generator) { !folder.isInside($0.number, entry.number) }
            let place = Place(folder: target, name: newName("q"))
            note(device, "moves \(path) to \(folder.path(of: place))")
            folder.move(from: entry.place, to: place)
        case 4: create(at: Place(folder: someFolder(of: folder, &generator), name: newName("z")), on: device)
        case 5 where entry.kind == .file:
            folder.write(newBody().bytes, at: entry.place)
            note(device, "edits \(path)")
        case 6 where entry.kind == .file:
            folder.setExecutable(!folder.isExecutable(at: entry.place), at: entry.place)
            note(device, "makes \(path) executable, or not")
        default: break
        }
    }

    /// One deletes a folder, another moves it or one inside it at the same time: all that the mover had in it lives,
    /// all else that was deleted is dead, nothing else comes back.
    private func deleteAgainstMove(
        _ path: DrivePath, _ deleterNumber: Int, _ generator: inout SeededGenerator
    ) async throws {
        let deleter = devices[deleterNumber]
        let mover = devices[(deleterNumber + 1 + generator.below(plan.devices - 1)) % plan.devices]
        guard let place = deleter.folder.place(path), let top = mover.folder.folderNumber(path) else { return }
        let before = bodies(mover.folder)
        let inside = bodies(mover.folder, from: top)
        let subfolders = mover.folder.walk(from: top).filter(\.isFolder).map(\.number)
        let moved = generator.choice([top, top] + subfolders)
        let saved = Set(bodies(mover.folder, from: moved))
        guard let entry = mover.folder.walk().first(where: { $0.number == moved }) else { return }
        var target = Place(folder: entry.place.folder, name: newName("w"))
        if generator.chance(percent: 40) {
            target.folder = someFolder(of: mover.folder, &generator) { !mover.folder.isInside($0.number, top) }
        }
        note(mover, "moves \(mover.folder.path(of: entry.place)) to \(mover.folder.path(of: target))")
        mover.folder.move(from: entry.place, to: target)
        note(deleter, "deletes \(path)")
        deleter.folder.remove(at: place)
        for device in generator.chance(percent: 50) ? [mover, deleter] : [deleter, mover] {
            report.records += try await device.scan()
        }
        try await rest()
        let wanted = before.filter { !inside.contains($0) || saved.contains($0) }
        let found = bodies(devices[0].folder)
        if found != wanted {
            let details = "\(path): there is \(found), should be \(wanted)"
            throw Surprise(kind: "delete against move", details: details)
        }
    }

    private func bodies(_ folder: MemoryFolder, from number: Int = MemoryFolder.root) -> [Body] {
        folder.walk(from: number).compactMap { folder.content(of: $0.number).flatMap { Body($0) } }.sorted()
    }
}
