/// V0 to V3 of all items at once: who is alive, and in which folder each hangs. Of each item it keeps some 70 bytes, however
/// much its state says.
///
/// First every item is added, then `resolve` is called once.
package struct ItemGraph: Sendable {
    private typealias Number = Int32

    private struct Facts: OptionSet {
        let rawValue: UInt8
        static let isKnown = Facts(rawValue: 1)
        static let isFolder = Facts(rawValue: 2)
        static let isAlive = Facts(rawValue: 4)
        static let isShown = Facts(rawValue: 8)
    }

    private static let root: Number = 0
    private static let nowhere: Number = -1

    private var numbers: [ItemID: Number] = [.root: root]
    private var ids: [ItemID] = [.root]
    private var facts: [Facts] = [[.isKnown, .isFolder]]
    private var parents: [Number] = [nowhere]
    /// Of those that live only if all folders of one of these lists do.
    private var conditions: [Number: [[ItemID]]] = [:]
    /// The shown items of each folder, one folder after the other.
    private var inside: [Number] = []
    private var starts: [Int] = []
    /// Items whose move V2 undoes.
    package private(set) var undone: Set<ItemID> = []

    package init() {}

    package mutating func add(_ state: ItemState) {
        let item = number(of: state.id)
        facts[Int(item)].insert(.isKnown)
        if state.kind == .folder { facts[Int(item)].insert(.isFolder) }
        let parent = number(of: state.parent)
        parents[Int(item)] = parent
        if state.isWanted {
            facts[Int(item)].insert(.isAlive)
        } else {
            let marks = state.life.map(\.mark).filter { !$0.bySelf }
            if !marks.isEmpty { conditions[item] = marks.map(\.folders) }
        }
    }

    private mutating func number(of id: ItemID) -> Number {
        if let known = numbers[id] { return known }
        let number = Number(ids.count)
        numbers[id] = number
        ids.append(id)
        facts.append([])
        parents.append(Self.nowhere)
        return number
    }

    /// `state` is asked for the few items that hang in each other.
    package mutating func resolve(_ state: (ItemID) throws -> ItemState?) rethrows {
        findAlive()
        findParents()
        try breakCycles(state)
        findShown()
        sortByFolder()
    }

    /// V0, the least fixpoint.
    private mutating func findAlive() {
        var named: [ItemID: [Number]] = [:]
        for (item, lists) in conditions {
            for folder in Set(lists.joined()) { named[folder, default: []].append(item) }
        }
        // Each once, and once more after folders came to life that it waits for: not all of them again for each of those.
        var line = Array(conditions.keys)
        var inLine = Set(line)
        var place = 0
        while place < line.count {
            let item = line[place]
            place += 1
            inLine.remove(item)
            guard let lists = conditions[item], lists.contains(where: { $0.allSatisfy(isLiveFolder) }) else { continue }
            facts[Int(item)].insert(.isAlive)
            conditions[item] = nil
            for other in named[ids[Int(item)]] ?? [] where inLine.insert(other).inserted { line.append(other) }
        }
    }

    /// V1.
    private mutating func findParents() {
        for item in parents.indices where parents[item] > Self.root {
            let folder = facts[Int(parents[item])]
            if !folder.contains(.isKnown) {
                parents[item] = Self.nowhere
            } else if !folder.contains(.isFolder) {
                parents[item] = Self.root
            }
        }
    }

    /// V2.
    private mutating func breakCycles(_ state: (ItemID) throws -> ItemState?) rethrows {
        var moves: [(tag: Tag, item: Number, from: ItemID)] = []
        for cycle in cycles() {
            var placed: [(tag: Tag, item: Number, from: ItemID)] = []
            for item in cycle {
                guard let placement = try state(ids[Int(item)])?.placement else { continue }
                placed.append((placement.tag, item, placement.value.from))
            }
            if let last = placed.max(by: { $0.tag < $1.tag }) { moves.append(last) }
        }
        for move in moves { parents[Int(move.item)] = Self.nowhere }
        for move in moves.sorted(by: { $0.tag < $1.tag }) {
            undone.insert(ids[Int(move.item)])
            let from = numbers[move.from] ?? Self.nowhere
            parents[Int(move.item)] = reachesRoot(from) ? from : Self.root
        }
    }

    private func reachesRoot(_ start: Number) -> Bool {
        var place = start
        while place != Self.root {
            guard place != Self.nowhere, facts[Int(place)].contains(.isFolder), parents[Int(place)] != Self.nowhere
            else { return false }
            place = parents[Int(place)]
        }
        return true
    }

    private func cycles() -> [[Number]] {
        var result: [[Number]] = []
        var visited = [Bool](repeating: false, count: parents.count)
        for start in parents.indices where !visited[start] {
            var path: [Number] = []
            var place = Number(start)
            while place > Self.root, !visited[Int(place)], parents[Int(place)] != Self.nowhere {
                visited[Int(place)] = true
                path.append(place)
                place = parents[Int(place)]
            }
            if let first = path.firstIndex(of: place) { result.append(Array(path[first...])) }
        }
        return result
    }

    /// V3.
    private mutating func findShown() {
        for item in facts.indices where facts[item].contains(.isAlive) {
            var place = Number(item)
            while place > Self.root, !facts[Int(place)].contains(.isShown), parents[Int(place)] != Self.nowhere {
                facts[Int(place)].insert(.isShown)
                place = parents[Int(place)]
            }
        }
    }

    private mutating func sortByFolder() {
        starts = [Int](repeating: 0, count: parents.count + 1)
        for item in parents.indices where facts[item].contains(.isShown) { starts[Int(parents[item]) + 1] += 1 }
        for folder in parents.indices { starts[folder + 1] += starts[folder] }
        inside = [Number](repeating: Self.root, count: starts[parents.count])
        var next = starts
        for item in parents.indices where facts[item].contains(.isShown) {
            inside[next[Int(parents[item])]] = Number(item)
            next[Int(parents[item])] += 1
        }
    }
}

// What was resolved.
extension ItemGraph {
    func isAlive(_ id: ItemID) -> Bool { numbers[id].map { facts[Int($0)].contains(.isAlive) } ?? false }

    /// What makes a mark void.
    func isLiveFolder(_ id: ItemID) -> Bool { isAlive(id) && facts[Int(numbers[id]!)].contains(.isFolder) }

    /// Nil where it is not known.
    func parent(of id: ItemID) -> ItemID? {
        guard let number = numbers[id], parents[Int(number)] != Self.nowhere else { return nil }
        return ids[Int(parents[Int(number)])]
    }

    /// Those that are shown, in no order.
    func children(of folder: ItemID) -> [ItemID] {
        guard let number = numbers[folder] else { return [] }
        return inside[starts[Int(number)]..<starts[Int(number) + 1]].map { ids[Int($0)] }
    }
}
