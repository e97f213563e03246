/// An item that predicates can be asked about.
///
///     struct Track: PredicateObject {
///         func value(forAttribute name: String) -> PredicateValue { name == "title" ? .string(title) : .null }
///     }
public protocol PredicateObject {
    /// The attribute's value; null where the item has none. Called only for attributes that the predicate names, and only
    /// when their turn comes.
    func value(forAttribute name: String) -> PredicateValue
    /// What SELF is.
    var itemValue: PredicateValue { get }
}

extension PredicateObject {
    public var itemValue: PredicateValue { .null }
}

extension PredicateValue: PredicateObject {
    public func value(forAttribute name: String) -> PredicateValue { KeyValues.value(of: name, in: self) }
    public var itemValue: PredicateValue { self }
}
