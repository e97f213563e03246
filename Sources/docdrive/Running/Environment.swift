import Glibc

enum Environment {
    /// An empty value counts as unset (no-color.org).
    static func isUnset(_ name: String) -> Bool { getenv(name).map { $0[0] == 0 } ?? true }
}
