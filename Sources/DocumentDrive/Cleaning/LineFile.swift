import DriveCore
import Foundation
import Glibc

/// A file that lines of JSON are added to, each whole or not at all for whoever reads it.
final class LineFile {
    let path: FolderPath
    private let number: Int32
    private let encoder = JSONEncoder()

    /// Made where it is not there.
    init(_ path: FolderPath) throws(DriveError) {
        self.path = path
        number = path.withPointer { open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
        guard number >= 0 else { throw SmallFile.failure("write", path) }
    }

    deinit { if number >= 0 { close(number) } }

    func append(_ line: some Encodable) throws(DriveError) {
        guard var data = try? encoder.encode(line) else {
            throw DriveError(.internalFault, "a line of the record cannot be written", path: path.description)
        }
        data.append(0x0A)
        guard data.withUnsafeBytes({ write(number, $0.baseAddress, $0.count) }) == data.count else {
            throw SmallFile.failure("write", path)
        }
    }
}
