import DriveCore

// What the store refuses, and takes nothing of for a while.
extension Ingestion {
    /// `seen` is the file as it was sent.
    mutating func refuse(
        _ error: DriveError, _ seen: FileFacts, _ place: Int, _ sighting: inout Sighting, _ row: RowID?
    ) throws {
        parts.refusals.note(.file(seen), error, now: parts.clock.milliseconds())
        try noteRefused(error, place, &sighting, row)
    }

    /// Lately, and as it is now: to read and send it with each look would be for nothing.
    mutating func isRefused(
        _ place: Int, _ sighting: inout Sighting, _ row: RowID?, _ writer: (any ContentWriter)?
    ) throws -> Bool {
        guard writer != nil,
            let error = parts.refusals.pending(.file(sighting.facts), now: parts.clock.milliseconds())
        else { return false }
        try noteRefused(error, place, &sighting, row)
        return true
    }

    /// It stays recorded with what it held before, where it is now: what has its name now is something else. It still has the facts of
    /// that, so that the next look finds it changed. Of what is new here nothing is recorded; a copy of it is kept.
    private mutating func noteRefused(
        _ error: DriveError, _ place: Int, _ sighting: inout Sighting, _ id: RowID?
    ) throws {
        note(error.message, Cause(storing: error), of: place)
        refused.insert(place)
        let row = try id.flatMap { try parts.state.row($0) }
        if let folder = try? openFolder(of: places[place]) {
            try copies.keep(sighting.facts, sighting.name, in: folder, at: places[place].path, row)
        }
        (sighting.content, sighting.attributes) = (nil, nil)
        guard let row, row.kind == .file, row.hash != nil else {
            sighting.isUnsettled = true
            return
        }
        let identity = sighting.facts.identity
        sighting.facts = row.facts
        sighting.facts.identity = identity
    }
}
