import Synchronization

/// What a program holds that starts another one, as text for it: nobody else can know that the one waits for the other.
struct Surroundings: Hashable, Sendable {
    /// Claims at the arbiter that watches the drive.
    var claims: [ClaimID] = []
    /// Places of the lock file, and whether they are had alone, where there is no such arbiter.
    var locks: [Int64: Bool] = [:]

    var text: String {
        (claims.map { "\($0.client).\($0.number)" }
            + locks.sorted { $0.key < $1.key }.map { "\($0.key)\($0.value ? "w" : "r")" })
            .joined(separator: ",")
    }

    init() {}

    /// What is no part of such a text is passed over.
    init(_ text: String) {
        for word in text.split(separator: ",") {
            if let place = Int64(word.dropLast()), let kind = word.last, kind == "w" || kind == "r" {
                locks[place] = kind == "w"
            }
            let numbers = word.split(separator: ".").compactMap { UInt64($0) }
            if numbers.count == 2 { claims.append(ClaimID(client: numbers[0], number: numbers[1])) }
        }
    }
}

extension DriveCoordination {
    /// What the running task holds of this drive, for a program that it starts and waits for: with an equal purpose, that
    /// one waits for nothing of it.
    public nonisolated var surroundings: String {
        var result = Surroundings()
        result.claims = TaskPart.current.inside
        result.locks = claims.locks(of: result.claims)
        return result.text
    }

    /// Runs the body as part of what another process holds, which waits for this one. With the purpose for which that is held,
    /// acts of the body (`Drive.perform`) do not wait for it either.
    public nonisolated func within<Result: Sendable>(
        _ surroundings: String, purpose: String? = nil, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let outer = Surroundings(surroundings)
        let heeding = claims.heed(outer.locks)
        defer { claims.endHeeding(heeding) }
        let part = TaskPart(inside: outer.claims, purposes: purpose.map { [$0] } ?? [])
        return try await TaskPart.$current.withValue(part, operation: body)
    }

    /// The purposes of the accesses that the running task is a part of, for who acts for it elsewhere.
    package static var purposes: Set<String> { TaskPart.current.purposes }

    /// Runs the body as part of accesses of these purposes.
    package static func joining<Result: Sendable>(
        _ purposes: Set<String>, _ body: () async throws -> Result
    ) async rethrows -> Result {
        var part = TaskPart.current
        part.purposes.formUnion(purposes)
        return try await TaskPart.$current.withValue(part, operation: body)
    }
}
