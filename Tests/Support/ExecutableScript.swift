/// A script that a test runs in place of a program.
public enum ExecutableScript {
    /// Written by a process of its own: what another test starts in that moment would hold it open for writing, and nobody may
    /// run a file that is (ETXTBSY, execve(2)). Blocks for that moment.
    public static func write(_ text: String, to path: String) throws {
        let code = try ChildProcess("/bin/sh", ["-c", #"printf %s "$1" > "$2" && chmod 755 "$2""#, "sh", text, path])
            .wait()
        guard code == 0 else { throw ChildProcess.Failure(description: "\(path) cannot be written") }
    }
}
