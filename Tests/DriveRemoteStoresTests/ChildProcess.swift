import Glibc

/// A program that a test starts and waits for.
///
/// Not Foundation's: a program that another test starts at the same moment may get the socket by which `Process` learns that
/// its own has ended, and where that one is a server it would wait for ever.
struct ChildProcess {
    let id: pid_t

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// With nothing open but standard input, and the log as output. The program is a path.
    init(_ program: String, _ arguments: [String], input: Int32? = nil, log: String = "/dev/null") throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let words = ["/bin/bash", "-c", Self.closing, program] + arguments
        var pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var id: pid_t = 0
        let result = posix_spawn(&id, words[0], &actions, nil, &pointers, environ)
        guard result == 0 else { throw Failure(description: "\(program): \(String(cString: strerror(result)))") }
        self.id = id
    }

    /// What was inherited goes before the program begins.
    private static let closing = #"""
        for file in /proc/self/fd/*; do
            number=${file##*/}
            if [ "$number" -gt 2 ]; then eval "exec $number>&-"; fi
        done
        exec "$0" "$@"
        """#

    /// Its exit code, or 128 and the number of the signal that ended it. Blocks.
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }
}
