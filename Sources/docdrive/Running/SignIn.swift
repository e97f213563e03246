import DocumentDrive
import DriveCore
import Glibc

/// Asks a person at a terminal for what a store wants to know.
struct SignIn {
    let url: StoreURL
    /// Given already.
    var user: String?

    /// Nil where nobody can be asked, or who is asked gives nothing.
    func ask() -> StoreCredentials? {
        guard Output.isInputTerminal else { return nil }
        Output.flush()
        guard let user = user ?? url.user ?? line("\(names.user) for \(Escaped.text(url.shown)): "), !user.isEmpty,
            let secret = withoutEcho({ line("\(names.secret) of \(Escaped.text(user)): ") }), !secret.isEmpty
        else { return nil }
        return StoreCredentials(user: user, secret: Secret(secret))
    }

    /// As the store's own pages call them.
    var names: (user: String, secret: String) {
        url.scheme == .s3 ? ("Access key id", "Secret access key") : ("User", "Password")
    }

    private func line(_ question: String) -> String? {
        Output.errorText(question)
        return readLine()
    }

    private func withoutEcho(_ read: () -> String?) -> String? {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        // Ctrl-C ends the process while it reads.
        Interruption.onStop { [before] in
            var before = before
            tcsetattr(STDIN_FILENO, TCSANOW, &before)
        }
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else { return nil }
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            Output.errorText("\n")
        }
        return read()
    }
}

extension SignIn {
    /// Does it again after asking whoever sits at the terminal, where the store of a drive does not know him; the drive keeps
    /// what the store accepts.
    static func asking<Result>(for drive: FolderPath, _ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch let error as DriveError where error.kind == .notAuthenticated {
            guard Output.isInputTerminal, let login = try? StoreLogin(drive: drive) else { throw error }
            ProgressLine.clear()
            try await signIn(login, error)
        }
        return try await body()
    }

    /// Who is asked for a password may mistype it.
    private static func signIn(_ login: StoreLogin, _ refusal: DriveError) async throws {
        var refusal = refusal
        for _ in 0..<3 {
            Output.error(Sentence(refusal).text)
            guard let credentials = SignIn(url: login.url).ask() else { break }
            do { return try await login.save(credentials) } catch let error as DriveError
                where error.kind == .notAuthenticated
            { refusal = error }
        }
        throw refusal
    }
}
