import DriveCore
import Synchronization

/// A claim that somebody holds who waits for whatever happens within it.
struct Enclosure: Hashable, Sendable, Codable {
    /// As its arbiter calls it; no other one has the same.
    var claim: ClaimID
    /// Places of the lock file, and whether they are had alone. They say something where the holder itself has locks for the
    /// claim (`ClaimLocks.mark`), not the arbiter that granted it.
    var places: [Int64: Bool] = [:]
}

/// What a program holds that starts another one, as text for it: nobody else can know that the one waits for the other.
struct Surroundings: Hashable, Sendable {
    var enclosures: [Enclosure] = []

    /// Each claim, and after it its places.
    var text: String {
        enclosures.flatMap { enclosure in
            ["\(enclosure.claim.client).\(enclosure.claim.number)"]
                + enclosure.places.sorted { $0.key < $1.key }.map { "\($0.key)\($0.value ? "w" : "r")" }
        }.joined(separator: ",")
    }

    init(_ enclosures: [Enclosure] = []) { self.enclosures = enclosures }

    /// What is no part of such a text is passed over.
    init(_ text: String) {
        for word in text.split(separator: ",") {
            let numbers = word.split(separator: ".").compactMap { UInt64($0) }
            if numbers.count == 2 {
                enclosures.append(Enclosure(claim: ClaimID(client: numbers[0], number: numbers[1])))
            } else if !enclosures.isEmpty, let place = Int64(word.dropLast()), let kind = word.last,
                kind == "w" || kind == "r"
            {
                enclosures[enclosures.count - 1].places[place] = kind == "w"
            }
        }
    }
}

extension DriveCoordination {
    /// What the running task holds of this drive, for a program that it starts and waits for: with an equal purpose, that
    /// one waits for nothing of it.
    public nonisolated var surroundings: String { Surroundings(claims.marked(TaskPart.current.inside)).text }

    /// Runs the body as part of what another process holds, which waits for this one. With the purpose for which that is held,
    /// acts of the body (`Drive.perform`) do not wait for it either. What is held of another drive, or not any more, counts for
    /// nothing.
    public nonisolated func within<Result: Sendable>(
        _ surroundings: String, purpose: String? = nil, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let outer = Surroundings(surroundings).enclosures
        let heeding = claims.heed(outer)
        defer { claims.endHeeding(heeding) }
        let part = TaskPart(inside: outer, purposes: purpose.map { [$0] } ?? [])
        return try await TaskPart.$current.withValue(part, operation: body)
    }

    /// The purposes of the accesses that the running task is a part of, for who acts for it elsewhere.
    package static var purposes: Set<String> { TaskPart.current.purposes }

    /// What was told by `surroundings` elsewhere of the accesses that the running task is a part of.
    static var outer: [Enclosure] { TaskPart.current.outer }

    /// Runs the body as part of accesses of these purposes, which are held as `surroundings` tells, as text. An arbiter knows
    /// what it has granted by the purpose; what is held of one before it, by who waits for this, is known by its locks alone.
    package static func joining<Result: Sendable>(
        _ purposes: Set<String>, _ surroundings: String? = nil, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await joining(purposes, outer: Surroundings(surroundings ?? "").enclosures, body)
    }

    static func joining<Result: Sendable>(
        _ purposes: Set<String>, outer: [Enclosure], _ body: () async throws -> Result
    ) async rethrows -> Result {
        var part = TaskPart.current
        part.purposes.formUnion(purposes)
        part.outer += outer
        return try await TaskPart.$current.withValue(part, operation: body)
    }
}
