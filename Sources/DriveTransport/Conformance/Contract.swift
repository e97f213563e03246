import DriveCore

/// A promise of a seam that an implementation does not keep.
public struct ContractViolation: Error, CustomStringConvertible, Sendable {
    public var description: String

    public init(_ description: String) { self.description = description }
}

package func require(_ condition: Bool, _ promise: @autoclosure () -> String) throws {
    if !condition { throw ContractViolation(promise()) }
}

package func requireEqual<Value: Equatable>(_ found: Value, _ wanted: Value, _ promise: @autoclosure () -> String)
    throws
{
    if found != wanted { throw ContractViolation("\(promise()): found \(found), wanted \(wanted)") }
}

package func requireValue<Value>(_ value: Value?, _ promise: @autoclosure () -> String) throws -> Value {
    guard let value else { throw ContractViolation("\(promise()): found nothing") }
    return value
}

package func requireThrows(_ promise: @autoclosure () -> String, _ kind: DriveError.Kind, _ body: () throws -> Void)
    throws
{
    do {
        try body()
    } catch {
        return try requireEqual((error as? DriveError)?.kind, kind, "\(promise()): kind of the error")
    }
    throw ContractViolation("\(promise()): no error")
}

package func requireThrows(_ promise: @autoclosure () -> String, _ body: () throws -> Void) throws {
    do { try body() } catch { return }
    throw ContractViolation("\(promise()): no error")
}
