import DriveTypes

/// What kinds of things the types of the product's table are.
public enum UniformTypes {
    /// Whether the first type is the second or one of its kind; names of types have no case.
    public static func conforms(_ type: String, to other: String) -> Bool {
        let (type, other) = (type.lowercased(), other.lowercased())
        return type == other || ContentTypes.tree(of: type).contains(other)
    }
}
