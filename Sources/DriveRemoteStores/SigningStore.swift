/// A store that signs in by what other programs of a person use, too: files that somebody may correct.
package protocol SigningStore: Sendable {
    /// Looks again. True where it is something else than was used before, and will be used from now on; what cannot be read changes
    /// nothing.
    func renewLogin() -> Bool
}
