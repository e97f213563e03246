import Foundation
import TestSupport

/// What is called in place of `ssh`: OpenSSH's SFTP server, without the connection.
final class SFTPProgram: Sendable {
    static let server = "/usr/lib/openssh/sftp-server"
    static let isPossible = FileManager.default.isExecutableFile(atPath: server)

    let path = NSTemporaryDirectory() + "docdrive-ssh-\(UUID().uuidString)"

    /// `options` as in sftp-server(8).
    init(options: String = "") throws {
        try ExecutableScript.write("#!/bin/sh\nexec \(Self.server) \(options)\n", to: path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
