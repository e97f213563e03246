import DriveCore

/// How `ssh` is called for a session of SFTP. Keys, agent, known hosts and jump hosts are those of the user's own
/// configuration (ssh_config(5)); nothing is asked on a terminal.
struct SSHCommand: Hashable, Sendable {
    var program: String
    var arguments: [String]
    /// What a person types to do the same by hand.
    var hint: String

    /// `DOCDRIVE_SSH` is another program to call in place of `ssh`, with the same arguments (as `GIT_SSH` is);
    /// `DOCDRIVE_SSH_CONFIG` a configuration file in place of the user's.
    init(_ url: StoreURL, _ options: RemoteStoreOptions) throws(DriveError) {
        program = options.environment["DOCDRIVE_SSH"].flatMap { $0.isEmpty ? nil : $0 } ?? "ssh"
        let settings = [
            "BatchMode=yes", "ConnectTimeout=\(max(1, Int(options.connectSeconds.rounded(.up))))",
            // A connection that is dead though nobody closed it: noticed within a minute, also where no request waits.
            "ServerAliveInterval=15", "ServerAliveCountMax=4",
            "ClearAllForwardings=yes", "ForwardX11=no", "ForwardAgent=no", "PermitLocalCommand=no",
            "RemoteCommand=none", "RequestTTY=no", "LogLevel=INFO",
            // A shared connection is used where there is one; none is left behind that would outlive this process.
            "ControlMaster=no",
        ]
        var place: [String] = []
        if let port = url.port { place += ["-p", String(port)] }
        if let user = url.user {
            guard Self.isHarmless(user) else {
                throw DriveError(.usage, "such a user's name is not given to ssh; set it as `User` in ~/.ssh/config")
            }
            place += ["-l", user]
        }
        var config: [String] = []
        if let path = options.environment["DOCDRIVE_SSH_CONFIG"], !path.isEmpty { config = ["-F", path] }
        arguments = config + settings.flatMap { ["-o", $0] } + place + ["-s", "--", url.host, "sftp"]
        hint = (["ssh"] + config + place + [url.host]).joined(separator: " ")
    }

    /// A ProxyCommand gets the name through a shell (`%r`, ssh_config(5)), so what a shell would obey is refused, as newer
    /// versions of ssh do themselves (`valid_ruser` of its ssh.c). By scalars: a shell knows no marks that combine.
    private static func isHarmless(_ user: String) -> Bool {
        let obeyed = "'`\";&<>|(){}$\\*?!#".unicodeScalars
        return user.unicodeScalars.first != "-"
            && !user.unicodeScalars.contains { obeyed.contains($0) || $0.properties.isWhitespace }
    }
}
