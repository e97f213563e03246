/// Which of many moves is the next about a path, or about a folder that it is in: numbers of moves by what they are about. Of thousands
/// of folders that moved, looking at each for each path would be millions of looks.
struct MovesByPath: Sendable {
    private var numbers: [DrivePath: [Int]] = [:]

    /// Numbers come ascending.
    mutating func add(_ number: Int, at path: DrivePath) {
        if numbers[path]?.last != number { numbers[path, default: []].append(number) }
    }

    /// The smallest, from `start` on.
    func first(from start: Int, around path: DrivePath) -> Int? {
        lists(around: path).compactMap { list in
            let place = list.partition { $0 >= start }
            return place < list.count ? list[place] : nil
        }.min()
    }

    /// The largest below `end`.
    func last(below end: Int, around path: DrivePath) -> Int? {
        lists(around: path).compactMap { list in
            let place = list.partition { $0 >= end }
            return place > 0 ? list[place - 1] : nil
        }.max()
    }

    /// Of this path, and of each folder that it is in.
    private func lists(around path: DrivePath) -> [[Int]] {
        var lists: [[Int]] = []
        var path = path
        while !path.isRoot {
            if let list = numbers[path] { lists.append(list) }
            path = path.parent
        }
        return lists
    }
}
