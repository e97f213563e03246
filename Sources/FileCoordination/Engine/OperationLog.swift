import DriveCore

/// The operation that what happens now belongs to: one for each cause, made when the first thing happens.
///
/// For the engine's one thread.
public final class OperationLog {
    private var causes: [DriveOperation.Kind] = []
    private var open: [DriveOperation.Kind: DriveOperation] = [:]
    private var undone: UInt64?
    private var last: UInt64?
    /// The act that the log ended with when what happens now began.
    var lastAct: UInt64?

    public init() {}

    /// What happens from now on is another operation.
    public func begin() {
        open = [:]
        undone = nil
        lastAct = nil
    }

    /// Why what happens now happens; nil where nothing says so.
    var cause: DriveOperation.Kind? { causes.last }

    /// What happens in the body has this cause.
    public func during<Result>(_ kind: DriveOperation.Kind, _ body: () throws -> Result) rethrows -> Result {
        causes.append(kind)
        defer { causes.removeLast() }
        return try body()
    }

    public func during<Result>(_ kind: DriveOperation.Kind, _ body: () async throws -> Result) async rethrows -> Result
    {
        causes.append(kind)
        defer { causes.removeLast() }
        return try await body()
    }

    /// What happens until `begin`, or until this is said of another operation, reverses that one.
    public func undoes(_ operation: UInt64?) { undone = operation }

    /// Nil where nothing says why.
    func current(_ state: any DriveState, now: UInt64) throws -> DriveOperation? {
        guard let kind = cause else { return nil }
        var operation: DriveOperation
        if let known = open[kind] {
            operation = known
        } else {
            operation = DriveOperation(id: try max(last ?? 0, state.lastOperation()) + 1, kind: kind, time: now)
            (last, open[kind]) = (operation.id, operation)
        }
        if kind == .undo, let undone { operation.reversed = [undone] }
        return operation
    }
}
