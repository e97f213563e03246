/// How a content's body is written, at the store and in the index; two bits of a head's flags.
package enum BodyForm: UInt8 {
    case inline = 0
    /// One chunk, whose id and length are those of the content.
    case single = 1
    case chunks = 2
    case list = 3

    package init(_ content: Content) {
        switch content.body {
        case .inline: self = .inline
        case .list: self = .list
        case .chunks(let chunks):
            let isSingle =
                chunks.count == 1 && chunks[0].id == content.hash
                && UInt64(chunks[0].length) == content.size
            self = isSingle ? .single : .chunks
        }
    }
}

extension ByteWriter {
    /// `form` and whether there is a predecessor stand in the head's flags.
    mutating func content(_ content: Content, _ form: BodyForm, _ context: inout WireContext) {
        hash(content.hash)
        varint(content.size)
        // A file is usually written down soon after it was saved.
        distance(UInt64(bitPattern: content.modified.seconds), from: context.seconds)
        varint(UInt64(content.modified.nanoseconds))
        if let was = content.was {
            fixed(was.high)
            fixed(was.low)
        }
        switch content.body {
        case .inline(let bytes): blob(bytes)
        case .list(let chunk): self.chunk(chunk, withIdentity: true, &context)
        case .chunks(let chunks):
            if form == .chunks { count(chunks.count) }
            for chunk in chunks { self.chunk(chunk, withIdentity: form == .chunks, &context) }
        }
    }
}

extension ByteReader {
    mutating func content(
        _ form: BodyForm, hasPredecessor: Bool, _ context: inout WireContext
    ) throws(DriveError) -> Content {
        let hash = try hash()
        let size = try varint()
        let seconds = Int64(bitPattern: try distance(from: context.seconds))
        let nanoseconds = try number(UInt32.self)
        guard nanoseconds < 1_000_000_000 else { throw .malformed("a second has too many nanoseconds") }
        var was: Content.Predecessor?
        if hasPredecessor {
            was = Content.Predecessor(high: try fixed(UInt64.self), low: try fixed(UInt64.self))
        }
        let body: Content.Body
        switch form {
        case .inline: body = .inline(try blob(limit: WireLimits.inlineBytes))
        case .list: body = .list(try chunk(identity: nil, &context))
        case .single:
            guard let length = UInt32(exactly: size) else { throw .malformed("a chunk is too long") }
            body = .chunks([try chunk(identity: (hash, length), &context)])
        case .chunks:
            var chunks: [ChunkReference] = []
            for _ in 0..<(try count(limit: WireLimits.chunks, each: 36)) {
                chunks.append(try chunk(identity: nil, &context))
            }
            body = .chunks(chunks)
        }
        return Content(
            hash: hash, size: size, modified: FileTime(seconds: seconds, nanoseconds: nanoseconds), was: was,
            body: body)
    }
}
