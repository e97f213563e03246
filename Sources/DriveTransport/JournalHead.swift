import DriveCore

/// The commit point of a device: what its journal consists of. Immutable.
struct JournalHead: Hashable, Sendable {
    var name: HeadName
    var segments: [SegmentReference]
    var seen: DeviceVector
    var labels: [DeviceLabel]
    /// The head before it.
    var previous: ObjectKey?
    var collection = CollectionNote.none

    func sealed() -> [UInt8] {
        var writer = ByteWriter(reserving: 256 + segments.count * 80)
        writer.device(name.device)
        writer.fixed(name.published)
        writer.fixed(name.generation)
        writer.blob(Array((previous ?? "").utf8))
        writer.count(segments.count)
        for segment in segments { writer.segment(segment) }
        writer.count(seen.entries.count)
        for entry in seen.entries {
            writer.device(entry.device)
            writer.varint(entry.n)
        }
        writer.count(labels.count)
        for label in labels {
            writer.varint(label.from)
            writer.blob(Array(label.text.utf8))
        }
        writer.collectionNote(collection)
        return Envelope.seal(.head, writer.bytes)
    }

    /// Nil where the object is torn, damaged, or not what its name says.
    static func open(_ name: HeadName, _ bytes: [UInt8]) throws(DriveError) -> JournalHead? {
        guard let body = try Envelope.open(.head, bytes) else { return nil }
        do {
            var reader = ByteReader(body)
            return try reader.head(name)
        } catch {
            return nil
        }
    }
}

extension ByteWriter {
    fileprivate mutating func segment(_ segment: SegmentReference) {
        varint(segment.low)
        varint(segment.high)
        // The rest of the name: this transport writes no other names.
        let name = SegmentName(segment.key)
        fixed(name?.generation ?? 0)
        fixed(name?.nonce ?? 0)
        varint(segment.size)
        hash(segment.hash)
        varint(UInt64(segment.records))
    }
}

extension ByteReader {
    /// What follows the collections is left for additions that older readers may ignore.
    fileprivate mutating func head(_ name: HeadName) throws(DriveError) -> JournalHead? {
        let device = try device()
        let published = try fixed(UInt64.self)
        let generation = try fixed(UInt32.self)
        guard device == name.device, published == name.published, generation == name.generation else { return nil }
        let previous = try text(limit: 128)
        var head = JournalHead(
            name: name, segments: [], seen: DeviceVector(), labels: [], previous: previous.isEmpty ? nil : previous)
        for _ in 0..<(try count(limit: 1 << 16, each: 40)) { head.segments.append(try segment(of: device)) }
        for _ in 0..<(try count(limit: 1 << 10, each: 11)) {
            let device = try self.device()
            head.seen[device] = try varint()
        }
        for _ in 0..<(try count(limit: 1 << 10, each: 2)) {
            let from = try varint()
            head.labels.append(DeviceLabel(from: from, text: try label()))
        }
        if !isAtEnd { head.collection = try collectionNote() }
        return head
    }

    private mutating func segment(of device: DeviceID) throws(DriveError) -> SegmentReference {
        let low = try varint()
        let high = try varint()
        let name = SegmentName(
            device: device, low: low, high: high, generation: try fixed(UInt32.self), nonce: try fixed(UInt32.self))
        let size = try varint()
        let hash = try hash()
        return SegmentReference(
            low: low, high: high, key: name.key, size: size, hash: hash, records: try number(UInt32.self))
    }

    private mutating func label() throws(DriveError) -> String {
        let text = try text(limit: 40)
        guard DeviceLabel.isValid(text) else {
            throw DriveError(.corrupt, "A device has a label that is not allowed")
        }
        return text
    }
}

extension DeviceLabel {
    /// 1 to 40 bytes, no `/`, control characters or parentheses: it becomes part of file names.
    public static func isValid(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { scalar in
                scalar.properties.generalCategory != .control && !"/()".unicodeScalars.contains(scalar)
            }
    }
}
