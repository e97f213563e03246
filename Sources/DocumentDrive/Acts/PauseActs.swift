import DriveCore
import FileCoordination

/// Stops and resumes sending and bringing; remembered until somebody resumes or the time is over.
struct PauseActs {
    let parts: DriveParts
    let file: PauseFile

    init(_ parts: DriveParts, _ file: PauseFile) { (self.parts, self.file) = (parts, file) }

    func pause(for milliseconds: UInt64?) throws -> [ActOutcome] {
        let now = parts.clock.milliseconds()
        let memory = StandingMemory(parts.state)
        // One that began in the future did so by a clock that was wrong.
        let since = try min(memory.pause(now: now)?.since ?? now, now)
        let pause = Pause(since: since, until: milliseconds.map { now + min($0, Self.longest) })
        // Whoever is killed in between has paused it: the next one who opens the drive takes this over.
        try file.write(pause)
        try parts.state.transaction {
            try memory.setPause(pause)
            try PauseFile.noteWritten(parts.state)
        }
        return [ActOutcome(nil, "paused: changes are noticed, and nothing is sent or brought")]
    }

    func resume() throws -> [ActOutcome] {
        let memory = StandingMemory(parts.state)
        guard try memory.pause(now: parts.clock.milliseconds()) != nil else {
            return [ActOutcome(nil, "the drive was not paused")]
        }
        try file.remove()
        try memory.setPause(nil)
        return [ActOutcome(nil, "resumed")]
    }

    /// A hundred years; a span may name any number.
    private static let longest: UInt64 = 100 * 366 * 86_400_000
}

extension Drive {
    package var isPaused: Bool { get async throws { try await engine.use { try $0.pause() != nil } } }
}

extension DriveEngine {
    /// A device that never was at the store has to go there before it can record anything.
    var wasAtStore: Bool { get throws { try !parts.state.isBlank && !parts.state.journal().heads.isEmpty } }

    func pause() throws -> Pause? { try StandingMemory(parts.state).pause(now: parts.clock.milliseconds()) }
}
