import DriveCore

/// How long a session waits, and for what. What this process was kept from running, or the machine slept, does not count.
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
        var start = Countdown(connectSeconds * 2)
        var (progress, use) = (Countdown(progressSeconds), Countdown(idleSeconds))
        let pause = Duration.seconds(min(connectSeconds, progressSeconds, idleSeconds) / 10)
        while session.failure == nil {
            let last = clock.now
            do { try await clock.sleep(for: pause) } catch { return }
            let passed = min(clock.now - last, pause * 2)
            start.spend(passed)
            progress.spend(passed)
            use.spend(passed)
            let present = session.meter.reading
            if session.isStarting {
                if start.isOver { session.end(silence(failure, connectSeconds * 2)) }
                progress = Countdown(progressSeconds)
            } else if !session.isWaiting || present.isProgress(since: reading, bytes: Self.leastBytes) {
                reading = present
                progress = Countdown(progressSeconds)
            } else if progress.isOver {
                session.end(silence(failure, progressSeconds))
            }
            if session.isUsed {
                use = Countdown(idleSeconds)
            } else if use.isOver {
                session.endIfUnused()
            }
        }
    }

    private func silence(_ failure: SSHFailure, _ seconds: Double) -> DriveError {
        DriveError(
            .unreachable, "\(failure.host) did not answer for \(Int(seconds.rounded())) seconds", path: failure.place)
    }

    private struct Countdown {
        private var left: Duration

        init(_ seconds: Double) { left = .seconds(seconds) }

        mutating func spend(_ time: Duration) { left -= time }

        var isOver: Bool { left <= .zero }
    }
}

extension TransferMeter.Reading {
    fileprivate func isProgress(since other: Self, bytes least: Int) -> Bool {
        answers != other.answers || bytes - other.bytes >= least
    }
}
