import ArgumentParser
import DocumentDrive
import DriveCore
import DriveFiles
import FileCoordination
import Glibc

/// Parses, runs and ends the process with the right exit code.
enum Launch {
    static func run(_ arguments: [String]) async {
        HeapMemory.share()
        // A reader that went away is an error of a write, not of the process.
        signal(SIGPIPE, SIG_IGN)
        if arguments == ["help", "exit-codes"] {
            ExitCodeHelp.print()
            Interruption.finish(.done)
        }
        // Everybody tries it; as the parser's own option it would stand in the help of every command.
        let arguments =
            arguments == ["--version"]
            ? ["version"] : NegativeNumber.asValue(JoinedValues.split(changingFolder(arguments)))
        if let mistake = UnknownCommand(arguments)?.text ?? RepeatedFilter(arguments)?.text {
            Output.error("docdrive: \(mistake)")
            exit(ExitStatus.usage.rawValue)
        }
        let parsed: Parsed
        do { parsed = try parsedAlone(arguments) ?? Parsed(Docdrive.parseAsRoot(arguments)) } catch {
            endParsing(error, arguments)
        }
        Interruption.listen()
        switch parsed {
        case .drive(let command):
            // A task of its own, so that a signal can cancel it.
            let task = Task { await WorkThread(label: "docdrive.command").run { await complete(command, arguments) } }
            Interruption.onStop { task.cancel() }
            await task.value
        case .plain(var command):
            // Help, and what only prints: an error here is one of the parser.
            do { try command.run() } catch { endParsing(error, arguments) }
            Interruption.finish(.done)
        }
    }

    /// Ends the process on the command's own thread: handing over to another would start more of them first.
    private static func complete(_ command: any DriveCommand, _ arguments: [String]) async {
        do { Interruption.finish(try await command.work()) } catch { end(error, arguments) }
    }

    private enum Parsed {
        case drive(any DriveCommand)
        case plain(any ParsableCommand)

        /// Each new cast to a protocol makes the runtime look through all that the program has of conformances.
        init(_ command: any ParsableCommand) {
            self = (command as? any DriveCommand).map { .drive($0) } ?? .plain(command)
        }
    }

    /// The first word nearly always names the command, and the parser takes long for the tree of all. Nil for the rest, and
    /// for help and mistakes, which are told of from the root.
    private static func parsedAlone(_ arguments: [String]) -> Parsed? {
        let entry = Docdrive.entries.first { $0.command.configuration.commandName == arguments.first }
        let rest = Array(arguments.dropFirst())
        if arguments.first == FindCommand.configuration.commandName, let find = FindCommand(plain: rest) {
            return .drive(find)
        }
        return switch entry {
        case .drive(let command): parsed(command, rest)
        case .plain(let command): parsed(command, rest)
        case nil: nil
        }
    }

    private static func parsed<Command: DriveCommand>(_ command: Command.Type, _ arguments: [String]) -> Parsed? {
        ((try? Alone<Command>.parseAsRoot(arguments)) as? Alone<Command>).map { .drive($0.command) }
    }

    private static func parsed<Command: ParsableCommand>(_ command: Command.Type, _ arguments: [String]) -> Parsed? {
        guard let parsed = try? Alone<Command>.parseAsRoot(arguments) else { return nil }
        if let alone = parsed as? Alone<Command> { return .plain(alone.command) }
        return (parsed as? any DriveCommand).map { .drive($0) }
    }

    /// `-C DIR` works for every command, as with git: everything is then done from there. Of several each is taken from the one
    /// before.
    private static func changingFolder(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        let literal = LiteralValues.places(arguments)
        let options = arguments[..<end].indices.filter { !literal.contains($0) }
        guard let place = options.first(where: { arguments[$0] == "-C" || arguments[$0].hasPrefix("-C=") }) else {
            return arguments
        }
        let isJoined = arguments[place] != "-C"
        guard isJoined ? arguments[place] != "-C=" : place + 1 < end && !arguments[place + 1].isEmpty else {
            Output.error("docdrive: -C needs a folder: docdrive -C DIR ...")
            exit(ExitStatus.usage.rawValue)
        }
        // What is told is read there.
        _ = Advice.reader
        let named = arguments[isJoined ? place : place + 1]
        let folder = isJoined ? Array(RawArguments.bytes(named).dropFirst("-C=".utf8.count)) : RawArguments.bytes(named)
        go(to: folder, named: isJoined ? String(named.dropFirst("-C=".count)) : named)
        return changingFolder(Array(arguments[..<place] + arguments[(place + (isJoined ? 1 : 2))...]))
    }

    private static func go(to folder: [UInt8], named name: String) {
        let result = (folder.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { chdir($0) } ?? -1
        }
        guard result == 0 else {
            let (code, reason) = (errno, String(cString: strerror(errno)))
            let advice = code == EACCES ? "give yourself access to it" : "correct the path"
            Output.error("docdrive: cannot go to the folder (\(reason)): \(name): \(advice)")
            exit((code == EACCES ? ExitStatus.denied : .usage).rawValue)
        }
    }

    private static func endParsing(_ error: any Error, _ arguments: [String]) -> Never {
        HelpText.widen()
        let text = Docdrive.fullMessage(for: error)
        if Docdrive.exitCode(for: error) == .success, let word = DashedWord(arguments) {
            Output.error("docdrive: \(word.text)")
            exit(ExitStatus.usage.rawValue)
        }
        if Docdrive.exitCode(for: error) == .success {
            Output.line(HelpText.examplesLast(text))
            Interruption.finish(.done)
        }
        let told = text.hasPrefix("Error: ") ? "docdrive: " + text.dropFirst("Error: ".count) : text
        Output.error(DashedWord.hint(to: told))
        exit(ExitStatus.usage.rawValue)
    }

    /// What has no place is not to blame for it.
    private static func inFolder(_ error: DriveError) -> DriveError {
        guard let path = error.path, FolderPath.isNowhere(path) else { return error }
        return DriveError(
            .usage, "the current folder is not there any more; go to another one with `cd`, or write whole paths")
    }

    private static func end(_ error: any Error, _ arguments: [String]) -> Never {
        Output.flush()
        if let code = Interruption.code { Interruption.finish(code) }
        if error is ValidationError { endParsing(error, arguments) }
        if let status = error as? ExitStatus { Interruption.finish(status) }
        let failure =
            (error as? DriveError).map(inFolder)
            ?? DriveError(.internalFault, "something went wrong inside (\(error)); please report it")
        Output.error(Sentence(failure).text)
        Interruption.finish(ExitStatus(failure.kind))
    }
}

/// A command as the root of its own tree. Where another name stands before a root's, the parser does not first parse two
/// commands of its own to find out whether a completion script is asked for.
private struct Alone<Command: ParsableCommand>: ParsableCommand {
    static var configuration: CommandConfiguration {
        var result = Command.configuration
        result._superCommandName = Docdrive._commandName
        // Who asks for help is answered from the root; looking for it here takes a tenth of a search.
        result.helpNames = []
        return result
    }

    @OptionGroup var command: Command
}

/// A command that works on drives; runs on a thread that may block.
protocol DriveCommand: ParsableCommand, Sendable {
    func work() async throws -> ExitStatus
}

extension DriveCommand {
    mutating func run() throws {}
}
