import DocumentDrive
import DriveCore
import DriveIndex
import FileCoordination

/// An item of the drive in JSON.
struct ItemJSON: Encodable {
    var v = 2
    var type = "item"
    var path: String
    var pathBase64: String?
    var kind: String
    var size: UInt64
    /// Milliseconds since 1970; of a folder that is still to be brought here nobody knows it.
    var modified: Int64?
    var state: String

    init(_ item: FoundItem) {
        path = item.path.description
        pathBase64 = item.path.base64IfNeeded
        kind = item.kind.word
        size = item.size
        modified = item.modified?.wholeMilliseconds
        state = item.state.word
    }
}

/// How many items were found.
struct CountJSON: Encodable {
    let v = 1
    let type = "count"
    var count: Int
}

/// A table whose columns stand under one another; the last one is as long as it likes.
struct Table {
    private var rows: [[String]] = []

    mutating func add(_ cells: String...) { rows.append(cells) }

    func print() {
        var widths: [Int] = []
        for row in rows {
            for (place, cell) in row.enumerated() {
                if place == widths.count { widths.append(0) }
                widths[place] = max(widths[place], DisplayWidth.columns(cell))
            }
        }
        for row in rows {
            var line = ""
            for (place, cell) in row.enumerated() {
                line += cell
                if place < row.count - 1 {
                    line += String(repeating: " ", count: widths[place] - DisplayWidth.columns(cell) + 2)
                }
            }
            Output.line(line)
        }
    }
}

extension FileTime {
    /// As all times in JSON are: since 1970. A file may claim any.
    var wholeMilliseconds: Int64 {
        let most: Int64 = 9_000_000_000_000_000
        return min(max(seconds, -most), most) * 1000 + Int64(nanoseconds / 1_000_000)
    }

    var milliseconds: UInt64 { UInt64(min(max(0, seconds), Self.lastShown)) * 1000 }

    /// The last second of the year 9999: a file may claim any time.
    private static let lastShown: Int64 = 253_402_300_799
}
