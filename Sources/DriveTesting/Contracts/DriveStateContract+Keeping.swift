import DriveCore
import DriveTransport

// What is kept for a while.
extension DriveStateContract {
    static func keepsByTimeSeen(_ state: any DriveState) throws {
        var tables = RandomTables(seed: 91)
        let contents = (0..<3).map { _ in tables.pastVersion(until: 5_000) }
        func add(_ place: Int) throws {
            try state.addTrash(
                TrashEntry(name: FileName("t\(place)"), path: "a", hash: nil, size: 1, reason: .deleted, time: 5_000))
            try state.transaction { try state.keep([contents[place]]) }
        }
        try requireEqual(state.seenTime(), nil, "no time has been seen pass")
        try add(0)
        for place in 1...2 {
            let time = SeenTime(clock: UInt64(place) * 1_000)
            try state.setSeenTime(time)
            try requireEqual(state.seenTime(), time, "the time that was seen pass")
            try add(place)
        }
        try requireEqual(state.trash().map(\.since), [nil, 1_000, 2_000], "since when it is there")
        try state.removePastVersions(before: 2_000, but: [])
        let left = try contents.filter { try state.pastVersion(of: $0.head.content.hash) != nil }
        try requireEqual(left, [contents[0], contents[2]], "what has been there for longer is gone")
        try state.removePastVersions(before: 5_001, but: [contents[2].head.content.hash])
        try requireEqual(
            state.pastVersion(of: contents[0].head.content.hash), nil, "where that is unknown, the clock counts")
        try require(state.pastVersion(of: contents[2].head.content.hash) != nil, "what is needed stays")
    }
}
