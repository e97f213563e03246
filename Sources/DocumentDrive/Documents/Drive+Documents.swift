import DriveCore
import DriveIndex
import FileCoordination

extension Drive {
    /// Looks at the folder as a pass does, without the store but for the bytes of what is new; during a pause those wait here.
    public func look() async throws {
        let ignoring = ignoring
        try await engine.use { engine in
            // Where nothing is known yet, the store has to be read first: only a whole pass does that.
            guard try !engine.parts.state.isBlank || engine.parts.transport == nil else { return }
            try await self.holding(engine) {
                try await ignoring.refresh(engine)
                _ = try await engine.scan()
            }
        }
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
