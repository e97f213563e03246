import DriveCore
import DrivePredicates

/// A row that was found by its name; valid while the search is at it.
struct NameHit: ~Copyable {
    let id: Int64
    let parent: RowID
    fileprivate let entry: Int
    fileprivate let text: UnsafeRawBufferPointer
    fileprivate let places: NamePlaces
    fileprivate let index: DriveIndex

    func name() throws -> FileName {
        if let bytes = try places.name(entry, folded: text) { return FileName(bytes: bytes) }
        guard let row = try index.row(RowID(rawValue: id)) else { throw DriveError.damagedBlob }
        return row.name
    }
}

/// Goes through the folded names. Of a text with three bytes and more, the pieces tell first which groups of names to go through.
struct NameScan {
    private let finder: ByteFinder
    private let others: [NameTest]
    private let pieces: [NamePieces.Piece]

    /// Nil where nothing is looked for.
    init?(_ tests: [NameTest]) {
        guard let longest = tests.max(by: { $0.text.count < $1.text.count }) else { return nil }
        finder = ByteFinder(longest.text)
        others = tests.filter { $0 != longest || $0.place != .anywhere }
        pieces = NamePieces.pieces(of: longest.text)
    }

    /// Goes on while the body returns true.
    func run(in index: DriveIndex, _ body: (borrowing NameHit) throws -> Bool) throws {
        try blocks(of: index) { cursor, groups in
            var places: NamePlaces?
            let names = NameTexts(lengths: cursor.bytes(1), texts: cursor.bytes(2))
            return try names.each(with: finder, in: groups) { entry, text in
                guard others.allSatisfy({ $0.holds(for: text) }) else { return true }
                let known = try places ?? NamePlaces(cursor.blob(3), count: names.count)
                places = known
                return try body(
                    NameHit(
                        id: known.ids[entry], parent: RowID(rawValue: known.parents[entry]), entry: entry, text: text,
                        places: known, index: index))
            }
        }
    }

    /// How many there are.
    func count(in index: DriveIndex) throws -> Int {
        var count = 0
        try blocks(of: index) { cursor, groups in
            NameTexts(lengths: cursor.bytes(1), texts: cursor.bytes(2)).each(with: finder, in: groups) { _, text in
                if others.allSatisfy({ $0.holds(for: text) }) { count += 1 }
                return true
            }
        }
        return count
    }

    private func blocks(of index: DriveIndex, _ body: (borrowing Cursor, UInt8) throws -> Bool) throws {
        let length = Int64(NamePieces.blocks)
        var segment: Int64 = 0
        var (asked, seen) = (0, 0)
        while !pieces.isEmpty, asked < 512 || seen * 2 < asked, let groups = try groups(of: segment, index) {
            for block in 0..<NamePieces.blocks where groups[block] != 0 {
                let goesOn = try index.connection.first(Self.block, .int(segment * length + Int64(block))) {
                    try body($0, groups[block])
                }
                if goesOn == false { return }
            }
            (asked, seen) = (asked + NamePieces.blocks * NameBlock.groups, seen + groups.count)
            segment += 1
        }
        // What the pieces say nothing about, or not enough.
        try index.connection.each(Self.rest, [.int(segment * length)]) { try body($0, .max) }
    }

    /// Nil where the pieces of the segment are not known.
    private func groups(of segment: Int64, _ index: DriveIndex) throws -> NameGroups? {
        var groups = NameGroups.all
        for piece in pieces where groups.count > 2 {
            let isKnown: Void? = try index.connection.first(Self.part, .int(NamePieces.place(segment, piece.part))) {
                let part = $0.bytes(0)
                guard part.count == NamePieces.partSize else { throw DriveError.damagedBlob }
                groups.formIntersection(part, at: piece.offset)
            }
            if isKnown == nil { return nil }
        }
        return groups
    }

    private static let columns = "SELECT block, lengths, texts, places FROM nameIndexBlock"
    private static let block = Query("\(columns) WHERE block = ?")
    private static let rest = "\(columns) WHERE block >= ? ORDER BY block"
    private static let part = Query("SELECT groups FROM nameIndexPiece WHERE place = ?")
}
