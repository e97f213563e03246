import ArgumentParser
import DocumentDrive
import DriveCore

struct StoreLoginCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Tells a drive how to sign in to its store.",
        discussion: """
            The secret is asked for, or read as a line from standard input; it is tried, and kept in .docdrive/credentials, \
            which only you may read. A watch that runs takes it up at once. Where nothing is kept, docdrive uses what other \
            programs use: for S3 the AWS_ variables and the shared credentials file, for WebDAV DOCDRIVE_STORE_PASSWORD and \
            .netrc, for SFTP the keys of ssh.

            EXAMPLES
              docdrive store login
              docdrive store login ~/Documents --user ada
              pass show cloud | docdrive store login --user ada --stdin
            """)

    @Argument(help: ArgumentHelp("The drive; found from the current folder upward if left out.", valueName: "dir"))
    var folder: PathArgument?

    @Option(help: "The user, or the id of the access key; the one in the store's URL if left out.")
    var user: String?

    @Flag(help: "Read the secret from standard input.")
    var stdin = false

    @OptionGroup var timeout: TimeoutOption

    func work() async throws -> ExitStatus {
        timeout.start()
        let login = try StoreLogin(drive: DrivePlace(folder).found())
        guard let credentials = stdin ? try read(login.url) : SignIn(url: login.url, user: user).ask() else {
            throw DriveError(
                .usage,
                Output.isInputTerminal
                    ? "nothing was changed, since nothing was entered; start again, and enter name and secret"
                    : "nothing was changed, since nobody could be asked; give the secret on standard input with --stdin"
            )
        }
        try await login.save(credentials)
        Output.line("signed in as \(Escaped.text(credentials.user))")
        return .done
    }

    private func read(_ url: StoreURL) throws(DriveError) -> StoreCredentials {
        guard let user = user ?? url.user else { throw DriveError(.usage, "say who signs in: --user NAME") }
        guard let secret = readLine(), !secret.isEmpty else {
            throw DriveError(.usage, "standard input holds no secret; write it as one line")
        }
        return StoreCredentials(user: user, secret: Secret(secret))
    }
}

struct StoreLogoutCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Forgets how a drive signs in to its store.",
        discussion: """
            What the store itself knows stays: revoke a key or a password there.

            EXAMPLES
              docdrive store logout
              docdrive store logout ~/Documents
              docdrive store logout && docdrive store login --user ada
            """)

    @Argument(help: ArgumentHelp("The drive; found from the current folder upward if left out.", valueName: "dir"))
    var folder: PathArgument?

    func work() async throws -> ExitStatus {
        guard try await StoreLogin(drive: DrivePlace(folder).found()).forget() else {
            Output.line("nothing was kept")
            return .no
        }
        Output.line("forgotten")
        return .done
    }
}
