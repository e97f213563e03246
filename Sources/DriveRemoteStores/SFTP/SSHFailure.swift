import DriveCore

/// What `ssh` says when it ends, turned into what happened and what to do now.
struct SSHFailure: Sendable {
    var command: SSHCommand
    var host: String
    var place: String

    /// `said` is the end of its standard error.
    func error(_ said: String) -> DriveError {
        let lines = said.split(whereSeparator: \.isNewline).map(String.init).filter { !$0.isEmpty }
        for (kind, part, text) in known(lines) where lines.contains(where: { $0.contains(part) }) {
            return DriveError(kind, text, path: place)
        }
        guard let last = lines.last else {
            return DriveError(.unreachable, "\(host) closed the connection", path: place)
        }
        let reason = last.hasPrefix("ssh: ") ? String(last.dropFirst(5)) : last
        return DriveError(
            .unreachable, "the connection to \(host) failed (\(Excerpt.short(reason))); look at `\(command.hint)`",
            path: place)
    }

    /// `said` is what came where the first packet should have been.
    func error(_ fault: SFTPFault, said: ArraySlice<UInt8>) -> DriveError {
        let text = Excerpt.short(String(decoding: said, as: UTF8.self))
        // A login script that prints something is the usual reason (sftp(1) calls it "Received message too long").
        let reason =
            text.isEmpty ? fault.text : "it says \"\(text)\"; does a login script there print something?"
        return DriveError(.unreachable, "something else than SFTP answers on \(host): \(reason)", path: place)
    }

    /// Sentences of OpenSSH (sshconnect.c, sshconnect2.c, clientloop.c, readconf.c), the telling ones first. Who has another host
    /// key is another machine, as in another network, as with a certificate that is refused: the right one may answer again.
    private func known(_ lines: [String]) -> [(DriveError.Kind, String, String)] {
        [
            (
                .unreachable, "IDENTIFICATION HAS CHANGED",
                "\(host) has another host key than the one that is known: it was set up anew, or somebody else answers. "
                    + "Ask who runs it for the new fingerprint; only if it is right, remove the old key with "
                    + "\(Self.removal(lines)) and run `\(command.hint)` once"
            ),
            (
                .unreachable, "Host key verification failed",
                "the host key of \(host) is not known yet; run `\(command.hint)` once and compare the fingerprint"
            ),
            (
                .notAuthenticated, "Permission denied (",
                "\(host) accepts none of your SSH keys; look at `\(command.hint)`: is the key loaded in the agent, "
                    + "and in ~/.ssh/authorized_keys there?"
            ),
            (
                .notAuthenticated, "Too many authentication failures",
                "\(host) accepts none of your SSH keys, of which it tried too many; name the right one with "
                    + "IdentityFile and IdentitiesOnly in ~/.ssh/config"
            ),
            (
                .usage, "ad configuration option",
                "ssh does not take its configuration; look at `\(command.hint)`"
            ),
            (
                .usage, "Bad owner or permissions on",
                "others may change the configuration of ssh, so it does not use it; look at `\(command.hint)`"
            ),
            (
                .unreachable, "subsystem request failed",
                "\(host) offers no SFTP; the line `Subsystem sftp internal-sftp` in its sshd_config turns it on"
            ),
            (
                .unreachable, "Could not resolve hostname",
                "the name \(host) cannot be resolved; is the network there, and the name right?"
            ),
        ]
    }

    /// What removes the old key: Debian's ssh says which file it is in. Nothing else is passed on to be typed.
    private static func removal(_ lines: [String]) -> String {
        let command = lines.lazy.map { String($0.trimmingPrefix(while: \.isWhitespace)) }
            .first { $0.hasPrefix("ssh-keygen -f ") && !$0.contains { ";&|`$<>()\\".contains($0) } }
        return command.map { "`\(Excerpt.short($0))`" } ?? "`ssh-keygen -R`"
    }
}
