import DriveCore
import DriveIndex
import FileCoordination

extension Drive {
    /// Looks at the folder as a pass does, without the store but for the bytes of what is new; during a pause those wait here.
    ///
    /// Where nothing is known of the folder yet, as before the first sync, the store has to be read first: this is a whole pass then,
    /// which throws `unreachable` where the store is not there, and `temporary` during a pause.
    public func look() async throws {
        let ignoring = ignoring
        let isDone = try await engine.use { engine in
            if try engine.isBeforeJoin {
                try self.checkPause()
                return false
            }
            try await self.holding(engine) {
                try await ignoring.refresh(engine)
                _ = try await engine.scan()
            }
            return true
        }
        if !isDone { _ = try await sync() }
    }

    /// Throws where a look finds nothing out: nobody has asked the store yet what is in the folder, nor may during a pause.
    func checkPause() throws {
        let reader = try DriveReader(folder)
        guard settings.storeID != nil, try reader.index.isBlank, try reader.isPaused else { return }
        throw DriveError(
            .temporary,
            "the drive was paused before its first sync, so that nothing is known of it; resume it, or sync once",
            path: folder.description)
    }

    /// For a moment, as nobody's: whoever opens the drive meanwhile waits for this.
    static func look(at folder: FolderPath, _ look: DriveLook) async throws {
        defer { OpenDrives.end(look) }
        let drive = try open(folder, waitsForWriters: false, changes: WiringChanges(), for: look)
        do { try await drive.look() } catch {
            await drive.close()
            throw error
        }
        await drive.close()
    }

    /// Looks at the folder, then reads all documents that are not in the search index as they are now. With `isChecked` the
    /// search index is looked over for damage first.
    public func readDocuments(isChecked: Bool = false) async throws -> DocumentIndexing.Outcome {
        try checkPlace()
        try await look()
        let indexing = DocumentIndexing(folder, engine: engine, gate: PassGate(), workers: nil)
        do {
            let outcome = try await indexing.run(retriesAll: true, isChecked: isChecked)
            await indexing.end()
            return outcome
        } catch {
            await indexing.end()
            throw error
        }
    }
}

extension DriveEngine {
    /// Takes names into their index for at most a tenth of the time that a pass took, so that it costs no import much;
    /// searches look at the rest one by one.
    func indexNames(after pass: Duration) throws {
        guard let index = parts.state as? DriveIndex else { return }
        let end = ContinuousClock.now + pass / 10
        while ContinuousClock.now < end, try index.indexNames(limit: 4_096) {}
    }
}
