import DriveCore

/// Many requests of one transfer under way at once, so that its speed is not one piece for each time to the server and
/// back.
struct SFTPPipeline: Sendable {
    /// 2 MiB of pieces, which is also the window of an SSH channel (`CHAN_SES_WINDOW_DEFAULT` of OpenSSH).
    static let width = 64

    var session: SFTPSession
    var pace: TransferPace
    var direction: TransferDirection

    /// Sends the request for each piece of the range in order, since servers that pass on what they get want it so (rclone),
    /// and calls `body` with each and `take` with its results in any order; begins no more pieces once `take` said false. Throws the first failure after the other calls have been stopped.
    func run<Value: Sendable>(
        over range: Range<UInt64>, _ request: (Range<UInt64>) -> SFTPRequest,
        _ body: @escaping @Sendable (Range<UInt64>, SFTPTicket) async throws(DriveError) -> Value,
        take: (Range<UInt64>, Value) -> Bool
    ) async throws(DriveError) {
        typealias Outcome = (piece: Range<UInt64>, result: Result<Value, DriveError>)
        let failure = await withTaskGroup(of: Outcome.self, returning: DriveError?.self) { group in
            var start = range.lowerBound
            var failure: DriveError?
            var (count, end) = (0, range.upperBound)
            while failure == nil, start < end || count > 0 {
                if start < end, count < Self.width {
                    let next = end - start > size ? start + size : end
                    let piece = start..<next
                    await pace.pass(direction, piece.count)
                    // Whoever was stopped in there sends nothing more.
                    if Task.isCancelled {
                        failure = .stopped
                        break
                    }
                    let ticket = session.begin(request(piece))
                    group.addTask { (piece, await Self.outcome(piece, ticket, body)) }
                    (start, count) = (next, count + 1)
                } else if let outcome = await group.next() {
                    count -= 1
                    switch outcome.result {
                    case .success(let value): if !take(outcome.piece, value) { end = start }
                    case .failure(let error): failure = error
                    }
                }
            }
            group.cancelAll()
            return failure
        }
        if let failure { throw failure }
    }

    private var size: UInt64 { UInt64(session.pieceSize) }

    private static func outcome<Value>(
        _ piece: Range<UInt64>, _ ticket: SFTPTicket,
        _ body: @Sendable (Range<UInt64>, SFTPTicket) async throws(DriveError) -> Value
    ) async -> Result<Value, DriveError> {
        do throws(DriveError) { return .success(try await body(piece, ticket)) } catch { return .failure(error) }
    }
}
