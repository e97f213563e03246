/// What the pool asks a worker.
package struct ImportRequest: Hashable {
    package var number: UInt32
    package var path: [UInt8]
    /// The MIME type; nil for the worker to find out.
    package var mime: String?
    package var limits: ImportLimits
    package var tools: ImportTools
    /// After so many seconds the worker ends itself, should nobody be left to end it.
    package var lifeSeconds: UInt32

    private static let version: UInt8 = 1

    package var encoded: [UInt8] {
        var writer = FrameWriter()
        writer.put(Self.version)
        writer.put(number)
        writer.put(path)
        writer.put(mime ?? "")
        for limit in ImportLimits.fields { writer.put(Int64(limits[keyPath: limit])) }
        writer.put(tools.pdfInfo ?? "")
        writer.put(tools.pdfToText ?? "")
        writer.put(lifeSeconds)
        return writer.bytes
    }

    package init(
        number: UInt32, path: [UInt8], mime: String?, limits: ImportLimits, tools: ImportTools, lifeSeconds: UInt32
    ) {
        self.number = number
        self.path = path
        self.mime = mime
        self.limits = limits
        self.tools = tools
        self.lifeSeconds = lifeSeconds
    }

    package init(_ bytes: [UInt8]) throws(FrameBreach) {
        var reader = FrameReader(bytes)
        guard try reader.number(UInt8.self) == Self.version else { throw FrameBreach() }
        number = try reader.number()
        path = Array(try reader.bytes())
        mime = try Self.optional(&reader)
        limits = ImportLimits()
        for limit in ImportLimits.fields {
            guard let value = Int(exactly: try reader.number(Int64.self)), (1...1 << 40).contains(value) else {
                throw FrameBreach()
            }
            limits[keyPath: limit] = value
        }
        tools = ImportTools(pdfInfo: try Self.optional(&reader), pdfToText: try Self.optional(&reader))
        lifeSeconds = try reader.number()
        try reader.end()
    }

    private static func optional(_ reader: inout FrameReader) throws(FrameBreach) -> String? {
        let text = try reader.text()
        return text.isEmpty ? nil : text
    }
}

extension ImportLimits {
    /// All of them, in the order of a request.
    fileprivate static var fields: [WritableKeyPath<ImportLimits, Int>] {
        [
            \.textBytes, \.attributeBytes, \.unpackedBytes, \.entries, \.depth, \.inputBytes, \.programSeconds,
            \.processorSeconds,
        ]
    }
}
