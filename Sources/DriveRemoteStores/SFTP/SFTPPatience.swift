import DriveCore

/// How long a session waits, and for what. Times go on while the machine sleeps, so a session does not outlive that.
struct SFTPPatience: Sendable {
    var connectSeconds: Double
    var progressSeconds: Double
    var idleSeconds = 60.0

    /// Fewer bytes than that are no progress, unless a request is answered.
    private static let leastBytes = 1024

    /// Ends the session where its server does not answer or nobody uses it. Returns when it has ended.
    func watch(_ session: SFTPSession, _ failure: SSHFailure) async {
        let clock = ContinuousClock()
        var reading = session.meter.reading
        // ssh has this time for each address of a host and each jump on the way, and then asks agent and server.
        let start = Deadline(clock.now, connectSeconds * 2)
        var (progress, use) = (Deadline(clock.now, progressSeconds), Deadline(clock.now, idleSeconds))
        while session.failure == nil {
            let pause = min(connectSeconds, progressSeconds, idleSeconds) / 10
            do { try await clock.sleep(for: .seconds(pause)) } catch { return }
            let present = session.meter.reading
            if session.isStarting {
                if start.isOver(clock.now) { session.end(silence(failure, connectSeconds * 2)) }
                progress = Deadline(clock.now, progressSeconds)
            } else if !session.isWaiting || present.isProgress(since: reading, bytes: Self.leastBytes) {
                reading = present
                progress = Deadline(clock.now, progressSeconds)
            } else if progress.isOver(clock.now) {
                session.end(silence(failure, progressSeconds))
            }
            if session.isUsed {
                use = Deadline(clock.now, idleSeconds)
            } else if use.isOver(clock.now) {
                session.endIfUnused()
            }
        }
    }

    private func silence(_ failure: SSHFailure, _ seconds: Double) -> DriveError {
        DriveError(
            .unreachable, "\(failure.host) did not answer for \(Int(seconds.rounded())) seconds", path: failure.place)
    }

    private struct Deadline {
        private let time: ContinuousClock.Instant

        init(_ now: ContinuousClock.Instant, _ seconds: Double) { time = now.advanced(by: .seconds(seconds)) }

        func isOver(_ now: ContinuousClock.Instant) -> Bool { now >= time }
    }
}

extension TransferMeter.Reading {
    fileprivate func isProgress(since other: Self, bytes least: Int) -> Bool {
        answers != other.answers || bytes - other.bytes >= least
    }
}
