import DriveCore

/// Values of the table `memory`. Devices are written out: they are few, and these are read before anything else.
enum MemoryCoding {
    static func encode(_ numbers: RecordNumbers) -> [UInt8] {
        var writer = ByteWriter()
        writer.device(numbers.device)
        writer.fixed(numbers.last)
        writer.fixed(numbers.clock.rawValue)
        return writer.bytes
    }

    static func numbers(_ bytes: [UInt8]) throws -> RecordNumbers {
        var reader = ByteReader(bytes)
        let numbers = RecordNumbers(
            device: try reader.device(), last: try reader.fixed(UInt64.self),
            clock: HybridTime(rawValue: try reader.fixed(UInt64.self)))
        try reader.expectEnd()
        return numbers
    }

    static func encode(_ vector: DeviceVector) -> [UInt8] {
        var writer = ByteWriter()
        writer.count(vector.entries.count)
        for entry in vector.entries {
            writer.device(entry.device)
            writer.varint(entry.n)
        }
        return writer.bytes
    }

    static func vector(_ bytes: [UInt8]) throws -> DeviceVector {
        var reader = ByteReader(bytes)
        var vector = DeviceVector()
        for _ in 0..<(try reader.count(limit: ByteReader.listLimit, each: 11)) {
            vector[try reader.device()] = try reader.varint()
        }
        try reader.expectEnd()
        return vector
    }

    static func encode(_ labels: DeviceLabels) -> [UInt8] {
        var writer = ByteWriter()
        writer.count(labels.devices.count)
        for device in labels.devices {
            writer.device(device)
            writer.labels(labels[device])
        }
        return writer.bytes
    }

    static func labels(_ bytes: [UInt8]) throws -> DeviceLabels {
        var reader = ByteReader(bytes)
        var labels = DeviceLabels()
        for _ in 0..<(try reader.count(limit: ByteReader.listLimit, each: 11)) {
            labels[try reader.device()] = try reader.labels()
        }
        try reader.expectEnd()
        return labels
    }

    static func encode(_ memory: JournalMemory) -> [UInt8] {
        var writer = ByteWriter()
        writer.device(memory.device)
        writer.varint(memory.published)
        writer.varint(UInt64(memory.generation))
        writer.segments(memory.segments)
        writer.count(memory.heads.count)
        for key in memory.heads { writer.text(key) }
        writer.byte(memory.intended == nil ? 0 : 1)
        if let intended = memory.intended {
            writer.text(intended.key)
            writer.varint(intended.published)
            writer.varint(UInt64(intended.generation))
            writer.segments(intended.segments)
        }
        writer.labels(memory.labels)
        writer.collectionNote(memory.collection)
        return writer.bytes
    }

    static func journal(_ bytes: [UInt8]) throws -> JournalMemory {
        var reader = ByteReader(bytes)
        var memory = JournalMemory(device: try reader.device())
        memory.published = try reader.varint()
        memory.generation = try reader.number(UInt32.self)
        memory.segments = try reader.segments()
        memory.heads = try reader.list { try $0.text() }
        if try reader.byte() == 1 {
            memory.intended = IntendedHead(
                key: try reader.text(), published: try reader.varint(), generation: try reader.number(UInt32.self),
                segments: try reader.segments())
        }
        memory.labels = try reader.labels()
        // Written by versions that knew no collections.
        if !reader.isAtEnd { memory.collection = try reader.collectionNote() }
        try reader.expectEnd()
        return memory
    }
}

extension ByteWriter {
    fileprivate mutating func labels(_ labels: [DeviceLabel]) {
        count(labels.count)
        for label in labels {
            varint(label.from)
            text(label.text)
        }
    }

    fileprivate mutating func segments(_ segments: [SegmentReference]) {
        count(segments.count)
        for segment in segments {
            varint(segment.low)
            varint(segment.high)
            text(segment.key)
            varint(segment.size)
            hash(segment.hash)
            varint(UInt64(segment.records))
        }
    }
}

extension ByteReader {
    fileprivate mutating func labels() throws -> [DeviceLabel] {
        try list(each: 2) { DeviceLabel(from: try $0.varint(), text: try $0.text()) }
    }

    fileprivate mutating func segments() throws -> [SegmentReference] {
        try list(each: 37) {
            SegmentReference(
                low: try $0.varint(), high: try $0.varint(), key: try $0.text(), size: try $0.varint(),
                hash: try $0.hash(), records: try $0.number(UInt32.self))
        }
    }
}
