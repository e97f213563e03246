// What a head says about collections, after its labels; an index keeps it in the same form.
extension ByteWriter {
    public mutating func collectionNote(_ note: CollectionNote) {
        byte(note.open == nil ? 0 : 1)
        if let open = note.open {
            fixed(open.nonce)
            varint(open.size)
            hash(open.hash)
        }
        count(note.answers.count)
        for answer in note.answers {
            device(answer.device)
            fixed(answer.nonce)
            count(answer.kept.count)
            var last = 0
            for place in answer.kept {
                count(place - last)
                last = place
            }
        }
        // The last part, and only where there is something in it: earlier versions end before it.
        guard !note.forgotten.isEmpty else { return }
        count(note.forgotten.count)
        for one in note.forgotten {
            device(one.device)
            blob(Array((one.head ?? "").utf8))
        }
    }
}

extension ByteReader {
    public mutating func collectionNote() throws(DriveError) -> CollectionNote {
        var note = CollectionNote()
        if try byte() == 1 {
            note.open = CollectionReference(
                nonce: try fixed(UInt64.self), size: try varint(), hash: try hash())
        }
        for _ in 0..<(try count(limit: 1 << 10, each: 19)) { note.answers.append(try collectionAnswer()) }
        if !isAtEnd {
            for _ in 0..<(try count(limit: 1 << 10, each: 11)) { note.forgotten.append(try forgottenDevice()) }
        }
        return note
    }

    private mutating func forgottenDevice() throws(DriveError) -> ForgottenDevice {
        let device = try device()
        let head = try text(limit: 128)
        return ForgottenDevice(device, head: head.isEmpty ? nil : head)
    }

    private mutating func collectionAnswer() throws(DriveError) -> CollectionAnswer {
        var answer = CollectionAnswer(device: try device(), nonce: try fixed(UInt64.self), kept: [])
        var last: UInt64 = 0
        for _ in 0..<(try count(limit: CollectionNotice.maximumObjects)) {
            let step = try varint()
            guard step < UInt64(CollectionNotice.maximumObjects) - last else {
                throw .malformed("an answer names what was not asked")
            }
            last += step
            answer.kept.append(Int(last))
        }
        return answer
    }
}
