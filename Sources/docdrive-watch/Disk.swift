// SPDX-License-Identifier: GPL-2.0-only

import CLinux
import Glibc

/// What the file system says about a folder behind a descriptor.
struct FolderStatus {
    var device: UInt64
    var inode: UInt64

    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
}

enum Disk {
    private static let folderFlags = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    /// Opens a folder by its whole path, through links. The caller closes it.
    static func openRoot(_ path: [UInt8]) -> Int32? {
        let descriptor = Glibc.open(path.map(CChar.init(bitPattern:)) + [0], O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        return descriptor < 0 ? nil : descriptor
    }

    /// Opens a folder for listing; never follows a link. The caller closes it.
    static func openFolder(_ name: [UInt8], in parent: Int32) -> Int32? {
        open(name, in: parent, flags: O_RDONLY | folderFlags)
    }

    /// Opens a folder step by step, so that a path may be longer than PATH_MAX and no link on the way is followed.
    static func openFolder(chain: [Folder], under root: Int32) -> Int32? {
        guard let last = chain.last else { return openFolder(Array(".".utf8), in: root) }
        var parent = root
        defer { if parent != root { close(parent) } }
        for folder in chain.dropLast() {
            guard let next = open(folder.name, in: parent, flags: dd_watch_o_path | folderFlags) else { return nil }
            if parent != root { close(parent) }
            parent = next
        }
        return openFolder(last.name, in: parent)
    }

    private static func open(_ name: [UInt8], in parent: Int32, flags: Int32) -> Int32? {
        (name + [0]).withUnsafeBytes { bytes in
            guard let text = bytes.bindMemory(to: CChar.self).baseAddress else { return nil }
            let descriptor = openat(parent, text, flags)
            return descriptor < 0 ? nil : descriptor
        }
    }

    /// Calls `body` with each name, and whether it may be a folder; false if the folder could not be read to its end.
    static func list(_ descriptor: Int32, _ body: (_ name: [UInt8], _ maybeFolder: Bool) -> Void) -> Bool {
        // A new open file description: the position in the folder must not be shared.
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { return false }
        guard let stream = fdopendir(copy) else {
            close(copy)
            return false
        }
        defer { closedir(stream) }
        while true {
            errno = 0
            guard let entry = readdir(stream) else { return errno == 0 }
            let name = name(of: entry)
            guard name != [0x2E], name != [0x2E, 0x2E] else { continue }
            let type = Int32(entry.pointee.d_type)
            body(name, type == Int32(DT_DIR) || type == Int32(DT_UNKNOWN))
        }
    }

    private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        let start = UnsafeRawPointer(entry) + offset
        let length = strlen(start.assumingMemoryBound(to: CChar.self))
        return Array(UnsafeRawBufferPointer(start: start, count: length))
    }

    /// Seconds that never go back.
    static func seconds() -> UInt32 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        // 0 stands for "never" elsewhere.
        return UInt32(clamping: time.tv_sec) + 1
    }
}
