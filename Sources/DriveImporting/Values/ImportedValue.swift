/// The value of one attribute, as a document states it.
public enum ImportedValue: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case real(Double)
    case date(ImportedDate)
    case strings([String])
}

/// A moment, counted from 1970.
public struct ImportedDate: Hashable, Sendable {
    public var seconds: Int64
    /// 0 to 999 999 999.
    public var nanoseconds: Int32

    public init(seconds: Int64, nanoseconds: Int32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }
}
