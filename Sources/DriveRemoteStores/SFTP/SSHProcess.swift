import CLinux
import DriveCore
import Glibc
import Subprocess
import Synchronization

/// Runs `ssh` for as long as a session lasts: carries bytes both ways, sees that they move, and tells the session why it
/// ended.
///
/// A process of swift-subprocess lives only inside of a closure, so the session is a value of its own: it fills an outbox
/// that is emptied in there.
struct SSHProcess: Sendable {
    var command: SSHCommand
    var failure: SSHFailure
    var environment: [String: String]
    var patience: SFTPPatience
    /// It could be started before: what keeps it from that now may pass, as when it is being updated.
    var isKnown = false

    /// Returns when the process is gone and the session has ended.
    func run(_ session: SFTPSession) async {
        // Otherwise a write to an ssh that just died would end the drive (signal(7)).
        Self.brokenPipesAreErrors
        if let lack = Self.lack(failure.place) { return session.end(lack) }
        var options = PlatformOptions()
        // Of its own, so that Ctrl-C at a terminal ends the transfer by way of the drive and in order.
        options.createSession = true
        let custom = environment.map { (Environment.Key(stringLiteral: $0.key), $0.value) }
        let executable: Executable =
            command.program.contains("/") ? .path(.init(command.program)) : .name(command.program)
        let start = RunningSSH.starts()
        defer { RunningSSH.ended(nil, start) }
        do {
            _ = try await Subprocess.run(
                executable, arguments: Arguments(command.arguments),
                environment: .custom(Dictionary(custom) { first, _ in first }), platformOptions: options,
                input: .inputWriter, output: .sequence, error: .sequence
            ) { execution in
                let process = execution.processIdentifier.value
                // It may start programs of its own.
                dd_give_open_files(process)
                RunningSSH.begins(process, start)
                await converse(session, execution)
                RunningSSH.ended(process, start)
            }
            session.end(DriveError(.unreachable, "\(failure.host) closed the connection", path: failure.place))
        } catch {
            session.end(
                DriveError(
                    isKnown ? .unreachable : .usage,
                    "the program `\(command.program)` cannot be started (\(Excerpt.short("\(error)"))); install ssh, on "
                        + "Debian the package openssh-client", path: failure.place))
        }
    }

    /// What swift-subprocess needs for its pipes, and some more: where it gets one and not the next, it ends this process.
    private static let descriptors = 24

    /// Nil where as many can be had.
    private static func lack(_ place: String) -> DriveError? {
        var open: [Int32] = []
        defer { for number in open { close(number) } }
        for _ in 0..<descriptors {
            let number = Glibc.open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard number >= 0 else {
                return DriveError(
                    .exhausted,
                    "ssh cannot be started (\(String(cString: strerror(errno)).lowercased())); raise the limit of open files",
                    path: place)
            }
            open.append(number)
        }
        return nil
    }

    private typealias Running = Execution<CustomWriteInput, SequenceOutput, SequenceOutput>

    /// Once, and not where the program has a way of its own with them.
    private static let brokenPipesAreErrors: Void = {
        var present = sigaction()
        guard sigaction(SIGPIPE, nil, &present) == 0, case nil = present.__sigaction_handler.sa_handler else { return }
        signal(SIGPIPE, SIG_IGN)
    }()

    /// Returns when the session has ended and its process is gone.
    private func converse(_ session: SFTPSession, _ execution: Running) async {
        async let said = collect(execution.standardError)
        async let sent: Void = send(session, execution.standardInputWriter)
        async let left: Void = leave(session, execution)
        // Cancelled at the end of this function.
        async let _ = patience.watch(session, failure)
        await receive(session, execution.standardOutput)
        if session.failure == nil {
            await execution.teardown(using: Self.farewell)
            session.end(failure.error(await said))
        }
        _ = await (sent, left)
    }

    /// Signal 0 is none (kill(2)): as a rule it ends by itself.
    private static let farewell: [TeardownStep] = [
        .send(signal: .init(rawValue: 0), allowedDurationToNextStep: .seconds(2)),
        .gracefulShutDown(allowedDurationToNextStep: .seconds(2)),
    ]

    private static let longestSaid = 4096

    /// The last of what it writes there.
    private func collect(_ pieces: SubprocessOutputSequence) async -> String {
        var said: [UInt8] = []
        do {
            for try await piece in pieces {
                piece.withUnsafeBytes { said.append(contentsOf: $0) }
                if said.count > Self.longestSaid { said.removeFirst(said.count - Self.longestSaid) }
            }
        } catch {
            // What came so far has to do.
        }
        return String(decoding: said, as: UTF8.self)
    }

    private func send(_ session: SFTPSession, _ writer: StandardInputWriter) async {
        for await packet in session.outbox {
            // A short write means that ssh is gone; why is told by the end of its output.
            guard let count = try? await writer.write(packet), count == packet.count else { break }
            session.meter.count(count)
        }
    }

    /// Returns when no more comes. What is no SFTP ends the session.
    private func receive(_ session: SFTPSession, _ pieces: SubprocessOutputSequence) async {
        var framing = SFTPFraming()
        do {
            for try await piece in pieces {
                session.meter.count(piece.count)
                piece.withUnsafeBytes { framing.add($0) }
                while let packet = try framing.next() { try session.receive(packet) }
            }
        } catch let fault as SFTPFault {
            session.end(failure.error(fault, said: session.isStarting ? framing.pending : []))
        } catch {
            // Its reason is told by the end of the process.
        }
    }

    /// Ends the process once the session has ended: by closing its input, and where that does not help by signals.
    private func leave(_ session: SFTPSession, _ execution: Running) async {
        for await _ in session.end {}
        try? await execution.standardInputWriter.finish()
        await execution.teardown(using: Self.farewell)
    }
}
