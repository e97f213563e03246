import DriveCore

/// A few threads for calls that block, so that Swift's cooperative pool, which has one thread per core, never does.
public final class DiskPool: Sendable {
    private let lanes: Lanes<@Sendable () -> Void>
    private let mayBlock: @Sendable () -> Bool

    /// At most `width` calls block at a time; the others wait their turn, first come, first served. Where `mayBlock` says so
    /// of the thread that a call comes from, it is made there: to go to another thread and back takes longer than most calls.
    public init(
        label: String = "docdrive.disk", width: Int = 4, mayBlock: @escaping @Sendable () -> Bool = { false }
    ) {
        lanes = Lanes(label: label, width: width) { $0() }
        self.mayBlock = mayBlock
    }

    /// Runs a call that blocks. Does not look at cancellation: a call on a disk cannot be taken back.
    public func run<Value: Sendable>(
        _ call: @escaping @Sendable () throws(DriveError) -> Value
    ) async throws(DriveError) -> Value {
        if mayBlock() { return try call() }
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, DriveError>, Never>) in
            lanes.add {
                do throws(DriveError) {
                    continuation.resume(returning: .success(try call()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }
}
