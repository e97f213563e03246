import FoundationEssentials

extension DiaryStorage {
    /// What ended the last pass; nil where it ended well.
    public func trouble() throws -> Trouble? { try storedValue(Trouble.self, Trouble.settingName) }

    /// A setting in JSON. What another version wrote, and this one cannot read, is as good as not known.
    public func storedValue<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value? {
        try setting(name).flatMap { try? JSONDecoder().decode(type, from: Data($0)) }
    }
}
