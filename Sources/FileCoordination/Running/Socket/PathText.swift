public import DriveCore
import Foundation

extension DrivePath {
    /// The bytes in base64 (RFC 4648) where the text alone does not tell them.
    public var base64IfNeeded: String? {
        String(validating: bytes, as: UTF8.self) == nil ? Data(bytes).base64EncodedString() : nil
    }
}
