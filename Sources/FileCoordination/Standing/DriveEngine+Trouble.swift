import DriveCore

extension DriveEngine {
    /// Runs a pass and remembers how it ended, for whoever asks why nothing goes on.
    public func noting<Result>(_ pass: () async throws -> Result) async throws -> Result {
        do {
            let result = try await pass()
            try forgetTrouble()
            return result
        } catch {
            note(error)
            throw error
        }
    }

    /// A pass that was at the store ended well.
    public func forgetTrouble() throws {
        try StandingMemory(parts.state).forgetTrouble()
        tell(unnoted: nil)
    }

    /// What ended a pass. Where it cannot be written down, as on a full disk, whoever runs this process is told instead.
    public func note(_ error: any Error) {
        // What comes of being stopped is no trouble of the store or the disk.
        guard !Task.isCancelled, let error = error as? DriveError else { return }
        let trouble = Trouble(error, isHere: isHere(error), now: parts.clock.milliseconds())
        do {
            try StandingMemory(parts.state).note(trouble)
            tell(unnoted: nil)
        } catch { tell(unnoted: trouble) }
    }

    private func tell(unnoted trouble: Trouble?) {
        guard trouble != nil || hasUnnotedTrouble else { return }
        hasUnnotedTrouble = trouble != nil
        parts.report(.troubleUnnoted(trouble))
    }

    /// A store that takes nothing may give all the same: what it refused is thrown once everything is brought.
    func sending(_ send: () async throws -> Void, bringing bring: () async throws -> Void) async throws {
        do { try await sendAndBring(send, bring) } catch {
            // What stopped it is what is told.
            if error is DriveError { try? await placeParked() }
            throw error
        }
    }

    private func sendAndBring(_ send: () async throws -> Void, _ bring: () async throws -> Void) async throws {
        do { try await sendingOnceMore(send) } catch let error as DriveError where takesNothing(error) {
            // Where nothing comes either, that is no other trouble.
            do { try await bring() } catch is DriveError {}
            throw error
        }
        try await bring()
    }

    /// A store that was full may get room by what nobody goes on to send.
    private func sendingOnceMore(_ send: () async throws -> Void) async throws {
        do { try await send() } catch let error as DriveError where error.kind == .noSpace && !isHere(error) {
            guard try await makesRoom() else { throw error }
            try await send()
        }
    }

    /// Where the store is in the way of that too, it is no other trouble.
    private func makesRoom() async throws -> Bool {
        do {
            // Another copy of this device may have named something since.
            _ = try await fetch()
            return try await removeUnfinishedUploads().objects > 0
        } catch is DriveError { return false }
    }

    /// Whether a pass that ended so has left changes in the folder unrecorded because of the store: a scan that needs no store
    /// can record them. Whoever was stopped wanted that.
    package func leavesChanges(by error: any Error) -> Bool {
        guard hasBrokenOffScan, !Task.isCancelled, let error = error as? DriveError else { return false }
        return !isHere(error)
    }

    package func takesNothing(_ error: DriveError) -> Bool {
        Trouble(error, isHere: isHere(error), now: 0).isOfSending
    }

    /// Errors name the path that they happened to. One of an index without a name says whose it is.
    private func isHere(_ error: DriveError) -> Bool {
        guard let path = error.path else { return error.message.contains("index") }
        return parts.options.places.contains { path == $0 || path.utf8.starts(with: "\($0)/".utf8) }
    }
}
