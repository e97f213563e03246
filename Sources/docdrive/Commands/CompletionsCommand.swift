import ArgumentParser
import DriveCore

struct CompletionsCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Prints what makes your shell complete docdrive's commands and options.",
        discussion: """
            EXAMPLES
              mkdir -p ~/.local/share/bash-completion/completions && docdrive completions bash > ~/.local/share/bash-completion/completions/docdrive
              mkdir -p ~/.zfunc && docdrive completions zsh > ~/.zfunc/_docdrive
              mkdir -p ~/.config/fish/completions && docdrive completions fish > ~/.config/fish/completions/docdrive.fish
            """)

    @Argument(help: ArgumentHelp("bash, zsh or fish.", valueName: "shell"))
    var shell: Shell

    enum Shell: String, ExpressibleByArgument, CaseIterable, Sendable { case bash, zsh, fish }

    func work() async throws -> ExitStatus {
        guard let shell = CompletionShell(rawValue: shell.rawValue) else {
            throw DriveError(.internalFault, "no completions for this shell; please report it", path: shell.rawValue)
        }
        Output.line(Docdrive.completionScript(for: shell))
        return .done
    }
}
