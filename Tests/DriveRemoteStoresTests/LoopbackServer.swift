import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// An HTTP server within the test that answers what the test says: bytes of a head and a body, as they are.
final class LoopbackServer: Sendable {
    /// What came in.
    struct Request: Sendable {
        var method: String
        var target: String
        var fields: [(name: String, value: String)]
        var body: [UInt8]

        subscript(_ name: String) -> String? { fields.first { $0.name.lowercased() == name.lowercased() }?.value }
    }

    /// What goes out.
    struct Reply: Sendable {
        /// As on the wire, with its lines' ends.
        var bytes: [UInt8]
        var closes = false
        /// Leaves the connection open without another byte.
        var hangs = false
        /// Sends the bytes one by one, for ever again.
        var repeats: [UInt8] = []

        init(raw text: String, closes: Bool = false, hangs: Bool = false) {
            bytes = Array(text.utf8)
            self.closes = closes
            self.hangs = hangs
        }

        init(_ status: String, _ fields: [String] = [], _ body: String = "") {
            self.init(status, fields, Array(body.utf8))
        }

        init(_ status: String, _ fields: [String] = [], _ body: [UInt8]) {
            let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + fields
            bytes = Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
        }

        static let cut = Reply(raw: "", closes: true)
        static let silence = Reply(raw: "", hangs: true)
    }

    private let channel: any Channel
    private let seen = Mutex<[Request]>([])
    private let box = LoopbackBox()
    let port: Int

    /// `answer` gets the request and how many came before it.
    init(_ answer: @escaping @Sendable (Request, Int) -> Reply) async throws {
        let box = box
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)))
                    try channel.pipeline.syncOperations.addHandler(LoopbackHandler(box))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
        box.set { [weak self] request in
            guard let self else { return .cut }
            let number = self.seen.withLock { seen in
                seen.append(request)
                return seen.count - 1
            }
            return answer(request, number)
        }
    }

    deinit { channel.close(promise: nil) }

    var requests: [Request] { seen.withLock { $0 } }

    /// Bytes of what replies repeat that the system has taken.
    var repeated: Int { box.repeated.load(ordering: .relaxed) }
}

/// Between the server and its connections, which are made before it is whole.
final class LoopbackBox: Sendable {
    let repeated = Atomic(0)
    private let answer = Mutex<(@Sendable (LoopbackServer.Request) -> LoopbackServer.Reply)?>(nil)

    func set(_ body: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Reply) {
        answer.withLock { $0 = body }
    }

    func reply(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
        let body = answer.withLock { $0 }
        return body?(request) ?? .cut
    }
}

private final class LoopbackHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ByteBuffer

    private let box: LoopbackBox
    private var request: LoopbackServer.Request?

    init(_ box: LoopbackBox) { self.box = box }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            request = LoopbackServer.Request(
                method: head.method.rawValue, target: head.uri, fields: head.headers.map { ($0.name, $0.value) },
                body: [])
        case .body(let bytes): request?.body += bytes.readableBytesView
        case .end:
            guard let request else { return }
            send(box.reply(request), context)
            self.request = nil
        }
    }

    private func send(_ reply: LoopbackServer.Reply, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: reply.bytes)), promise: nil)
        if reply.closes { context.close(promise: nil) }
        if !reply.repeats.isEmpty { stream(reply.repeats, NIOLoopBound(context, eventLoop: context.eventLoop)) }
    }

    private func stream(_ bytes: [UInt8], _ context: NIOLoopBound<ChannelHandlerContext>) {
        let promise = context.value.eventLoop.makePromise(of: Void.self)
        context.value.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: promise)
        let own = NIOLoopBound(self, eventLoop: context.value.eventLoop)
        let count = bytes.count
        promise.futureResult.whenSuccess {
            own.value.box.repeated.add(count, ordering: .relaxed)
            own.value.stream(bytes, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
