public import DriveCore
import DriveFiles
import Glibc

/// An absolute path on this machine, as bytes. `.` and `..` and repeated slashes are gone, links stay.
public struct FolderPath: Hashable, Sendable {
    public let bytes: [UInt8]

    /// A path as a person gives it, relative to the current folder; at one that is not there any more nothing is, and nothing can
    /// be made. `..` behind a link is what is above the folder that it leads to, as everywhere (path_resolution(7)).
    public init(_ path: [UInt8]) {
        let current = path.first == 0x2F ? [] : Self.current
        let absolute = path.first == 0x2F ? path : (current ?? Self.nowhere) + [0x2F] + path
        var bytes: [UInt8] = []
        bytes.reserveCapacity(absolute.count)
        for component in absolute.split(separator: 0x2F) where component != [0x2E] {
            if component == [0x2E, 0x2E] {
                // Nor is anything beside it.
                if current == nil { continue }
                bytes = Self.followed(bytes)
                bytes.removeSubrange((bytes.lastIndex(of: 0x2F) ?? 0)...)
            } else {
                bytes.append(0x2F)
                bytes += component
            }
        }
        self.bytes = bytes.isEmpty ? [0x2F] : bytes
    }

    public init(_ text: String) { self.init(Array(text.utf8)) }

    /// Where a link leads, if it is one.
    private static func followed(_ path: [UInt8]) -> [UInt8] {
        guard !path.isEmpty else { return path }
        let place = FolderPath(path)
        return place.linkTarget == nil ? path : place.resolved.bytes
    }

    /// Nil where it was deleted, or unmounted (getcwd(3)).
    private static var current: [UInt8]? {
        guard let text = getcwd(nil, 0) else { return nil }
        defer { free(text) }
        return Array(UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) })
    }

    /// Beneath what is no folder.
    private static let nowhere = Array("/dev/null/current".utf8)

    /// Where this process works now.
    public static var currentFolder: FolderPath { FolderPath(current ?? nowhere) }

    /// Whether a path names something in the current folder while that is not there any more.
    public static func isNowhere(_ path: String) -> Bool {
        path.utf8.starts(with: nowhere) && current == nil
    }

    /// The folder of the person who runs this: `$HOME`, else from the user database (getpwuid(3)).
    public static var home: FolderPath? {
        if let text = getenv("HOME"), text[0] == 0x2F { return FolderPath(String(cString: text)) }
        return getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { FolderPath(String(cString: $0)) }
    }

    /// Where the file of this very process is (proc(5)).
    public static var runningProgram: FolderPath { FolderPath("/proc/self/exe").resolved }

    /// A person's base folder of some kind: the variable where it names an absolute path, else a place in the home folder (XDG
    /// Base Directory Specification).
    static func base(_ variable: String, orInHome path: [FileName]) -> FolderPath? {
        if let text = getenv(variable), text[0] == 0x2F { return FolderPath(String(cString: text)) }
        return home.map { path.reduce($0) { $0.appending($1) } }
    }

    /// Every home folder that is known: `$HOME` and the user database's.
    static var homes: [FolderPath] {
        let registered = getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { FolderPath(String(cString: $0)) }
        return [home, registered].compactMap(\.self)
    }

    /// As a shell takes it for one word.
    var shellText: String { "/" + DrivePath(bytes: bytes).shellText }

    public var parent: FolderPath {
        guard let slash = bytes.lastIndex(of: 0x2F), slash > 0 else { return FolderPath([0x2F]) }
        return FolderPath(Array(bytes[..<slash]))
    }

    public var isRoot: Bool { bytes == [0x2F] }

    /// The last component; nil for the root.
    public var name: FileName? {
        guard let slash = bytes.lastIndex(of: 0x2F), slash + 1 < bytes.count else { return nil }
        return FileName(bytes: Array(bytes[(slash + 1)...]))
    }

    public func appending(_ name: FileName) -> FolderPath { FolderPath(bytes + [0x2F] + name.bytes) }

    /// Links followed as far as the path exists; what does not exist is kept as it is (realpath(3)).
    public var resolved: FolderPath {
        var missing: [FileName] = []
        var place = self
        while true {
            let found = (place.bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
                realpath($0.baseAddress, nil)
            }
            if let found {
                defer { free(found) }
                let bytes = UnsafeBufferPointer(start: found, count: strlen(found)).map { UInt8(bitPattern: $0) }
                return missing.reversed().reduce(FolderPath(bytes)) { $0.appending($1) }
            }
            if place.isRoot { return self }
            missing.append(FileName(bytes: Array(place.bytes[(place.bytes.lastIndex(of: 0x2F)! + 1)...])))
            place = place.parent
        }
    }

    /// Whether this is `other` or lies beneath it, by name.
    public func isInside(_ other: FolderPath) -> Bool {
        other.isRoot || bytes == other.bytes || bytes.starts(with: other.bytes + [0x2F])
    }

    /// Makes the folder and what is missing above it. Whoever uses it then is told why that does not work.
    func makeWithParents(_ mode: mode_t) {
        for folder in ancestry.reversed() where !folder.exists {
            if folder.withPointer({ mkdir($0, mode) }) == 0 { Ownership.give(folder: folder.bytes) }
        }
    }

    /// This folder and all above it, nearest first.
    public var ancestry: [FolderPath] {
        var result = [self]
        while let last = result.last, !last.isRoot { result.append(last.parent) }
        return result
    }
}

extension FolderPath: CustomStringConvertible {
    /// For people, and never to open anything: a name need not be UTF-8.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension FolderPath {
    /// As a path beneath a drive, whichever links lead there; nil where it is not in it.
    public func path(beneath drive: FolderPath) -> DrivePath? {
        // Items have the path that no link is on.
        let inside = [
            FolderPath(parent.resolved.bytes + bytes.suffix(from: parent.isRoot ? 0 : parent.bytes.count)),
            self, resolved,
        ]
        for candidate in inside {
            for root in [drive, drive.resolved] where candidate.isInside(root) {
                return DrivePath(bytes: candidate.bytes.dropFirst(root.isRoot ? 0 : root.bytes.count))
            }
        }
        return nil
    }
}
