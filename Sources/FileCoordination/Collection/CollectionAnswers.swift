import DriveCore

/// Says about other devices' collections which of the objects this device needs.
struct CollectionAnswers {
    let parts: DriveParts
    let transport: any Transport

    /// True where a new answer waits to be published.
    func update(_ standings: [JournalStanding]) async throws -> Bool {
        let old = try parts.state.journal().collection.answers
        let new = try await newAnswers(standings, old)
        // Of a journal that cannot be read now the answer stays.
        let ended = Set(
            standings.compactMap { standing in
                standing.note.flatMap { note in
                    old.first { $0.device == standing.device && $0.nonce != note.open?.nonce }
                }
            })
        guard !new.isEmpty || !ended.isEmpty else { return false }
        try parts.state.transaction {
            var journal = try parts.state.journal()
            journal.collection.answers = old.filter { !ended.contains($0) } + new.map(\.answer)
            try parts.state.setJournal(journal)
            // From here on nothing refers to what is not kept, so neither may what was stored for records to come.
            for answer in new { try parts.state.forgetUploaded(in: answer.given) }
            try LeftContents.note(
                new.reduce(into: Set()) { $0.formUnion($1.given) }, .given, in: parts.state)
        }
        return !new.isEmpty
    }

    private struct NewAnswer {
        var answer: CollectionAnswer
        /// What this device does not need.
        var given: Set<ObjectKey>
    }

    private func newAnswers(
        _ standings: [JournalStanding], _ old: [CollectionAnswer]
    ) async throws -> [NewAnswer] {
        var needed: Set<ObjectKey>?
        var result: [NewAnswer] = []
        for standing in standings {
            guard let open = standing.note?.open,
                !old.contains(where: { $0.device == standing.device && $0.nonce == open.nonce }),
                let notice = try await transport.notice(of: standing.device, open), try hasJoined(notice.basis)
            else { continue }
            if needed == nil { needed = try await UsedObjects(ContentUse(parts.state)).all(on: transport) }
            let use = needed ?? []
            let kept = notice.objects.indices.filter { use.contains(notice.objects[$0]) }
            let answer = CollectionAnswer(device: notice.device, nonce: notice.nonce, kept: kept)
            result.append(NewAnswer(answer: answer, given: Set(notice.objects.filter { !use.contains($0) })))
        }
        return result
    }

    /// Who has not seen why something is not needed any more might bring it back later.
    private func hasJoined(_ basis: DeviceVector) throws -> Bool {
        let journal = try parts.state.journal()
        let token = try parts.state.token()
        return basis.entries.allSatisfy { entry in
            entry.n <= (entry.device == journal.device ? journal.published : token[entry.device])
        }
    }
}
