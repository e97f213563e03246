import DriveCore

// Who knows of what: the two bounds.
extension HistoryModel {
    /// Whether the device has had to see it at that time: a pass of its author that nobody disturbed came after it and
    /// ended, and then one of the device.
    func certainly(_ event: Event, seenBy device: Int, at time: Int) -> Bool {
        if event.device == device { return event.time <= time }
        guard
            let published = passes.filter({ $0.device == event.device && $0.isQuiet && $0.start > event.time })
                .compactMap(\.end).min()
        else { return false }
        return passes.contains {
            $0.device == device && $0.isQuiet && $0.start > published && ($0.end ?? .max) <= time
        }
    }

    /// Whether the device can have seen it by now.
    func possibly(_ event: Event, seenBy device: Int) -> Bool {
        if event.device == device { return event.time <= now }
        guard
            let began = passes.filter({ $0.device == event.device && ($0.end ?? now) >= event.time }).map(\.start).min()
        else { return false }
        return passes.contains { $0.device == device && ($0.end ?? now) >= max(event.time, began) }
    }

    /// Whether neither certainly knew of the other.
    func areConcurrent(_ a: Event, _ b: Event) -> Bool {
        a.device != b.device && !certainly(a, seenBy: b.device, at: b.time)
            && !certainly(b, seenBy: a.device, at: a.time)
    }

    var running: (Int) -> Int? {
        { device in passes.lastIndex { $0.device == device && $0.end == nil } }
    }

    public mutating func passBegan(_ device: Int) {
        now += 1
        passes.append(Pass(device: device, start: now))
    }

    // Lines.

    func line(of number: Int) -> Int {
        var number = number
        while bodies[number].line != number { number = bodies[number].line }
        return number
    }

    mutating func join(_ a: Int, _ b: Int) {
        let (a, b) = (line(of: a), line(of: b))
        if a == b { return }
        bodies[b].line = a
        bodies[a].names.formUnion(bodies[b].names)
        bodies[a].paths.formUnion(bodies[b].paths)
        bodies[a].wasMadeExecutable = bodies[a].wasMadeExecutable || bodies[b].wasMadeExecutable
    }

    mutating func give(_ path: DrivePath, to number: Int) {
        guard let name = path.name else { return }
        let line = line(of: number)
        bodies[line].names.insert(name)
        bodies[line].paths.insert(path)
    }

    /// What the body is called in messages.
    func text(_ number: Int) -> String {
        let bytes = bodies[number].bytes
        return String(decoding: bytes.filter { $0 != 0x0A && $0 != 0x2E }, as: UTF8.self)
    }

    func text(_ entry: SeenEntry?) -> String {
        guard let entry else { return "nothing" }
        guard let bytes = entry.bytes else { return "a folder" }
        return numbers[bytes].map { text($0) } ?? "\"\(String(decoding: bytes.prefix(40), as: UTF8.self))\""
    }

    static func label(_ device: Int) -> String { String(UnicodeScalar(UInt8(0x41 + device % 26))) }
}

extension HistoryModel.Pass {
    /// It saw all that was there when it began, and did all that there was to do.
    var isQuiet: Bool { isComplete && !isDisturbed }
}
