import AsyncHTTPClient
import DriveCore
import NIOCore
import NIOHTTP1
import Synchronization

/// One request on its way, and its answer.
final class HTTPTransfer: Sendable {
    private let exchange: HTTPExchange
    private let request: HTTPRequest
    private let limit: Int
    private let watch: ProgressWatch
    private let hesitates: Bool
    private let sent = Atomic(0)
    private let isAnswered = Atomic(false)
    private let isOver = Atomic(false)

    /// As much of an error as is read.
    private static let errorLimit = 64 << 10
    /// That much of a request goes to a connection that is closed already: kernels take some of it, and Apache reads for
    /// two seconds after it closed what it gave no answer to.
    private static let untaken = 4 << 20

    init(_ exchange: HTTPExchange, _ request: HTTPRequest, limit: Int, hesitates: Bool) {
        self.hesitates = hesitates
        self.exchange = exchange
        self.request = request
        self.limit = limit
        watch = ProgressWatch(seconds: exchange.progressSeconds * request.patience)
    }

    /// Whether the server may have worked on the request.
    var isTaken: Bool { isAnswered.load(ordering: .relaxed) || sent.load(ordering: .relaxed) > Self.untaken }

    func run() async throws -> HTTPAnswer {
        try await withThrowingTaskGroup(of: HTTPAnswer?.self) { group in
            defer {
                isOver.store(true, ordering: .relaxed)
                group.cancelAll()
            }
            group.addTask { try await self.transfer() }
            group.addTask {
                try await self.watch.run()
                return nil
            }
            while let answer = try await group.next() { if let answer { return answer } }
            throw CancellationError()
        }
    }

    private func transfer() async throws -> HTTPAnswer {
        let response = try await exchange.client.execute(await prepared(), deadline: .distantFuture)
        isAnswered.store(true, ordering: .relaxed)
        var answer = HTTPAnswer(
            status: Int(response.status.code), fields: response.headers.map { HTTPField($0.name, $0.value) }, body: [],
            redaction: Redaction(request))
        answer.body = try await body(of: response, answer)
        return answer
    }

    private func prepared() async -> HTTPClientRequest {
        var prepared = HTTPClientRequest(url: "\(exchange.origin)\(request.target)")
        prepared.method = HTTPMethod(rawValue: request.method)
        prepared.headers = HTTPHeaders(request.fields.map { ($0.name, $0.value) })
        prepared.headers.replaceOrAdd(name: "Host", value: exchange.origin.authority)
        prepared.headers.replaceOrAdd(name: "User-Agent", value: HTTPExchange.userAgent)
        // Without it any coding may come (RFC 9110, section 12.5.3).
        prepared.headers.replaceOrAdd(name: "Accept-Encoding", value: "identity")
        if let range = request.range {
            // RFC 9110, section 14.1.2: both ends are part of it.
            prepared.headers.replaceOrAdd(name: "Range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)")
        }
        if request.body.count <= HTTPPieces.size {
            // As one with its end: AsyncHTTPClient takes an answer for cut whose end is that of its connection and which
            // comes before it knows that the last piece was the last.
            if !request.body.isEmpty { await send(request.body, &prepared) }
        } else {
            let pieces = HTTPPieces(bytes: request.body) { count in
                // Nobody waits for what is asked for after the end, and nobody's bandwidth goes to it.
                if self.sent.load(ordering: .relaxed) == 0, self.hesitates {
                    await self.watch.holding { await self.hesitate() }
                }
                if self.isOver.load(ordering: .relaxed) { throw CancellationError() }
                await self.watch.holding { await self.exchange.pace.pass(.up, count) }
            } taken: { count in
                self.watch.handedOver(count)
                self.sent.add(count, ordering: .relaxed)
            }
            prepared.body = .stream(pieces, length: .known(Int64(request.body.count)))
        }
        return prepared
    }

    /// A second at most, for an answer to the header alone; that one is read to its end.
    private func hesitate() async {
        for turn in 0..<500 where !isOver.load(ordering: .relaxed) {
            if turn >= 100, !isAnswered.load(ordering: .relaxed) { return }
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    private func send(_ body: ArraySlice<UInt8>, _ prepared: inout HTTPClientRequest) async {
        await watch.holding { await exchange.pace.pass(.up, body.count) }
        watch.handedOver(body.count)
        sent.add(body.count, ordering: .relaxed)
        prepared.body = .bytes(ByteBuffer(bytes: body))
    }

    private static let compressing: Set<String> = ["gzip", "x-gzip", "deflate", "compress", "x-compress", "br", "zstd"]

    /// Some proxies compress what nobody wants compressed: parts and lengths of it are not those of the object. What is said of an
    /// upload or a removal, nobody reads.
    private func checkCoding(_ answer: HTTPAnswer) throws(DriveError) {
        guard answer.isSuccess, !["PUT", "DELETE", "MKCOL"].contains(request.method),
            let coding = answer["Content-Encoding"]?.lowercased(), Self.compressing.contains(coding)
        else { return }
        throw HTTPStatus.somethingElse(
            "it compresses what it was asked for (\(coding)), as some proxies do", exchange.origin,
            subject: request.subject)
    }

    /// Of a success the part that is wanted, of anything else the beginning.
    private func body(of response: HTTPClientResponse, _ answer: HTTPAnswer) async throws -> [UInt8] {
        try checkCoding(answer)
        var collector = try HTTPBodyCollector(
            answer, range: request.range, limit: answer.isSuccess ? limit : Self.errorLimit, exchange.origin,
            subject: request.subject)
        for try await piece in response.body {
            await watch.holding { await exchange.pace.pass(.down, piece.readableBytes) }
            watch.moved(piece.readableBytes)
            // Leaving the loop closes the connection, which costs less than reading on.
            if try !collector.take(piece.readableBytesView) { break }
        }
        return try collector.finish()
    }
}

/// The body of a request, piece by piece as the connection takes it.
struct HTTPPieces: AsyncSequence, Sendable {
    let bytes: ArraySlice<UInt8>
    /// Waits for leave to send so many.
    let leave: @Sendable (Int) async throws -> Void
    /// So many are on their way.
    let taken: @Sendable (Int) -> Void

    init(
        bytes: ArraySlice<UInt8>, leave: @escaping @Sendable (Int) async throws -> Void,
        taken: @escaping @Sendable (Int) -> Void
    ) {
        self.bytes = bytes
        self.leave = leave
        self.taken = taken
    }

    static let size = 64 << 10

    struct AsyncIterator: AsyncIteratorProtocol {
        let pieces: HTTPPieces
        var rest: ArraySlice<UInt8>
        var last = 0

        mutating func next() async throws -> ByteBuffer? {
            // Who asks for the next has taken the last.
            pieces.taken(last)
            let piece = rest.prefix(HTTPPieces.size)
            last = piece.count
            guard !piece.isEmpty else { return nil }
            rest = rest.dropFirst(piece.count)
            try await pieces.leave(piece.count)
            try Task.checkCancellation()
            return ByteBuffer(bytes: piece)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces: self, rest: bytes) }
}
