import Foundation
import Glibc
import TestSupport
import Testing

/// A drive whose store does not know who comes.
@Suite(.mayBlock)
struct SignInTests {
    /// A drive that was connected to a server which refuses everybody now.
    private func machine(_ server: RefusingServer) throws -> Machine {
        let machine = try Machine()
        try machine.twoDrives()
        let place = "a/.docdrive/config.toml"
        let settings = try #require(machine.read(place))
        let lines = settings.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix("store =") ? "store = \"webdav://ada@127.0.0.1:\(server.port)/store\"" : String(line)
        }
        #expect(lines.joined().contains("webdav:"), "\(settings)")
        try machine.write(lines.joined(separator: "\n"), to: place)
        return machine
    }

    @Test func whereNobodyCanBeAskedTheCommandIsNamed() throws {
        let server = try RefusingServer()
        let sync = try machine(server).run("sync", "a")
        #expect(sync.code == 11 && sync.error.contains("`docdrive -C a store login`"), "\(sync.error)")
        #expect(!sync.error.contains("Password"))
    }

    @Test func whoSitsAtATerminalIsAsked() throws {
        let server = try RefusingServer()
        let machine = try machine(server)
        let terminal = try Terminal()
        let sync = try machine.start(["sync", "a"], input: terminal.person)
        #expect(eventually { sync.error.hasSuffix("Password of ada: ") }, "\(sync.error)")
        // Nothing, and a line's end.
        #expect(write(terminal.program, "\n", 1) == 1)
        let ended = sync.finish()
        #expect(ended.code == 11 && ended.error.contains("`docdrive -C a store login`"), "\(ended.error)")
        #expect(machine.read("a/.docdrive/credentials") == nil)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func whoIsStoppedWhileAskingLeavesTheTerminalAsItWas(_ signal: Int32) throws {
        let server = try RefusingServer()
        let machine = try machine(server)
        let terminal = try Terminal()
        #expect(terminal.echoes)
        let sync = try machine.start(["sync", "a"], input: terminal.person)
        #expect(eventually { sync.error.hasSuffix("Password of ada: ") }, "\(sync.error)")
        #expect(eventually { !terminal.echoes })
        sync.signal(signal)
        #expect(sync.finish().code == (signal == SIGINT ? 130 : 143))
        #expect(terminal.echoes && machine.read("a/.docdrive/credentials") == nil)
    }

    @Test func whoEntersNothingIsNotSaidToBeAway() throws {
        let server = try RefusingServer()
        let machine = try machine(server)
        let terminal = try Terminal()
        let login = try machine.start(["store", "login", "a"], input: terminal.person)
        #expect(eventually { login.error.hasSuffix("Password of ada: ") }, "\(login.error)")
        #expect(write(terminal.program, "\n", 1) == 1)
        let ended = login.finish()
        #expect(ended.code == 64 && ended.error.contains("nothing was entered"), "\(ended.error)")
        #expect(!ended.error.contains("nobody could be asked"))
    }
}

/// Answers every request with 401, as long as it lives.
private final class RefusingServer: Sendable {
    let port: UInt16
    private let listener: Int32

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard result else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread {
            while true {
                let number = accept(listener, nil, nil)
                if number < 0 { return }
                var bytes = [UInt8](repeating: 0, count: 1 << 16)
                _ = recv(number, &bytes, bytes.count, 0)
                let answer = Array("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
                _ = send(number, answer, answer.count, Int32(MSG_NOSIGNAL))
                close(number)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }
}
