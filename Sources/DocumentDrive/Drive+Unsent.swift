import DriveCore
import FileCoordination

// What is recorded while nothing can be sent.
extension Drive {
    /// Runs something that looks at the folder; while the drive is paused, or where the store may not be
    /// the drive's, what it records stays here. Files of more bytes than `longest` are left.
    func holding<Result>(
        _ engine: DriveEngine, evenSo: Bool = false, longest: UInt64 = .max, _ body: () async throws -> Result
    ) async throws -> Result {
        let isPaused = try evenSo || engine.pause() != nil
        if isPaused { try unsent.makeFolder() }
        (unsent.hold.longest, unsent.hold.isOn) = (longest, isPaused)
        defer {
            unsent.hold.isOn = false
            if isPaused { engine.doubt() }
        }
        return try await body()
    }

    /// Takes up what people changed, while the store is not in reach; its bytes wait here until it is.
    func lookWithoutStore(_ engine: DriveEngine, longest: UInt64 = .max) async throws {
        guard try engine.wasAtStore else { return }
        try await holding(engine, evenSo: true, longest: longest) {
            try await ignoring.refresh(engine)
            engine.parts.operations.begin()
            _ = try await engine.scan()
        }
    }

    /// After the store was looked for in vain: what is in the folder is recorded, unless somebody has to decide something first.
    func recordWithoutStore(_ engine: DriveEngine, after error: any Error) async {
        let undecided: Set<DriveError.Kind> = [.needsDecision, .identityChanged, .usage, .internalFault]
        guard let error = error as? DriveError, !undecided.contains(error.kind) else { return }
        try? await lookWithoutStore(engine)
    }

    /// Runs whole passes. Where the store does not take what they found, that is recorded all the same before it is said.
    func recording<Result>(_ engine: DriveEngine, _ passes: () async throws -> Result) async throws -> Result {
        do { return try await passes() } catch {
            if let longest = engine.longestToKeep(after: error) {
                try? await lookWithoutStore(engine, longest: longest)
            }
            throw error
        }
    }
}

extension DriveEngine {
    /// Up to how many bytes files are recorded without the store, after a pass that ended so; nil where it has left nothing, or
    /// cannot record anything.
    ///
    /// A store that is full, or has a limit, may be so because of one large file: that is not copied, and waits for nothing
    /// once it is gone from the folder.
    func longestToKeep(after error: any Error) -> UInt64? {
        guard leavesChanges(by: error), let error = error as? DriveError, (try? wasAtStore) == true else { return nil }
        return takesNothing(error) ? 64 << 20 : .max
    }
}
