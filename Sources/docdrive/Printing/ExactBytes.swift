import DocumentDrive
import Foundation

extension [UInt8] {
    /// In base64 (RFC 4648) where the text alone does not tell them.
    var base64IfNoText: String? {
        String(validating: self, as: UTF8.self) == nil ? Data(self).base64EncodedString() : nil
    }
}

extension FolderPath {
    var base64IfNeeded: String? { bytes.base64IfNoText }
}
