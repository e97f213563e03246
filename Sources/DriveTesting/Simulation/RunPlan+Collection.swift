import DriveCore

extension RunPlan {
    /// Has the store tidied in the middle of everything, with times as short as the store allows.
    mutating func planCollection() {
        var generator = SeededGenerator(seed: SeededGenerator.mixed(seed ^ 0xC011_EC7))
        let visible = longestDelay
        var rule = CollectionRule()
        rule.age = generator.choice([0, 2, 10]) * Self.tick
        rule.grace = 2 * visible + generator.choice([1, 6]) * Self.tick
        rule.lossDelay = visible + generator.choice([1, 6]) * Self.tick
        rule.patience = 5_000 * Self.tick
        rule.interval = 0
        collection = rule
        acts += [.delete, .delete, .removeFolder]
        insertUpkeep(pause: rule.age + rule.grace, &generator)
        insertForgetting()
    }

    /// In some runs somebody takes devices for lost that come back.
    private mutating func insertForgetting() {
        var generator = SeededGenerator(seed: SeededGenerator.mixed(seed ^ 0xF0_26E7))
        guard generator.chance(percent: 40) else { return }
        var number = 3 * (filling.count + steps.count) + 4
        for place in (0...steps.count).reversed() where generator.chance(percent: 12) {
            let one = generator.below(devices)
            let other = (one + 1 + generator.below(devices - 1)) % devices
            steps.insert(
                PlannedStep(
                    number: number, device: one, action: .forget(other),
                    interruptions: faults(&generator)), at: place)
            number += 1
        }
    }

    /// Until everybody sees an object.
    private var longestDelay: UInt64 {
        guard case .sync(_, let delays, _) = storeMode else { return 0 }
        return delays.max() ?? 0
    }

    private mutating func insertUpkeep(pause: UInt64, _ generator: inout SeededGenerator) {
        var result: [PlannedStep] = []
        var number = filling.count + steps.count + 2
        func add(_ action: PlannedStep.Action, _ interruptions: [Interruption] = []) {
            result.append(
                PlannedStep(
                    number: number, device: generator.below(devices), action: action, interruptions: interruptions))
            number += 1
        }
        for step in steps {
            result.append(step)
            if generator.chance(percent: 30) { add(.upkeep, faults(&generator)) }
            if generator.chance(percent: 12) { add(.pause(generator.choice([pause / 2, pause, 2 * pause]))) }
        }
        steps = result
    }

    private func faults(_ generator: inout SeededGenerator) -> [Interruption] {
        guard isCrashing, generator.chance(percent: 25) else { return [] }
        let faults: [StoreFault] = [
            .lostAnswer, .killedAfter, .killedBefore, .killedTorn(kept: generator.below(60)),
            .failure(DriveError(.unreachable, "The store cannot be reached")), .shortRead(generator.below(60)),
        ]
        return [Interruption(call: generator.below(12), event: .store(generator.choice(faults)))]
    }
}
