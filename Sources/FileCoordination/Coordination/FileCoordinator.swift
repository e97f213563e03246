public import DriveCore

/// Lets the parts of one process use items of a drive without getting in the way of syncing, or of one another.
///
/// While a body reads, nobody in this process writes the item, and syncing does not replace, move or remove it; while a
/// body writes, nobody else uses it and syncing leaves it alone. Other programs are not kept from anything: against them
/// the drive checks each item right before and after it touches it.
///
///     try await drive.coordinator.writing("Letters/Budget.ods") { try data.write(to: url) }
public struct FileCoordinator: Sendable {
    public let claims: FileClaims

    public init(_ claims: FileClaims = FileClaims()) { self.claims = claims }

    /// Runs the body while nobody writes the item or anything in it; waits for its turn. Do not claim the same item inside.
    public func reading<Result: Sendable>(
        _ path: DrivePath, _ body: () async throws -> Result
    ) async throws -> Result {
        try await using(FileClaims.Claim(paths: [path], isWriting: false), body)
    }

    /// Runs the body while nobody else uses the item or anything in it; waits for its turn. Do not claim the same item
    /// inside.
    public func writing<Result: Sendable>(
        _ path: DrivePath, _ body: () async throws -> Result
    ) async throws -> Result {
        try await using(FileClaims.Claim(paths: [path], isWriting: true), body)
    }

    /// Both at once, such as for a move, so that two of them cannot wait for one another.
    public func writing<Result: Sendable>(
        _ path: DrivePath, _ other: DrivePath, _ body: () async throws -> Result
    ) async throws -> Result {
        try await using(FileClaims.Claim(paths: [path, other], isWriting: true), body)
    }

    private func using<Result: Sendable>(
        _ claim: FileClaims.Claim, _ body: () async throws -> Result
    ) async throws -> Result {
        let id = try await claims.take(claim)
        defer { claims.release(id) }
        return try await body()
    }
}
