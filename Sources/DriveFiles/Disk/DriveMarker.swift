import CLinux
import DriveCore
import Glibc

/// The file that says which replica a drive folder is.
enum DriveMarker {
    /// Nil where there is none.
    static func read(in state: Descriptor) throws(DriveError) -> String? {
        let name = DriveLayout.marker
        let result = dd_open_file(state.number, name.bytes, name.bytes.count)
        if result < 0, (-result).meansAbsent { return nil }
        // Only an error has need of it, and the marker is read often.
        let path = { Descriptor.path(of: name, in: state.number) }
        let file = Descriptor(try check(result, "read the drive's marker", path: path()))
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 256) { buffer, filled in
            count = dd_read(file.number, buffer.baseAddress, buffer.count)
            filled = max(0, count)
        }
        _ = try check(count, "read the drive's marker", path: path())
        return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    }

    /// Written whole or not at all; false where a marker is there already.
    static func write(_ replica: String, in state: Descriptor) throws(DriveError) -> Bool {
        let name = DriveLayout.marker
        let path = Descriptor.path(of: name, in: state.number)
        let draft: FileName = "replica.new"
        _ = dd_remove_file(state.number, draft.bytes, draft.bytes.count)
        let number = dd_create_file(state.number, draft.bytes, draft.bytes.count, 0o600)
        let file = Descriptor(try check(number, "write the drive's marker", path: path))
        try file.write(Array((replica + "\n").utf8))
        _ = try check(dd_sync(file.number), "write the drive's marker", path: path)
        let moved = dd_move(
            state.number, draft.bytes, draft.bytes.count, state.number, name.bytes, name.bytes.count)
        if moved == -EEXIST { return false }
        _ = try check(moved, "write the drive's marker", path: path)
        _ = try check(dd_sync(state.number), "write the drive's marker", path: path)
        return true
    }
}
