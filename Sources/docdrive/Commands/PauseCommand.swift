import ArgumentParser
import DocumentDrive
import DriveCore
import FileCoordination

struct PauseCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Sends and brings nothing, until `docdrive resume` or for a while.",
        discussion: """
            A transfer of a watch that is under way is broken off, and goes on later with what is not there yet. \
            Changes here are still noticed and found by searches; the bytes of what is new wait in the drive's own folder. A \
            pause outlasts restarts. `docdrive sync` works all the same, once, and so do `restore`, `undo` and `conflicts \
            resolve`: with it all goes that has changed, and the drive stays paused.

            EXAMPLES
              docdrive pause
              docdrive pause --for 30m
              docdrive pause --for 2h -C ~/Documents
            """)

    @Option(
        name: .customLong("for"), help: ArgumentHelp("Resume by itself after this time: 30m, 2h.", valueName: "time"),
        transform: Span.argument)
    var span: Span?

    @OptionGroup var timeout: TimeoutOption

    func validate() throws {
        if let span, span.seconds <= 0 {
            throw ValidationError("--for takes a time longer than 0; `docdrive resume` ends a pause")
        }
    }

    func work() async throws -> ExitStatus {
        timeout.start()
        let milliseconds = span.map { UInt64($0.seconds * 1000) }
        let folder = try DrivePlace(nil).found()
        let lines = try await DriveActing(folder: folder).performed(.pause(forMilliseconds: milliseconds))
        let end = try DriveReader(folder).pause()?.until.map { ", until \(Moment.soon($0))" } ?? ""
        for line in lines { Output.line(Escaped.text(line) + end) }
        return .done
    }
}

struct ResumeCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Ends a pause.",
        discussion: """
            Where something watches the drive, it sends and brings at once what has come together; elsewhere the next \
            `docdrive sync` does.

            EXAMPLES
              docdrive resume
              docdrive resume -C ~/Documents
              docdrive resume && docdrive wait
            """)

    @OptionGroup var timeout: TimeoutOption

    func work() async throws -> ExitStatus {
        timeout.start()
        try await DriveActing(folder: DrivePlace(nil).found()).perform(.resume, syncs: false)
        return .done
    }
}
