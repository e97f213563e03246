import DriveTesting
import Testing

@testable import DriveCore

/// What is found by path is what looking at one move after the other finds.
struct MovesByPathTests {
    private static func path(_ random: inout SeededGenerator) -> DrivePath {
        let depth = 1 + random.below(3)
        return DrivePath((0..<depth).map { _ in FileName("\(random.below(3))") })
    }

    /// One goes where the other is, or they change places.
    private static func group(
        _ one: DrivePath, _ other: DrivePath, _ random: inout SeededGenerator
    ) -> [(from: DrivePath, to: DrivePath)] {
        var group = [(from: one, to: other)]
        if Bool.random(using: &random) { group.append((from: other, to: one)) }
        return group
    }

    @Test(arguments: 0..<40)
    func plannedMovesLeadBackAsOneAfterTheOther(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var moves = PlannedMoves()
        for _ in 0..<12 {
            let (one, other) = (Self.path(&random), Self.path(&random))
            moves.append(Self.group(one, other, &random))
        }
        for _ in 0..<40 {
            let path = Self.path(&random)
            var place: DrivePath? = path
            for group in moves.groups.reversed() {
                guard let here = place else { break }
                if let move = group.first(where: { here.isInside($0.to) }) {
                    place = here.moved(from: move.to, to: move.from)
                } else if group.contains(where: { here.isInside($0.from) }) {
                    place = nil
                }
            }
            #expect(moves.place(of: path) == place)
        }
    }

    @Test(arguments: 0..<40)
    func plannedNamesGoWithTheirFolders(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var names = PlannedNames()
        var plain: [DrivePath: UndoPlan.Standing] = [:]
        for _ in 0..<30 {
            let (one, other) = (Self.path(&random), Self.path(&random))
            switch Int.random(in: 0...3, using: &random) {
            case 0:
                (names[one], plain[one]) = (nil, nil)
            case 1 where !one.isInside(other) && !other.isInside(one):
                let group = Self.group(one, other, &random)
                names.move(group)
                let known = plain
                plain = known.filter { path, _ in
                    !group.contains { path.isInside($0.from) || path.isInside($0.to) }
                }
                for (path, standing) in known {
                    guard let move = group.first(where: { path.isInside($0.from) }) else { continue }
                    plain[path.moved(from: move.from, to: move.to)] = standing
                }
            default:
                let standing: UndoPlan.Standing = Bool.random(using: &random) ? .folder : .nothing
                (names[one], plain[one]) = (standing, standing)
            }
            let (path, folder) = (Self.path(&random), one.parent)
            #expect(names[path] == plain[path])
            #expect(
                names.isSomething(in: folder) == plain.contains { $0.key.parent == folder && $0.value != .nothing })
        }
    }

    @Test(arguments: 0..<40)
    func foldersMovedAreFoundAsOneAfterTheOther(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let events = (0..<14).map { number in
            DriveEvent(
                time: 1, kind: .moved, path: Self.path(&random), from: Self.path(&random),
                operation: DriveOperation(
                    id: UInt64(number / 5), kind: Bool.random(using: &random) ? .local : .undo, time: 1))
        }
        let moves = FolderMoves(events)
        for _ in 0..<60 {
            let path = Self.path(&random)
            let (place, operation) = (Int.random(in: 0..<14, using: &random), UInt64.random(in: 0...2, using: &random))
            let end = Int.random(in: -1..<14, using: &random)
            let barred = Int.random(in: 0..<14, using: &random)
            let later = moves.later(path, since: place, operation, until: end) { $0 == barred }
            #expect(later == Self.later(events, path, since: place, operation, until: end, barred))
            #expect(
                moves.earlier(path, before: place, operation) == Self.earlier(events, path, before: place, operation))
        }
    }

    private static func later(
        _ events: [DriveEvent], _ path: DrivePath, since place: Int, _ operation: UInt64, until end: Int, _ barred: Int
    ) -> DrivePath {
        var path = path
        var last: Int?
        for next in events.indices.reversed() where next < place && next > end {
            guard let from = events[next].from, events[next].operation?.id == operation, path != from,
                path.isInside(from), next != barred, last.map({ tookTheName(events, $0, next) }) != true
            else { continue }
            path = path.moved(from: from, to: events[next].path)
            last = next
        }
        return path
    }

    private static func earlier(
        _ events: [DriveEvent], _ path: DrivePath, before place: Int, _ operation: UInt64
    ) -> DrivePath {
        var path = path
        var last: Int?
        for next in events.indices where next > place {
            let to = events[next].path
            guard let from = events[next].from, events[next].operation?.id == operation, path != to,
                path.isInside(to), last.map({ tookTheName(events, next, $0) }) != true
            else { continue }
            path = path.moved(from: to, to: from)
            last = next
        }
        return path
    }

    private static func tookTheName(_ events: [DriveEvent], _ place: Int, _ later: Int) -> Bool {
        let rounds = ExchangeRounds(events.reversed())
        return rounds.areOne(events.count - 1 - place, events.count - 1 - later)
            || events[place].tookTheName(before: events[later])
    }
}
