/// Its bytes: a path need not be text.
extension DrivePath: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(bytes: try decoder.singleValueContainer().decode([UInt8].self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(bytes)
    }
}
