import DriveCore
import DriveTesting

/// Devices that write records by the rules of records alone, and copy one another's states: every state that they
/// reach is one that a drive may reach, and many more than the engine's scans make.
struct ViewWriters {
    var random: SeededGenerator
    private(set) var devices: [Writer] = []
    /// Everything ever written, in the order of writing.
    private(set) var records: [ItemState] = []
    /// Every state that some device ever held.
    private(set) var reached: [ItemState] = []

    struct Writer {
        var numbers: RecordNumbers
        var states: [ItemID: ItemState] = [:]

        mutating func join(_ state: ItemState) {
            states[state.id] = states[state.id]?.joined(state) ?? state
        }
    }

    static let names: [FileName] = [
        "a", "a", "b", "b", "c.txt", ".d", "a (conflicted copy from one 1970-01-01 000000)",
        "b (conflicted copy from two 1970-01-01 000000) 2", "a (conflicted copy from 000000 1970-01-01 000000)",
    ]

    init(seed: UInt64, devices count: Int = 4) {
        random = SeededGenerator(seed: seed)
        devices = (1...count).map { Writer(numbers: RecordNumbers(device: DeviceID(high: UInt64($0), low: 0))) }
    }

    /// One device writes or learns.
    mutating func step() {
        let place = random.below(devices.count)
        if random.chance(percent: 25), let record = records.isEmpty ? nil : random.choice(records) {
            devices[place].join(record)
            reached.append(devices[place].states[record.id]!)
        } else if random.chance(percent: 8) {
            for state in devices[random.below(devices.count)].states.values.sorted(by: { $0.id < $1.id }) {
                devices[place].join(state)
                reached.append(devices[place].states[state.id]!)
            }
        } else {
            write(place)
        }
    }

    private mutating func write(_ place: Int) {
        var numbers = devices[place].numbers
        numbers.last += 1
        // Few times, so that many are equal; those of one device never go back.
        numbers.clock = max(numbers.clock, HybridTime(rawValue: UInt64(random.below(6)) << 26))
        let tag = Tag(time: numbers.clock, dot: Dot(device: numbers.device, n: numbers.last))
        let known = devices[place].states.keys.sorted()
        var state: ItemState
        if known.isEmpty || known.count < 14 && random.chance(percent: 35) {
            state = newItem(tag, known)
        } else {
            state = devices[place].states[random.choice(known)]!
            change(&state, tag, devices[place])
            state.context[numbers.device] = numbers.last
        }
        devices[place].numbers = numbers
        devices[place].states[state.id] = state
        records.append(state)
        reached.append(state)
    }

    private mutating func newItem(_ tag: Tag, _ known: [ItemID]) -> ItemState {
        let kind: ItemKind = random.chance(percent: 45) ? .folder : random.chance(percent: 85) ? .file : .link
        let parent = random.chance(percent: 50) || known.isEmpty ? .root : random.choice(known)
        return ItemState(
            id: ItemID(high: UInt64(random.below(1000)), low: random.next()), kind: kind,
            context: DeviceVector(tag.device, tag.n), name: Register(tag: tag, value: random.choice(Self.names)),
            placement: Register(tag: tag, value: Placement(parent: parent, from: parent)),
            heads: kind.hasContent ? [Head(dot: tag.dot, time: tag.time, content: content())] : [],
            life: [LifeDot(dot: tag.dot)])
    }

    private mutating func content() -> Content {
        let number = UInt64(random.below(3))
        return Content(
            hash: ContentHash(words: (number, 0, 0, 0)), size: number,
            modified: FileTime(seconds: Int64(random.below(5))),
            body: .inline([]))
    }

    private mutating func change(_ state: inout ItemState, _ tag: Tag, _ device: Writer) {
        switch random.below(10) {
        case 0: state.name = Register(tag: tag, value: random.choice(Self.names))
        case 1, 2, 3:
            let parent = random.chance(percent: 20) ? .root : random.choice(device.states.keys.sorted())
            state.placement = Register(tag: tag, value: Placement(parent: parent, from: state.parent))
        case 4:
            state.attributes[random.choice([.executable, .tags])] = Register(tag: tag, value: [UInt8(random.below(2))])
            return
        case 5, 6: edit(&state, tag)
        case 7: delete(&state, .bySelf)
        default:
            var folders = [state.parent]
            // Also what is no folder: no honest writer does that, and all must still see one view.
            let isHonest = random.chance(percent: 80)
            let known = device.states.values.filter { $0.kind == .folder || !isHonest }.map(\.id).sorted()
            if !known.isEmpty, random.chance(percent: 40) { folders.append(random.choice(known)) }
            if random.chance(percent: 30) { folders.removeFirst() }
            delete(&state, Mark(folders: folders.filter { $0 != .root }))
            return
        }
        if random.chance(percent: 60), !state.life.contains(where: { $0.dot == tag.dot }) {
            state.life = keepSome(state.life, of: 40) + [LifeDot(dot: tag.dot)]
            state.life.sort { $0.dot < $1.dot }
        }
    }

    private mutating func edit(_ state: inout ItemState, _ tag: Tag) {
        guard state.kind.hasContent else { return }
        state.heads = keepSome(state.heads, of: 30) + [Head(dot: tag.dot, time: tag.time, content: content())]
        state.heads.sort { $0.dot < $1.dot }
    }

    private mutating func delete(_ state: inout ItemState, _ mark: Mark) {
        for place in state.heads.indices where random.chance(percent: 80) {
            state.heads[place].mark = state.heads[place].mark.union(mark)
        }
        if mark.bySelf {
            state.life = keepSome(state.life, of: 20)
        } else {
            for place in state.life.indices { state.life[place].mark = state.life[place].mark.union(mark) }
        }
    }

    private mutating func keepSome<Element>(_ list: [Element], of percent: Int) -> [Element] {
        list.filter { _ in random.chance(percent: percent) }
    }

    mutating func labels() -> DeviceLabels {
        var labels = DeviceLabels()
        for (place, text) in ["one", "two", "my.host"].enumerated() where random.chance(percent: 70) {
            labels[devices[place].numbers.device] = [
                DeviceLabel(from: 0, text: text),
                DeviceLabel(from: UInt64(random.below(20)), text: random.choice(["one", "new"])),
            ]
        }
        return labels
    }
}

extension [ItemState] {
    /// The joined states, in no order.
    var joined: [ItemState] {
        var states: [ItemID: ItemState] = [:]
        for record in self { states[record.id] = states[record.id]?.joined(record) ?? record }
        return Array(states.values)
    }
}
