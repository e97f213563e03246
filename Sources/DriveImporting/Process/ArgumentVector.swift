import Glibc

/// Lends the arguments as the calls that start programs want them.
package func withArgumentVector<Result>(
    _ arguments: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var vector: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    vector.append(nil)
    defer { for argument in vector { free(argument) } }
    return body(vector)
}
