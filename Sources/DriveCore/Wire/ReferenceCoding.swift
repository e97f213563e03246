extension ByteWriter {
    /// Devices: 0 and ten bytes where it is new, else its place + 1.
    mutating func device(_ device: DeviceID, _ context: inout WireContext) {
        if let place = context.devices.place(of: device) {
            count(place + 1)
        } else {
            varint(0)
            self.device(device)
            context.devices.add(device)
        }
    }

    /// Items: 0 is the root, 1 and 16 bytes a new one, else its place + 2.
    mutating func item(_ item: ItemID, _ context: inout WireContext) {
        if item == .root {
            varint(0)
        } else if let place = context.items.place(of: item) {
            count(place + 2)
        } else {
            varint(1)
            self.item(item)
            context.items.add(item)
        }
    }

    mutating func dot(_ dot: Dot, _ context: inout WireContext) {
        device(dot.device, &context)
        distance(dot.n, from: context.n)
    }

    /// Counted from the last tag.
    mutating func tag(_ tag: Tag, _ context: inout WireContext) {
        distance(tag.time.rawValue, from: context.time)
        dot(tag.dot, &context)
        context.time = tag.time.rawValue
        context.n = tag.n
    }

    mutating func vector(_ vector: DeviceVector, _ context: inout WireContext) {
        count(vector.entries.count)
        for entry in vector.entries {
            device(entry.device, &context)
            varint(entry.n)
        }
    }
}

extension ByteReader {
    mutating func device(_ context: inout WireContext) throws(DriveError) -> DeviceID {
        let code = try varint()
        if code > 0 { return try context.devices.element(at: code - 1) }
        let device = try device()
        context.devices.add(device)
        return device
    }

    mutating func item(_ context: inout WireContext) throws(DriveError) -> ItemID {
        let code = try varint()
        if code == 0 { return .root }
        if code > 1 { return try context.items.element(at: code - 2) }
        let item = try item()
        context.items.add(item)
        return item
    }

    mutating func dot(_ context: inout WireContext) throws(DriveError) -> Dot {
        let device = try device(&context)
        return Dot(device: device, n: try distance(from: context.n))
    }

    mutating func tag(_ context: inout WireContext) throws(DriveError) -> Tag {
        let time = try distance(from: context.time)
        let dot = try dot(&context)
        context.time = time
        context.n = dot.n
        return Tag(time: HybridTime(rawValue: time), dot: dot)
    }

    /// Ascending by device, without zeros.
    mutating func vector(_ context: inout WireContext) throws(DriveError) -> DeviceVector {
        var result = DeviceVector()
        for _ in 0..<(try count(limit: WireLimits.devices, each: 2)) {
            let device = try device(&context)
            let n = try varint()
            if let last = result.entries.last, last.device >= device { throw .malformed("devices out of order") }
            guard n > 0 else { throw .malformed("a device without records") }
            result[device] = n
        }
        return result
    }
}
