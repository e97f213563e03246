import DriveCore
import Glibc
import Synchronization

/// Answers commands while a drive is watched.
public final class SocketServer: Sendable {
    /// Answers one request; may send several replies. Returns when there is nothing more to say.
    public typealias Handler =
        @Sendable (_ request: DriveRequest, _ reply: @escaping @Sendable (DriveReply) async -> Bool) async -> Void

    private struct Listening {
        var descriptor: Int32
        var path: String
        /// What lies at the path while nobody has taken it away.
        var file: SocketFile?
        /// Tells when somebody does; nil where the system tells nobody.
        var loss: LossNotice?
        /// Where somebody waits for who comes.
        var accepting: Int32?
        var isEnded = false
    }

    private let place: SocketPlace
    private let listening: Mutex<Listening>
    private let handler: Handler
    private let claims: FileClaims?
    private let open = Mutex<[ObjectIdentifier: SocketConnection]>([:])
    private let coordinating = Mutex<Set<UInt64>>([])

    /// With `claims`, it is the arbiter for whoever asks to coordinate.
    public init(_ place: SocketPlace, claims: FileClaims? = nil, handler: @escaping Handler) throws {
        self.place = place
        listening = Mutex(try Self.listen(place))
        self.handler = handler
        self.claims = claims
        claims?.isServing = true
    }

    deinit { close(listening.withLock { $0.descriptor }) }

    public var path: String { listening.withLock { $0.path } }

    private static func listen(_ place: SocketPlace) throws -> Listening {
        let (descriptor, path) = try place.listen()
        return Listening(descriptor: descriptor, path: path, file: SocketFile(path), loss: LossNotice(path))
    }

    /// Makes the socket anew where somebody has taken it away: runtime folders are cleaned, and go when people log out. Who is
    /// connected stays so.
    public func stayReachable() throws {
        try listening.withLock { listening in
            if listening.isEnded || SocketFile(listening.path) == listening.file { return }
            let (old, accepting) = (listening.descriptor, listening.accepting)
            listening = try Self.listen(place)
            listening.accepting = accepting
            // Whoever accepts there goes on with the new one, and closes this.
            _ = accepting == old ? shutdown(old, Int32(SHUT_RDWR)) : close(old)
        }
    }

    /// Until the task is cancelled; then every connection ends and the socket is removed.
    public func run() async {
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                while !Task.isCancelled {
                    let (descriptor, loss) = beginAccepting()
                    switch await SocketConnection.blocking({ Self.accept(descriptor, loss) }) {
                    // Callers wait for nothing of each other; each has its connection to itself, and all end with the group.
                    case .caller(let number): group.addTask { await self.serve(SocketConnection(number)) }
                    // Whoever calls waits in the kernel's line meanwhile.
                    case .noRoom: try? await Task.sleep(for: Self.pause)
                    // Where it cannot be made now, whoever works here tries later.
                    case .lost: try? stayReachable()
                    case .ended: if descriptor == listening.withLock({ $0.descriptor }) { return }
                    }
                }
            }
        } onCancel: {
            listening.withLock { listening in
                listening.isEnded = true
                _ = shutdown(listening.descriptor, Int32(SHUT_RDWR))
            }
            // All at once, before any of them hears of it: none may get what another has.
            if let claims { claims.leave(coordinating.withLock { $0 }) }
            open.withLock { for connection in $0.values { connection.shut() } }
        }
        // Nobody accepts any more, so there is nothing to be made anew.
        listening.withLock { $0.isEnded = true }
        if let claims { claims.leave(coordinating.withLock { $0 }) }
        unlink(path)
        claims?.isServing = false
    }

    /// Where to accept now. A socket that was replaced is closed by who accepted there.
    private func beginAccepting() -> (descriptor: Int32, loss: LossNotice?) {
        listening.withLock { listening in
            if let old = listening.accepting, old != listening.descriptor { close(old) }
            listening.accepting = listening.descriptor
            return (listening.descriptor, listening.loss)
        }
    }

    private enum Arrival: Sendable {
        case caller(Int32)
        /// The process, or the machine, has no descriptor or no memory left for it now.
        case noRoom
        /// Something happened to the socket's file.
        case lost
        case ended
    }

    private static let pause = Duration.milliseconds(100)

    private static func accept(_ descriptor: Int32, _ loss: LossNotice?) -> Arrival {
        while true {
            if let loss, loss.comes(before: descriptor) { return .lost }
            let number = Glibc.accept(descriptor, nil, nil)
            if number >= 0 {
                _ = fcntl(number, F_SETFD, FD_CLOEXEC)
                return .caller(number)
            }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .noRoom
            default: return .ended
            }
        }
    }

    private func serve(_ connection: SocketConnection) async {
        open.withLock { $0[ObjectIdentifier(connection)] = connection }
        defer { open.withLock { $0[ObjectIdentifier(connection)] = nil } }
        if Task.isCancelled { return }
        let reply: @Sendable (DriveReply) async -> Bool = { reply in
            // What cannot be encoded cannot be sent; the other side sees the end.
            (try? await connection.send(reply)) ?? false
        }
        while let request = await Self.request(on: connection) {
            guard let request = request.known else {
                let error = DriveError(.temporary, "the process that watches is of another version; restart it")
                _ = await reply(DriveReply(error: ErrorReport(error)))
                return
            }
            if request.verb == .coordinate, let claims {
                let session = ClaimSession(connection: connection, claims: claims) { client, isHere in
                    self.coordinating.withLock { _ = isHere ? $0.insert(client).memberAfterInsert : $0.remove(client) }
                }
                return await session.run()
            }
            if request.verb == .subscribe { return await follow(request, reply, connection) }
            await handler(request, reply)
        }
    }

    private enum Request {
        case known(DriveRequest)
        /// Of another version, which may ask for what nobody here can read.
        case foreign

        var known: DriveRequest? { if case .known(let request) = self { request } else { nil } }
    }

    /// Nil at the end.
    private static func request(on connection: SocketConnection) async -> Request? {
        do {
            guard let request = try await connection.receive(DriveRequest.self) else { return nil }
            return request.v == DriveRequest.version ? .known(request) : .foreign
        } catch { return .foreign }
    }

    /// Ends with who asked: there may be nothing to tell for days, and only who is told something is noticed to be gone.
    private func follow(
        _ request: DriveRequest, _ reply: @escaping @Sendable (DriveReply) async -> Bool,
        _ connection: SocketConnection
    ) async {
        await withTaskGroup { group in
            group.addTask { [handler] in await handler(request, reply) }
            group.addTask { await connection.hangUp() }
            await group.next()
            group.cancelAll()
            connection.shut()
        }
    }
}

/// Tells a socket in a folder from another one.
private struct SocketFile: Equatable {
    private let device: dev_t
    private let inode: ino_t

    /// Nil where none is there.
    init?(_ path: String) {
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return nil }
        (device, inode) = (facts.st_dev, facts.st_ino)
    }
}
