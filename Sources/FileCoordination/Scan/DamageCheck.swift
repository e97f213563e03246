import DriveCore

/// Finds files that a power cut left short, or without their bytes, under the recorded time: damage, and not an edit that
/// anybody would want to see on the other devices.
///
/// Assumed only where the machine was booted since the drive itself had placed this very inode; what is there goes to the
/// trash, and apply brings the content again.
struct DamageCheck {
    let parts: DriveParts

    /// Of the sightings in `range`, all unless it is given.
    func run(
        _ sightings: inout Sightings, _ identification: Identification, _ places: [WalkPlace],
        only range: Range<Int>? = nil
    ) throws {
        guard let boot = parts.options.boot else { return }
        for place in range ?? sightings.list.indices {
            let sighting = sightings.list[place]
            guard let id = identification.rows[place], let row = try parts.state.row(id),
                let placedInBoot = row.placedInBoot, placedInBoot != boot,
                try isDamaged(sighting, row, places[place].path)
            else { continue }
            try setAside(row, sighting, places[place].path)
            sightings.list[place].withhold()
        }
    }

    private func isDamaged(_ sighting: Sighting, _ row: Row, _ path: DrivePath) throws -> Bool {
        guard row.kind == .file, let content = sighting.content, content.hash != row.hash,
            sighting.facts.identity == row.facts.identity, sighting.facts.modified == row.facts.modified,
            sighting.facts.size <= row.facts.size
        else { return false }
        return try content.size < row.facts.size ? isCutOff(sighting, row) : holdsOnlyZeros(path)
    }

    /// A tool may shorten a file and set its date again, but it cannot set back the time of the inode, and ends within a page
    /// nearly always. What the kernel had written back ends with one.
    private func isCutOff(_ sighting: Sighting, _ row: Row) -> Bool {
        sighting.facts.changed <= row.facts.changed || sighting.facts.size.isMultiple(of: 4_096)
    }

    private func holdsOnlyZeros(_ path: DrivePath) throws -> Bool {
        guard let name = path.name, let folder = try parts.files.open(path: path.parent),
            let reader = try parts.files.read(name, in: folder)
        else { return false }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = try reader.read(into: buffer)
            if count == 0 { return true }
            if buffer[..<count].contains(where: { $0 != 0 }) { return false }
        }
    }

    /// By a step that recovery can decide: a file that is gone without one would look deleted.
    private func setAside(_ row: Row, _ sighting: Sighting, _ path: DrivePath) throws {
        let now = parts.clock.milliseconds()
        let nonce = parts.entropy.nonce(16)
        let trash = TrashEntry(
            name: FileName("damaged-\(row.id.rawValue)-\(nonce)"), path: path, hash: sighting.content?.hash,
            size: sighting.facts.size, reason: .damaged, time: now)
        try parts.state.addDirt(ViewDirt(items: Set(row.members.map(\.item))))
        let step = Intent.Step.remove(staged: FileName("out-\(row.id.rawValue)-\(nonce)"), trash: trash)
        var runner = StepRunner(parts)
        guard try runner.run([Intent(step: step, identity: row.facts.identity, row: row)])[0] != nil else { return }
        try parts.state.transaction {
            try parts.log(
                DriveEvent(
                    time: now, kind: .recovered, path: path,
                    note:
                        "A power cut had left this file without its bytes; it is fetched again. What was there is in the trash."
                ))
        }
    }
}
