// SPDX-License-Identifier: GPL-2.0-only

import CInotifyTools
import Glibc

/// libinotifytools, reduced to the calls that hold: everything else in it loses events, re-sorts its trees wrongly or
/// leaks. All its state is global and unguarded, so only one thread may ever have one of these.
struct InotifyLibrary {
    /// Entries that the library will never free: the kernel removed the watch (a deleted folder), or gave the same
    /// watch for a second name.
    var leaked = 0
    private var serial: UInt32 = 0

    enum Watched {
        case watch(Int32)
        case failed(errno: Int32)
    }

    enum Next {
        case event(RawEvent)
        case nothing
        case failed(errno: Int32)
    }

    /// Nil with the library's errno in `error` if there is no inotify instance left.
    static func start() -> InotifyLibrary? { inotifytools_initialize() == 0 ? nil : InotifyLibrary() }

    static var error: Int32 { inotifytools_error() }

    /// Watches the folder behind a descriptor, so neither a long path nor an exchanged link can lead elsewhere.
    mutating func watch(descriptor: Int32, mask: Int32) -> Watched {
        let name = uniqueName(of: descriptor)
        guard inotifytools_watch_file(name, mask) != 0 else {
            let error = inotifytools_error()
            return .failed(errno: error == 0 ? EIO : error)
        }
        let watch = inotifytools_wd_from_filename(name)
        return watch < 0 ? .failed(errno: EIO) : .watch(watch)
    }

    /// Gives a watch another mask. Not by the library, which would keep a second name for it.
    func change(_ watch: Int32, of descriptor: Int32, mask: Int32) {
        guard let queue = Self.queue else { return }
        let now = inotify_add_watch(queue, "/proc/self/fd/\(descriptor)", UInt32(bitPattern: mask))
        // The folder is another by now.
        if now >= 0, now != watch { inotify_rm_watch(queue, now) }
    }

    /// The library's own descriptor, which it does not tell.
    private static let queue: Int32? = (0..<64).first { number in
        let text = [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            count = buffer.withMemoryRebound(to: CChar.self) { bytes in
                guard let start = bytes.baseAddress else { return 0 }
                return max(0, readlink("/proc/self/fd/\(number)", start, bytes.count))
            }
        }
        return text == Array("anon_inode:inotify".utf8)
    }

    /// Only for a watch that the kernel still has; the library complains about others and keeps them.
    func remove(_ watch: Int32) { _ = inotifytools_remove_watch_by_wd(watch) }

    /// The next event; waits a second at most, or without `timeout` until there is one.
    func next(timeout: Bool) -> Next {
        // 0 means "for ever" here.
        guard let event = inotifytools_next_event(timeout ? 1 : 0) else {
            let error = inotifytools_error()
            return error == 0 || error == EINTR ? .nothing : .failed(errno: error)
        }
        return .event(RawEvent(event))
    }

    /// The library sorts its entries by name and never frees the name of a dead watch, so every watch needs a name that
    /// was never used: the serial number, two bits in each of `./`, `.//`, `.///` and `.////`, which mean nothing in a path.
    private mutating func uniqueName(of descriptor: Int32) -> String {
        serial &+= 1
        var name = "/proc/self/fd/\(descriptor)/"
        var bits = serial
        while bits != 0 {
            name += ["./", ".//", ".///", ".////"][Int(bits & 3)]
            bits >>= 2
        }
        return name
    }
}

/// One event, copied out of the library's static buffer.
struct RawEvent {
    var watch: Int32
    private var mask: Int32
    var name: [UInt8]

    init(_ event: UnsafeMutablePointer<inotify_event>) {
        watch = event.pointee.wd
        mask = Int32(bitPattern: event.pointee.mask)
        // The name is a flexible array member, which Swift does not import; it is padded with NULs (inotify(7)).
        let bytes = UnsafeRawPointer(event) + MemoryLayout<inotify_event>.size
        let length = strnlen(bytes.assumingMemoryBound(to: CChar.self), Int(event.pointee.len))
        name = Array(UnsafeRawBufferPointer(start: bytes, count: length))
    }

    func has(_ bits: Int32...) -> Bool { bits.contains { mask & $0 != 0 } }
    var isFolder: Bool { has(Int32(bitPattern: folderBit)) }
    var isOverflow: Bool { has(IN_Q_OVERFLOW) }
    var isIgnored: Bool { has(IN_IGNORED) }
}

private let folderBit: UInt32 = 0x4000_0000

/// What is asked of the kernel for each folder. MODIFY only while it tells little (`OpenWrites`).
enum WatchMask {
    static let folder: Int32 =
        IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_ONLYDIR
        | IN_EXCL_UNLINK
    static let root: Int32 = folder | IN_DELETE_SELF | IN_MOVE_SELF
    static let arrivals: Int32 =
        IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ONLYDIR | IN_DELETE_SELF | IN_MOVE_SELF
    static let control: Int32 = IN_CREATE | IN_ONLYDIR
}
