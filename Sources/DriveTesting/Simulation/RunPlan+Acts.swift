import DriveCore

extension RunPlan {
    /// Has people undo, restore and resolve in the middle of everything, and edit parts of files, so that there is something to
    /// merge. Not where no two changes meet: an act may well meet another.
    mutating func planActs() {
        if isApart { return }
        acts += [.editPart, .editPart, .editPart, .editPart, .editPart, .editPart]
        var generator = SeededGenerator(seed: SeededGenerator.mixed(seed ^ 0xAC_75))
        var result: [PlannedStep] = []
        var number = 10_000
        for step in steps {
            result.append(step)
            while generator.chance(percent: 25) {
                let action = PlannedStep.Action.act(seed: generator.next())
                let device = generator.below(devices)
                result.append(
                    PlannedStep(number: number, device: device, action: action, interruptions: faults(&generator)))
                number += 1
            }
        }
        steps = result
    }

    /// People go on meanwhile, and in half of the runs the process dies or the disk fails in every other act.
    private func faults(_ generator: inout SeededGenerator) -> [Interruption] {
        func call(_ generator: inout SeededGenerator) -> Int { generator.below(generator.choice([6, 15, 30, 60])) }
        var result: [Interruption] = []
        while generator.chance(percent: 20), result.count < 2 {
            let event = Interruption.Event.user(seed: generator.next(), isAfter: generator.chance(percent: 50))
            result.append(Interruption(call: call(&generator), event: event))
        }
        guard isCrashing, generator.chance(percent: 50) else { return result }
        let isAfter = generator.chance(percent: 50)
        let event: Interruption.Event =
            switch generator.below(12) {
            case 0..<8: .kill(isAfter: isAfter)
            case 8: .cutPower(seed: generator.next(), isAfter: isAfter)
            case 9: .failure(DriveError(.inputOutput, "The disk reports an error"))
            case 10: .failure(DriveError(.noSpace, "The disk is full"))
            default: .store(.failure(DriveError(.unreachable, "The store cannot be reached")))
            }
        result.append(Interruption(call: call(&generator), event: event))
        return result
    }
}
