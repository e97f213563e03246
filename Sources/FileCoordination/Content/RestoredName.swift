import DriveCore

/// `Letter (restored).odt`, `Letter (restored 2).odt`
package enum RestoredName {
    /// Under so many names a free one is looked for, the first being its own.
    package static let ordinals = 1..<100

    /// From the second on.
    package static func make(_ path: DrivePath, _ ordinal: Int) -> FileName {
        let bytes = path.name?.bytes ?? []
        let dot = bytes.lastIndex(of: 0x2E).flatMap { $0 > 0 && bytes.count - $0 <= 32 ? $0 : nil } ?? bytes.count
        let marker = ordinal == 2 ? " (restored)" : " (restored \(ordinal - 1))"
        let stem = bytes[..<dot].prefix(FileName.maximumLength - marker.utf8.count - (bytes.count - dot))
        return FileName(bytes: stem + Array(marker.utf8) + bytes[dot...])
    }
}
