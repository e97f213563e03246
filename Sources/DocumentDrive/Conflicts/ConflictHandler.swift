import DriveCore
import DriveFiles
import FileCoordination

/// Both sides of a new conflict, as a handler finds them.
public struct ConflictSides: Sendable {
    public var conflict: Conflict
    /// The file that this device wrote, or where it wrote neither, the one that has the name. May be read, not written.
    public var local: FolderPath
    public var remote: FolderPath
    /// A text that both come from, where there is one and it is known.
    public var ancestor: FolderPath?
}

public enum ConflictAnswer: Hashable, Sendable {
    /// What the file holds from now on; both sides go to the trash.
    case merged([UInt8])
    /// The conflict stands, and a person decides.
    case both
}

/// Asked once about each new conflict of two contents, after the pass that brought it, on every device that has a handler.
/// Where several answer with the same bytes there is no new conflict: make it deterministic, without regard to which side
/// is local. One that throws is asked again after the next pass; its error is told to nobody else. Of a file with several
/// copies it is asked about one after the other, each time with what the answer before has made of the file. Nothing else happens to the drive meanwhile; a handler
/// that calls the drive waits for itself. Where the file or the copy is saved meanwhile, both stay: with the new file it is asked
/// anew; the new copy is a file of its own, and the conflict is over.
public typealias ConflictHandler = @Sendable (ConflictSides) async throws -> ConflictAnswer

/// Asks the handler, and does what it answers.
struct ConflictHandling {
    let parts: DriveParts
    let folder: FolderPath
    let handler: ConflictHandler
    private static let asked = "conflicts-asked"

    /// True where conflicts were ended.
    func run() async throws -> Bool {
        guard try !parts.state.nodesWithDerivedNames().isEmpty else { return false }
        let conflicts = try ConflictList(parts.state).all().filter {
            // What a rule hides no device would learn the answer of.
            $0.kind != nil && $0.copy != nil && !$0.isAgainstFolder && !$0.isHeld
                && !parts.options.ignores($0.current, false)
        }
        let known = Set(
            String(decoding: try parts.state.setting(Self.asked) ?? [], as: UTF8.self).split(separator: " "))
        var asked: [String] = []
        var answers: [Answer] = []
        for conflict in conflicts {
            let key = conflict.key
            // What becomes of the file first is what the next copy is to be compared with.
            if answers.contains(where: { $0.file == conflict.current }) { continue }
            asked.append(key)
            if known.contains(Substring(key)) { continue }
            do {
                if case .merged(let bytes) = try await handler(sides(conflict)) {
                    answers.append(Answer(key: key, conflict: conflict, deeds: conflict.ending(with: bytes)))
                }
            } catch {
                try Task.checkCancellation()
                asked.removeLast()
            }
        }
        let failed = try await end(answers)
        let kept = asked.filter { !failed.contains($0) }
        if Set(kept) != Set(known.map(String.init)) {
            let text = kept.joined(separator: " ")
            try parts.state.transaction { try parts.state.setSetting(Array(text.utf8), Self.asked) }
        }
        return answers.contains { !failed.contains($0.key) }
    }

    private struct Answer {
        var key: String
        var conflict: Conflict
        var deeds: [Deed]

        var file: DrivePath { conflict.current }
    }

    /// Returns those that could not be ended: they are asked about again.
    private func end(_ all: [Answer]) async throws -> Set<String> {
        // A pass does not wait: what somebody uses is asked about again.
        let (claimed, claims) = claim(all)
        defer { end(claims) }
        // What the handler has read may have been saved anew meanwhile.
        var standing = try FileStanding(files: parts.files)
        let free = try claimed.filter { answer in
            try answer.conflict.files.allSatisfy { path in
                try parts.state.row(at: path).map { try standing.isUnchanged($0, at: path) } ?? false
            }
        }
        var failed = Set(all.map(\.key)).subtracting(free.map(\.key))
        guard !free.isEmpty else { return failed }
        parts.operations.begin()
        var runner = try DeedRunner(parts, reason: .resolved, together: free.map(\.deeds))
        try await parts.operations.during(.resolve) { try await runner.run() }
        for (answer, failure) in zip(free, runner.groupFailures) {
            if answer.deeds.isEmpty || failure != nil {
                failed.insert(answer.key)
            } else {
                try answer.conflict.isOver(parts)
            }
        }
        return failed
    }

    private func claim(_ answers: [Answer]) -> (free: [Answer], claims: [SyncingClaim]) {
        guard let claims = parts.claims else { return (answers, []) }
        var taken: [SyncingClaim] = []
        let free = answers.filter { answer in
            guard let claim = claims.claimForSyncing(answer.deeds.flatMap(\.intents), beneath: folder.bytes) else {
                return false
            }
            taken.append(claim)
            return true
        }
        return (free, taken)
    }

    private func end(_ claims: [SyncingClaim]) { for claim in claims { parts.claims?.end(claim) } }

    private func sides(_ conflict: Conflict) throws -> ConflictSides {
        let own = try parts.state.labels().text(Dot(device: parts.state.numbers().device, n: .max))
        let current = folder.appending(path: conflict.current)
        let copy = folder.appending(path: conflict.ownPath)
        let isCopyOwn = conflict.copySide?.device == own && conflict.currentSide?.device != own
        let ancestor = try conflict.ancestor.flatMap { hash in try parts.state.trash().first { $0.hash == hash } }
        return ConflictSides(
            conflict: conflict, local: isCopyOwn ? copy : current, remote: isCopyOwn ? current : copy,
            ancestor: ancestor.map { folder.appending(DriveLayout.state).appending("trash").appending($0.name) })
    }
}

extension Conflict {
    /// Another one where either side has changed.
    fileprivate var key: String {
        "\(id)/\(currentSide?.hash?.description.prefix(16) ?? "-")/\(copySide?.hash?.description.prefix(16) ?? "-")"
    }

    /// Both sides.
    fileprivate var files: [DrivePath] { [current] + (copy.map { [$0] } ?? []) }

    fileprivate func ending(with bytes: [UInt8]) -> [Deed] {
        guard let copy, let other = copySide?.hash else { return [] }
        let hash = ContentHasher.hash(of: bytes)
        guard let old = currentSide?.hash else { return [] }
        return (hash == old ? [] : [.write(bytes, at: current, replacing: old)]) + [.takeAway(copy, other)]
    }
}
