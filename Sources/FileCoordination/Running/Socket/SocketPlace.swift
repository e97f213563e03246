import DriveCore
import Foundation
import Glibc

/// Where a drive's socket lies: in a folder that only its owner may enter.
public struct SocketPlace: Sendable {
    /// Possible folders, the best first.
    let folders: [String]
    let name: String
    /// The drive's folder, for people.
    let drive: String
    /// Whose the drive's folder is.
    private let owner: uid_t
    /// The variables of whoever works on the drive, who may have others: cron has next to none.
    private let others: @Sendable () -> [String: String]

    /// A copy of a drive has the same id, so the folder itself is part of the name. `others` are the variables of whoever may
    /// listen.
    public init(
        replica: String, folder: [UInt8], environment: [String: String] = ProcessInfo.processInfo.environment,
        others: @escaping @Sendable () -> [String: String] = { [:] }
    ) {
        folders = Self.folders(environment)
        self.others = others
        drive = String(decoding: folder, as: UTF8.self)
        var facts = stat()
        let path = folder.map { CChar(bitPattern: $0) } + [0]
        _ = path.withUnsafeBufferPointer { stat($0.baseAddress.unsafelyUnwrapped, &facts) }
        owner = facts.st_uid
        name = "\(replica)-\(String(UInt64(facts.st_dev) << 48 ^ UInt64(facts.st_ino), radix: 36)).sock"
    }

    private static func folders(_ environment: [String: String]) -> [String] {
        var folders: [String] = []
        if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
            folders.append("\(runtime)/docdrive")
        }
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") { folders.append("\(cache)/docdrive") }
        if let home = environment["HOME"], home.hasPrefix("/") { folders.append("\(home)/.cache/docdrive") }
        folders.append("/tmp/docdrive-\(getuid())")
        return folders
    }

    /// Listens on a new socket, mode 0600. Whoever has the drive's lock may take an old one away.
    func listen() throws -> (descriptor: Int32, path: String) {
        for folder in folders {
            guard prepare(folder) else { continue }
            let path = "\(folder)/\(name)"
            unlink(path)
            guard let number = UnixSocket.open(path, { Glibc.bind($0, $1, $2) }) else { continue }
            chmod(path, 0o600)
            if Glibc.listen(number, 16) == 0 { return (number, path) }
            close(number)
        }
        var facts = stat()
        let last = folders.last ?? ""
        let isTaken = lstat(last, &facts) == 0 && facts.st_uid != geteuid()
        let reason =
            isTaken
            ? "the folder for the drive's socket belongs to another user"
            : "no folder for the drive's socket can be made"
        throw DriveError(.permissionDenied, "\(reason); set XDG_RUNTIME_DIR to a folder of yours", path: last)
    }

    /// Nil where nobody listens; what another user has put where ours would be counts for nothing. Waits while many others
    /// come; a few can wait for one that takes nobody up, others would for ever, unless they come `soon` or not at all.
    func connect(soon: Bool = false) -> Int32? {
        let connect = soon ? UnixSocket.connectSoon : { Glibc.connect($0, $1, $2) }
        func connected(_ folders: [String]) -> Int32? {
            for folder in folders where isBelieved(folder) {
                guard let number = UnixSocket.open("\(folder)/\(name)", connect) else { continue }
                if let user = UnixSocket.user(of: number), isBelieved(user) { return number }
                close(number)
            }
            return nil
        }
        if let number = connected(folders) { return number }
        let others = others()
        return others.isEmpty ? nil : connected(Self.folders(others).filter { !folders.contains($0) })
    }

    /// The same user, and root, who may do anything anyway; for root also whoever the drive's folder belongs to.
    private func isBelieved(_ user: uid_t) -> Bool {
        user == geteuid() || user == 0 || geteuid() == 0 && user == owner
    }

    /// Nobody else puts anything there: not even another name of a socket of ours.
    private func isBelieved(_ folder: String) -> Bool {
        var facts = stat()
        guard lstat(folder, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else { return false }
        return facts.st_mode & 0o022 == 0 && isBelieved(facts.st_uid)
    }

    /// Ours, a folder, and closed to others.
    private func prepare(_ folder: String) -> Bool {
        let above = folder.prefix(upTo: folder.lastIndex(of: "/") ?? folder.startIndex)
        if !above.isEmpty { mkdir(String(above), 0o700) }
        mkdir(folder, 0o700)
        var facts = stat()
        guard lstat(folder, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR, facts.st_uid == geteuid() else {
            return false
        }
        return facts.st_mode & 0o077 == 0 || chmod(folder, 0o700) == 0
    }
}

enum UnixSocket {
    /// Waits for a few seconds where many others do.
    static func connectSoon(_ number: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
        var patience = timeval(tv_sec: 5, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
        let result = Glibc.connect(number, address, length)
        // What is sent may take longer.
        patience.tv_sec = 0
        setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
        return result
    }

    /// The process that listened; nil where it has no id here.
    static func peer(of number: Int32) -> Int32? {
        guard let listener = credentials(of: number), listener.process > 0 else { return nil }
        return listener.process
    }

    /// Who listened.
    static func user(of number: Int32) -> uid_t? { credentials(of: number)?.user }

    /// Of whoever listened, as the kernel noted them (unix(7): three numbers).
    private static func credentials(of number: Int32) -> (process: Int32, user: UInt32, group: UInt32)? {
        var credentials: (process: Int32, user: UInt32, group: UInt32) = (0, 0, 0)
        var length = socklen_t(MemoryLayout.size(ofValue: credentials))
        guard getsockopt(number, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
        return credentials
    }

    /// Makes a socket and binds or connects it; nil where that fails, or the path is too long (unix(7): 107 bytes).
    static func open(
        _ path: String, _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return nil }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                use(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if result == 0 { return number }
        close(number)
        return nil
    }
}
