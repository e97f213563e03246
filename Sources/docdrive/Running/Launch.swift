import ArgumentParser
import DriveCore
import FileCoordination
import Glibc

/// Parses, runs and ends the process with the right exit code.
enum Launch {
    static func run(_ arguments: [String]) async -> Never {
        // A reader that went away is an error of a write, not of the process.
        signal(SIGPIPE, SIG_IGN)
        let parsed: any ParsableCommand
        do { parsed = try Docdrive.parseAsRoot(arguments) } catch { endParsing(error) }
        Interruption.listen()
        do {
            if let command = parsed as? any DriveCommand {
                let task = Task { try await WorkThread(label: "docdrive.command").run { try await command.work() } }
                Interruption.onStop { task.cancel() }
                let code = try await task.value
                Output.flush()
                Interruption.finish(code)
            }
            var plain = parsed
            try plain.run()
            Output.flush()
            Interruption.finish(.done)
        } catch { end(error) }
    }

    private static func endParsing(_ error: any Error) -> Never {
        let text = Docdrive.fullMessage(for: error)
        if Docdrive.exitCode(for: error) == .success {
            Output.line(text)
            Output.flush()
            exit(0)
        }
        Output.error(text.hasPrefix("Error: ") ? "docdrive: " + text.dropFirst("Error: ".count) : text)
        exit(ExitStatus.usage.rawValue)
    }

    private static func end(_ error: any Error) -> Never {
        Output.flush()
        if let code = Interruption.code { Interruption.finish(code) }
        // A request for help arrives as an error of the parser that ends well.
        if error is ValidationError || Docdrive.exitCode(for: error) == .success { endParsing(error) }
        if let status = error as? ExitStatus { Interruption.finish(status) }
        let failure =
            error as? DriveError
            ?? DriveError(.internalFault, "something went wrong inside (\(error)); please report it")
        Output.error(Sentence(failure).text)
        Interruption.finish(ExitStatus(failure.kind))
    }
}

/// A command that works on drives; runs on a thread that may block.
protocol DriveCommand: ParsableCommand, Sendable {
    func work() async throws -> ExitStatus
}

extension DriveCommand {
    mutating func run() throws {}
}
