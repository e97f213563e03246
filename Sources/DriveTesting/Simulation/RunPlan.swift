import DriveCore

/// A whole run of several devices, chosen from a seed before it begins.
///
/// Each step has a seed of its own, so a part of the steps can be run again without the others changing what they do.
public struct RunPlan: Sendable {
    public var seed: UInt64
    public var devices: Int
    /// How wrong each device's clock is, in milliseconds.
    public var skews: [Int64]
    public var storeMode: MemoryObjectStore.Mode
    /// Processes die, answers get lost, uploads are torn.
    public var isCrashing: Bool
    /// No two changes meet, so no conflict copy may appear.
    public var isApart: Bool
    /// Journals are compacted all the time and seen late.
    public var isStress: Bool
    /// Scans look only where a watcher saw something touched.
    public var isWatching: Bool
    public var acts: [UserAct]
    /// Programs leave ignored files about.
    public var isLittered: Bool { seed % 6 == 5 && !isApart }
    /// A device that hides one of the names that people give, of which the others do not know.
    public var ruled: Int? { seed % 12 == 7 && !isApart ? Int(seed / 12 % UInt64(devices)) : nil }
    /// People have files open for writing when others' changes of them arrive.
    public var hasOpenFiles: Bool { SeededGenerator.mixed(seed ^ 0x4F50_454E) % 2 == 0 }
    /// A device that holds deletes, with how many an hour it lets through unasked.
    public var braked: (device: Int, free: Int)? {
        seed % 12 == 3 && !isApart ? (Int(seed / 12 % UInt64(devices)), Int(seed / 48 % 3)) : nil
    }
    /// Files have several names.
    public var hasSeveralNames: Bool { acts.contains(.addName) }
    /// A machine is cloned in the middle of the run, and both go on as one device.
    public var isCloning: Bool { seed % 12 == 9 && !isApart }
    /// Set where contents that nobody needs leave the store; the store is looked after in steps of their own then.
    public var collection: CollectionRule?
    /// What people had before the devices met, with all devices made equal after it where `startsTogether`.
    public var filling: [PlannedStep]
    public var startsTogether: Bool
    public var steps: [PlannedStep]

    /// One tick of the model: long enough to show in the time of a conflict copy's name.
    public static let tick: UInt64 = 1_000
}

public struct PlannedStep: Hashable, Sendable {
    /// Counts all steps of the plan; names the step when a part is run again.
    public var number: Int
    public var device: Int
    public var action: Action
    /// What happens in the middle of it.
    public var interruptions: [Interruption]

    public enum Action: Hashable, Sendable {
        case user(seed: UInt64)
        case fill(seed: UInt64)
        case scan
        case commit(compacting: Bool)
        case fetch
        case apply
        /// An image of the machine's disk, state included, is taken; later the machine is what the image holds.
        case takeImage
        case restoreImage
        /// The machine is there twice from now on.
        case clone
        /// The same with the store.
        case takeStoreImage
        case rollBackStore
        case upkeep
        /// A person undoes, restores or resolves something.
        case act(seed: UInt64)
        /// A person decides about deletes that are held.
        case decide(seed: UInt64)
        /// The other device counts as gone for good from now on.
        case forget(Int)
        /// Nothing happens for so long, in milliseconds.
        case pause(UInt64)
    }
}

/// Something that happens at one call of a seam during a step.
public struct Interruption: Hashable, Sendable {
    /// Counts the calls of the folder and of the store together, from 0.
    public var call: Int
    public var event: Event

    public enum Event: Hashable, Sendable {
        /// The person does something, before the call or right after its effect.
        case user(seed: UInt64, isAfter: Bool)
        case kill(isAfter: Bool)
        case cutPower(seed: UInt64, isAfter: Bool)
        /// The disk reports an error; a call of the store fails.
        case failure(DriveError)
        /// Only where the call is one of the store.
        case store(StoreFault)
    }
}

extension RunPlan {
    public init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var rare = SeededGenerator(seed: ~seed)
        self.seed = seed
        devices = generator.choice([2, 2, 2, 3, 3, 4])
        if rare.chance(percent: 4) { devices = 5 }
        isCrashing = generator.chance(percent: 50)
        isStress = generator.chance(percent: 15)
        isApart = generator.chance(percent: 12)
        isWatching = false
        let isAboutFolders = !isApart && generator.chance(percent: 25)
        acts = isAboutFolders ? UserAct.aboutFolders : UserAct.ordinary
        startsTogether = isApart || isAboutFolders
        let tick = Self.tick
        skews = (0..<devices).map { _ in generator.choice([0, 0, 5, -5, 40]) * Int64(tick) }
        let delays: [UInt64] = isStress ? [0, 1, 3, 8, 20, 40, 60] : [0, 1, 3, 8, 20]
        let isSync = isStress || generator.chance(percent: 50)
        storeMode = isSync ? .sync(seed: generator.next(), delays: delays.map { $0 * tick }) : .strong
        filling = []
        steps = []
        if !isApart, rare.chance(percent: 8) { acts += [.editSilently, .editSilently, .editSilently] }
        planFilling(&generator)
        planSteps(&generator)
        if let braked { planDecisions(on: braked.device) }
        if isCloning { planClone() } else if !isApart, !isSync { planImages(&rare) }
        // What is written through a mapping no watcher sees.
        isWatching = rare.chance(percent: 50) && !acts.contains(.editSilently)
    }

    /// Machines or the store that are put back to an earlier time. Not both: where a store has forgotten what a machine
    /// published, and the machine too, it uses its record numbers twice, and nobody can tell the records apart.
    private mutating func planImages(_ generator: inout SeededGenerator) {
        if generator.chance(percent: 15) {
            insertPair(.takeImage, .restoreImage, device: generator.below(devices), &generator)
        } else if generator.chance(percent: 5) {
            insertPair(.takeStoreImage, .rollBackStore, device: 0, &generator)
        }
    }

    /// What comes after it happens on either of the two.
    private mutating func planClone() {
        var generator = SeededGenerator(seed: SeededGenerator.mixed(seed))
        let original = generator.below(devices)
        let place = generator.below(steps.count + 1)
        for later in place..<steps.count where steps[later].device == original && generator.chance(percent: 50) {
            steps[later].device = devices
        }
        let number = filling.count + 1_000
        steps.insert(PlannedStep(number: number, device: original, action: .clone, interruptions: []), at: place)
    }

    private mutating func planDecisions(on device: Int) {
        var generator = SeededGenerator(seed: SeededGenerator.mixed(seed))
        for number in 0..<generator.number(in: 0...4) {
            let action = PlannedStep.Action.decide(seed: generator.next())
            let step = PlannedStep(
                number: filling.count + 1_000 + number, device: device, action: action, interruptions: [])
            steps.insert(step, at: generator.below(steps.count + 1))
        }
    }

    private mutating func insertPair(
        _ first: PlannedStep.Action, _ second: PlannedStep.Action, device: Int, _ generator: inout SeededGenerator
    ) {
        let places = [generator.below(steps.count + 1), generator.below(steps.count + 1)].sorted()
        let number = filling.count + steps.count
        let actions = [(second, number + 1), (first, number)]
        for (place, (action, number)) in zip(places.reversed(), actions) {
            steps.insert(PlannedStep(number: number, device: device, action: action, interruptions: []), at: place)
        }
    }

    private mutating func planFilling(_ generator: inout SeededGenerator) {
        for device in 0..<devices where !startsTogether || device == 0 {
            for _ in 0..<(startsTogether ? 6 : generator.choice([0, 2, 5])) {
                append(to: \.filling, device, .fill(seed: generator.next()))
            }
        }
    }

    private mutating func planSteps(_ generator: inout SeededGenerator) {
        let count = generator.choice([20, 40, 60])
        let userPercent = generator.choice([15, 30, 50])
        // Somebody may join late.
        let join = devices > 2 && generator.chance(percent: 30) ? generator.number(in: 5...count) : 0
        for position in 0..<count {
            let device = generator.below(position >= join ? devices : devices - 1)
            if generator.chance(percent: userPercent) {
                append(to: \.steps, device, .user(seed: generator.next()))
            } else {
                planEngineStep(device, &generator)
            }
        }
    }

    private mutating func planEngineStep(_ device: Int, _ generator: inout SeededGenerator) {
        let roll = generator.below(100)
        if isStress {
            switch roll {
            case ..<45:
                append(to: \.steps, device, .scan)
                append(to: \.steps, device, .commit(compacting: generator.chance(percent: 50)))
            case ..<60: append(to: \.steps, device, .commit(compacting: true))
            case ..<85: append(to: \.steps, device, .fetch)
            default: append(to: \.steps, device, .apply, interrupted(&generator))
            }
            return
        }
        switch roll {
        case ..<35: append(to: \.steps, device, .scan, interrupted(&generator))
        case ..<55: append(to: \.steps, device, .commit(compacting: false), storeFaults(&generator))
        case ..<72: append(to: \.steps, device, .fetch, storeFaults(&generator))
        case ..<75: append(to: \.steps, device, .commit(compacting: true), storeFaults(&generator))
        default: append(to: \.steps, device, .apply, interrupted(&generator))
        }
    }

    private mutating func append(
        to list: WritableKeyPath<RunPlan, [PlannedStep]>, _ device: Int, _ action: PlannedStep.Action,
        _ interruptions: [Interruption] = []
    ) {
        let number = filling.count + steps.count
        self[keyPath: list].append(
            PlannedStep(number: number, device: device, action: action, interruptions: interruptions))
    }

    /// People act in the middle of every other step, and in a crashing run the process dies in one of five.
    private func interrupted(_ generator: inout SeededGenerator) -> [Interruption] {
        var result: [Interruption] = []
        while generator.chance(percent: 40), result.count < 3 {
            let event = Interruption.Event.user(seed: generator.next(), isAfter: generator.chance(percent: 50))
            result.append(Interruption(call: callNumber(&generator), event: event))
        }
        guard isCrashing, generator.chance(percent: 20) else { return result }
        let isAfter = generator.chance(percent: 50)
        let event: Interruption.Event
        switch generator.below(10) {
        case 0..<6: event = .kill(isAfter: isAfter)
        case 6..<8: event = .cutPower(seed: generator.next(), isAfter: isAfter)
        case 8: event = .failure(DriveError(.inputOutput, "The disk reports an error"))
        default: event = .failure(DriveError(.noSpace, "The disk is full"))
        }
        result.append(Interruption(call: callNumber(&generator), event: event))
        return result
    }

    private func storeFaults(_ generator: inout SeededGenerator) -> [Interruption] {
        guard isCrashing, generator.chance(percent: 25) else { return [] }
        let faults: [StoreFault] = [
            .torn(kept: generator.below(60)), .killedTorn(kept: generator.below(60)), .lostAnswer, .killedAfter,
            .killedBefore, .failure(DriveError(.unreachable, "The store cannot be reached")),
            .failure(DriveError(.noSpace, "The store is full")), .flippedBit(generator.below(2_000)),
            .shortRead(generator.below(60)),
        ]
        return [Interruption(call: generator.below(8), event: .store(generator.choice(faults)))]
    }

    /// Early calls are likelier, because most steps are short.
    private func callNumber(_ generator: inout SeededGenerator) -> Int {
        generator.below(generator.choice([4, 12, 40, 120]))
    }
}
