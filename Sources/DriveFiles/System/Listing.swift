import CLinux
import DriveCore

/// Every entry of an open folder but `.` and `..`. Throws rather than leave out anything: absence is only evidence if
/// the listing was complete.
func forEachEntry(
    in folder: Int32, _ body: (UnsafeBufferPointer<UInt8>, FileFacts.Kind?, UInt64) throws(DriveError) -> Void
) throws(DriveError) {
    // A description of its own: the reading position of a shared one would be shared too.
    let listing = Descriptor(
        try check(dd_reopen_folder(folder), "list the folder", path: Descriptor.path(of: nil, in: folder)))
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: 65_536, alignment: 16)
    defer { buffer.deallocate() }
    var entry = dd_entry()
    while true {
        let filled = dd_list(listing.number, buffer, 65_536)
        _ = try check(filled, "list the folder", path: Descriptor.path(of: nil, in: folder))
        if filled == 0 { return }
        var offset = 0
        while offset < filled {
            offset = dd_entry_at(buffer, offset, &entry)
            let name = UnsafeBufferPointer(start: entry.name, count: entry.length)
            if name[0] == 0x2E, name.count == 1 || (name.count == 2 && name[1] == 0x2E) { continue }
            try body(name, entry.knows_kind ? FileFacts.Kind(rawValue: entry.kind) : nil, entry.inode)
        }
    }
}
