import DriveCore

/// One call of the `ObjectStore` seam, as the hook of a `MemoryObjectStore` sees it.
public struct StoreOperation: Hashable, Sendable {
    public var kind: Kind
    /// The key, or the prefix of a list.
    public var key: ObjectKey
    public var reader: Int
    /// How many calls this reader made before.
    public var number: Int

    public enum Kind: UInt8, Hashable, Sendable { case get, put, list, delete }
}

/// What goes wrong with one call.
public enum StoreFault: Hashable, Sendable {
    /// Nothing happens but the error.
    case failure(DriveError)
    /// It happens, and the answer does not arrive.
    case lostAnswer
    /// Only the first bytes of what is put are stored, and an error is all that the caller hears.
    case torn(kept: Int)
    /// One bit of what is read differs.
    case flippedBit(Int)
    /// Only the first bytes of what is read arrive.
    case shortRead(Int)
    /// The process dies before, or after, the effect, or with a torn object left behind.
    case killedBefore
    case killedAfter
    case killedTorn(kept: Int)
}
