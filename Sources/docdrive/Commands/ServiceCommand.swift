import ArgumentParser
import DocumentDrive
import DriveCore

struct ServiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract: "Keeps a drive in step whenever you are logged in.",
        discussion: """
            A service of your own systemd that runs `docdrive watch`. While the drive's disk is not mounted, or the store is \
            away, it waits for it. What it ends with is tried again after half a minute, but for 64 and 78: then somebody must \
            set right what `journalctl` names, and start it again. On a machine where it is to run before anybody logs in, \
            also say `loginctl enable-linger`.

            EXAMPLES
              docdrive service install ~/Documents
              docdrive service status
              docdrive service remove
            """,
        subcommands: [ServiceInstallCommand.self, ServiceStatusCommand.self, ServiceRemoveCommand.self])
}

struct ServiceInstallCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Installs and starts the service of a drive.",
        discussion: """
            The service runs this very docdrive: install again after you have moved it, or the drive.

            EXAMPLES
              docdrive service install ~/Documents
              docdrive service install --dry-run
            """)

    @OptionGroup var place: ServicePlace

    @Flag(name: [.long, .customShort("n")], help: "Only print the unit file.")
    var dryRun = false

    func work() async throws -> ExitStatus {
        let service = try place.service()
        if dryRun {
            Output.line("# \(Escaped.text(service.path.description))\n\(service.unit.text)")
            return .done
        }
        try service.install()
        let name = service.unit.name
        let before = service.formerFolder == nil ? "" : ", in place of \(ServicePlace.former(service))"
        Output.line("\(name) is installed and running\(before); `journalctl --user -u \(name)` shows what it does")
        return .done
    }
}

struct ServiceStatusCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Says whether the service of a drive is installed and running.",
        discussion: """
            Exits with 1 unless it is running.

            EXAMPLES
              docdrive service status
              docdrive service status --json
            """)

    @OptionGroup var place: ServicePlace
    @OptionGroup var output: OutputOptions

    func work() async throws -> ExitStatus {
        let service = try place.service()
        let state = try service.state()
        let json = ServiceJSON(name: service.unit.name, path: service.path.description, state: state)
        if !output.printJSON(json) { Output.line(Advice.text(text(state, service))) }
        return state == .running ? .done : .no
    }

    private func text(_ state: UserService.State, _ service: UserService) -> String {
        let name = service.unit.name
        switch state {
        case .absent: return "no service for this drive; `docdrive service install` makes one"
        case .stopped: return "\(name) is installed and does not run; `systemctl --user start \(name)` starts it"
        case .running: return "\(name) runs"
        case .failed: return "\(name) failed; `journalctl --user -u \(name)` tells why"
        case .elsewhere:
            return "\(name) watches \(ServicePlace.former(service)), where the drive is not any more; "
                + "`docdrive service install` has it watch this folder"
        }
    }

    private struct ServiceJSON: Encodable {
        var v = 1
        var type = "service"
        var name: String
        var path: String
        var state: UserService.State
    }
}

struct ServiceRemoveCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Stops the service of a drive and takes it away.",
        discussion: """
            The drive itself stays as it is.

            EXAMPLES
              docdrive service remove ~/Documents
            """)

    @OptionGroup var place: ServicePlace

    func work() async throws -> ExitStatus {
        let service = try place.service()
        let wasThere = try service.remove()
        let before = service.formerFolder == nil ? "" : "; it was for \(ServicePlace.former(service))"
        Output.line(wasThere ? "\(service.unit.name) is gone\(before)" : "no service for this drive")
        return .done
    }
}

/// The drive that a service is for.
struct ServicePlace: ParsableArguments, Sendable {
    @Argument(help: ArgumentHelp("The drive; found from the current folder upward if left out.", valueName: "dir"))
    var folder: PathArgument?

    func service() throws -> UserService {
        try UserService(drive: try DrivePlace(folder).found().resolved, program: .runningProgram)
    }

    static func former(_ service: UserService) -> String {
        Escaped.text(service.formerFolder?.description ?? "")
    }
}
