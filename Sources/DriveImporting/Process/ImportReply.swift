/// What a worker answers.
package struct ImportReply: Hashable {
    package var number: UInt32
    package var result: Result<ImportedMetadata, ImportFailure>

    package var encoded: [UInt8] {
        var writer = FrameWriter()
        writer.put(number)
        switch result {
        case .success(let metadata):
            writer.put(UInt8(0))
            metadata.encode(into: &writer)
        case .failure(let failure):
            writer.put(failure.kind.rawValue)
            writer.put(failure.message)
        }
        return writer.bytes
    }

    package init(number: UInt32, result: Result<ImportedMetadata, ImportFailure>) {
        self.number = number
        self.result = result
    }

    package init(_ bytes: [UInt8]) throws(FrameBreach) {
        var reader = FrameReader(bytes)
        number = try reader.number()
        let tag = try reader.number(UInt8.self)
        if tag == 0 {
            result = .success(try ImportedMetadata(&reader))
        } else if let kind = ImportFailure.Kind(rawValue: tag) {
            result = .failure(ImportFailure(kind, try reader.text()))
        } else {
            throw FrameBreach()
        }
        try reader.end()
    }
}

extension ImportedMetadata {
    fileprivate func encode(into writer: inout FrameWriter) {
        writer.put(UInt8((text == nil ? 0 : 1) | (isTextCut ? 2 : 0)))
        writer.put(text ?? "")
        writer.put(UInt32(attributes.count))
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
            writer.put(name)
            value.encode(into: &writer)
        }
    }

    fileprivate init(_ reader: inout FrameReader) throws(FrameBreach) {
        let flags = try reader.number(UInt8.self)
        guard flags <= 3 else { throw FrameBreach() }
        let text = try reader.text()
        self.init(text: flags & 1 == 0 ? nil : text, isTextCut: flags & 2 != 0)
        guard flags & 1 == 1 || text.isEmpty else { throw FrameBreach() }
        for _ in 0..<(try reader.number(UInt32.self)) {
            let name = try reader.text()
            // A worker knows no names but ours, and says each once.
            guard AttributeName(rawValue: name) != nil, attributes[name] == nil else { throw FrameBreach() }
            attributes[name] = try ImportedValue(&reader)
        }
    }
}

extension ImportedValue {
    fileprivate func encode(into writer: inout FrameWriter) {
        switch self {
        case .string(let text):
            writer.put(UInt8(1))
            writer.put(text)
        case .integer(let number):
            writer.put(UInt8(2))
            writer.put(number)
        case .real(let number):
            writer.put(UInt8(3))
            writer.put(number.bitPattern)
        case .date(let date):
            writer.put(UInt8(4))
            writer.put(date.seconds)
            writer.put(date.nanoseconds)
        case .strings(let list):
            writer.put(UInt8(5))
            writer.put(UInt32(list.count))
            for text in list { writer.put(text) }
        }
    }

    fileprivate init(_ reader: inout FrameReader) throws(FrameBreach) {
        switch try reader.number(UInt8.self) {
        case 1: self = .string(try reader.text())
        case 2: self = .integer(try reader.number())
        case 3:
            let number = Double(bitPattern: try reader.number())
            guard number.isFinite else { throw FrameBreach() }
            self = .real(number)
        case 4:
            let date = ImportedDate(seconds: try reader.number(), nanoseconds: try reader.number())
            guard (0..<1_000_000_000).contains(date.nanoseconds) else { throw FrameBreach() }
            self = .date(date)
        case 5:
            let count = try reader.number(UInt32.self)
            guard count <= ImportLimits.listCount else { throw FrameBreach() }
            var list: [String] = []
            for _ in 0..<count { list.append(try reader.text()) }
            self = .strings(list)
        default: throw FrameBreach()
        }
    }
}
