import DriveCore

// What people do.
extension HistoryModel {
    public mutating func did(_ effects: [HistoryEffect], on device: Int) {
        now += 1
        if effects.isEmpty { return }
        if let pass = running(device) { passes[pass].isDisturbed = true }
        let event = Event(device: device, time: now)
        events.append(event)
        for effect in effects { note(effect, event) }
    }

    private mutating func note(_ effect: HistoryEffect, _ event: Event) {
        switch effect {
        case .wrote(let path, let bytes, let instead, let isAway): wrote(path, bytes, instead, isAway, event)
        case .moved(let path, let target, let bytes, let instead): moved(path, target, bytes, instead, event)
        case .movedFolder(let path, let target, let inside): movedFolder(path, target, inside, event)
        case .removed(let path, let bytes, _):
            if let body = take(bytes, at: path, event.device) {
                bodies[body].excuses.append(event)
                lastAt[event.device][path] = body
            }
        case .removedFolder(let path):
            trees[event.device][path] = nil
            removedFolders += 1
        case .madeFolder(let path):
            trees[event.device][path] = .folder
            nameFolder(path, event)
        case .setExecutable(let path, let bytes, let flag):
            guard let body = numbers[bytes] else { break }
            trees[event.device][path] = SeenEntry(.file(bytes), isExecutable: flag)
            if flag { bodies[line(of: body)].wasMadeExecutable = true }
            touch(body, as: path, event)
        case .replacedSomething(let path):
            for body in bodies.indices where path.name.map({ bodies[line(of: body)].names.contains($0) }) ?? false {
                bodies[body].isInDoubt = true
            }
        }
    }

    private mutating func wrote(
        _ path: DrivePath, _ bytes: [UInt8], _ instead: [UInt8]?, _ isAway: Bool, _ event: Event
    ) {
        let isExecutable = trees[event.device][path]?.isExecutable ?? false
        let number = bodies.count
        var body = Body(bytes: bytes, event: event, line: number)
        body.isAway = isAway
        bodies.append(body)
        numbers[bytes] = number
        if let instead { replace(instead, at: path, by: number, event) }
        comes(number, to: path, event)
        trees[event.device][path] = SeenEntry(.file(bytes), isExecutable: instead != nil && isExecutable)
        touch(number, as: path, event)
    }

    private mutating func moved(
        _ path: DrivePath, _ target: DrivePath, _ bytes: [UInt8], _ instead: [UInt8]?, _ event: Event
    ) {
        let isExecutable = trees[event.device][path]?.isExecutable ?? false
        guard let body = take(bytes, at: path, event.device) else { return }
        lastAt[event.device][path] = body
        if let instead {
            bodies[body].wasMovedOver = true
            replace(instead, at: target, by: body, event)
        }
        comes(body, to: target, event)
        trees[event.device][target] = SeenEntry(.file(bytes), isExecutable: isExecutable)
        touch(body, as: target, event, isMove: true)
    }

    private mutating func movedFolder(
        _ path: DrivePath, _ target: DrivePath, _ inside: [DrivePath: [UInt8]], _ event: Event
    ) {
        movedFolders += 1
        func there(_ old: DrivePath) -> DrivePath {
            DrivePath(target.components + old.components.dropFirst(path.components.count))
        }
        for (old, entry) in trees[event.device] where old.isInside(path) {
            trees[event.device][old] = nil
            trees[event.device][there(old)] = entry
        }
        for (old, body) in lastAt[event.device] where old.isInside(path) { lastAt[event.device][there(old)] = body }
        nameFolder(target, event, isMove: true)
        for (place, bytes) in inside {
            guard let body = numbers[bytes] else { continue }
            comes(body, to: place, event)
            touch(body, as: place, event, isMove: true)
        }
    }

    private mutating func nameFolder(_ path: DrivePath, _ event: Event, isMove: Bool = false) {
        guard let name = path.name else { return }
        folderNames.insert(name)
        folderActs.append(Act(event: event, body: 0, name: name, isMove: isMove))
    }

    private mutating func replace(_ bytes: [UInt8], at path: DrivePath, by body: Int, _ event: Event) {
        guard let old = take(bytes, at: path, event.device), old != body else { return }
        bodies[old].excuses.append(event)
        if bodies[body].event == event { bodies[body].previous = old }
        join(body, old)
    }

    /// It takes the name, and may be taken for an edit of what last had it.
    private mutating func comes(_ body: Int, to path: DrivePath, _ event: Event) {
        if let last = lastAt[event.device][path] {
            if bodies[body].event == event, bodies[body].previous == nil { bodies[body].previous = last }
            join(body, last)
        }
        give(path, to: body)
    }

    private mutating func touch(_ body: Int, as path: DrivePath, _ event: Event, isMove: Bool = false) {
        guard let name = path.name else { return }
        acts.append(Act(event: event, body: body, name: name, isMove: isMove))
    }

    /// The body leaves the device's tree, wherever a pass has put it meanwhile.
    private mutating func take(_ bytes: [UInt8], at path: DrivePath, _ device: Int) -> Int? {
        if trees[device][path]?.bytes == bytes {
            trees[device][path] = nil
        } else if let other = trees[device].first(where: { $0.value.bytes == bytes })?.key {
            trees[device][other] = nil
        }
        return numbers[bytes]
    }
}
