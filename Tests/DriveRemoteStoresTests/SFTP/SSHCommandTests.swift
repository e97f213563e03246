import DriveCore
import Testing

@testable import DriveRemoteStores

@Suite struct SSHCommandTests {
    private func command(_ url: String, _ environment: [String: String] = [:]) throws -> SSHCommand {
        try SSHCommand(try StoreURL(url), RemoteStoreOptions(environment: environment))
    }

    @Test func nothingOfTheURLIsAnOption() throws {
        let command = try command("sftp://ada@nas.example:2222/srv/drive")
        #expect(command.program == "ssh")
        #expect(command.arguments.suffix(8) == ["-p", "2222", "-l", "ada", "-s", "--", "nas.example", "sftp"])
        #expect(command.arguments.starts(with: ["-o", "BatchMode=yes", "-o", "ConnectTimeout=30"]))
    }

    @Test func theProgramAndItsConfigurationCanBeOthers() throws {
        let command = try command("sftp://nas/x", ["DOCDRIVE_SSH": "/opt/ssh", "DOCDRIVE_SSH_CONFIG": "/tmp/a b"])
        #expect(command.program == "/opt/ssh")
        #expect(command.arguments.prefix(2) == ["-F", "/tmp/a b"])
    }

    @Test(arguments: [
        "-oProxyCommand=x", "a b", "$(x)", "`x`", "a;b", "a'b", "a|b", "a%5Cb", "a;\u{301}b", "-\u{301}x",
    ])
    func aUserThatAShellWouldObeyIsRefused(user: String) throws {
        let url = "sftp://\(PercentEncoding.text(user.utf8))@nas/x"
        let error = #expect(throws: DriveError.self) { try command(user.contains("%") ? "sftp://\(user)@nas/x" : url) }
        #expect(error?.kind == .usage)
    }

    @Test func anOptionThatSFTPDoesNotKnowIsRefused() throws {
        let url = try StoreURL("sftp://nas/x?endpoint=y")
        let error = #expect(throws: DriveError.self) {
            try RemoteStores.open(url, RemoteStoreOptions(environment: [:]))
        }
        #expect(error?.kind == .usage)
    }
}
