import CLinux
public import DriveCore
import Glibc

/// A folder as far as it is there, reached through no link: each on the way is opened within the one before. Whatever becomes
/// of their names meanwhile, nothing is made behind a link, or moved there.
public struct LinklessFolder {
    /// What is in the way, and where.
    public enum Obstacle: Error, Hashable {
        case link(at: [UInt8])
        /// Or whatever else is no folder.
        case file(at: [UInt8])
        /// The number of an error.
        case system(Int32, at: [UInt8])
    }

    /// The last that is there, and where that is.
    private var folder: Descriptor
    private var place: DrivePath = .root
    private var missing: ArraySlice<FileName>

    /// An absolute path without `.` and `..`.
    public init(_ path: [UInt8]) throws(Obstacle) {
        let root: [UInt8] = [0x2F]
        let number = root.withPathPointer { dd_open_root($0) }
        guard number >= 0 else { throw .system(-number, at: root) }
        folder = Descriptor(number)
        missing = DrivePath(bytes: path).components[...]
        while let name = missing.first, try enter(name) { missing.removeFirst() }
    }

    /// Makes what is missing.
    public mutating func make(_ mode: UInt32) throws(Obstacle) {
        while let name = missing.first {
            let made = dd_make_folder(folder.number, name.bytes, name.bytes.count, mode)
            guard made >= 0 || made == -EEXIST else { throw .system(-made, at: path(place)) }
            guard try enter(name) else { throw .system(ENOENT, at: path(place.appending(name))) }
            missing.removeFirst()
        }
    }

    /// False where nothing has the name.
    private mutating func enter(_ name: FileName) throws(Obstacle) -> Bool {
        let next = place.appending(name)
        // Needs no permission to list it, as passing through it needs none.
        let number = dd_pin(folder.number, name.bytes, name.bytes.count)
        if number == -ENOENT { return false }
        // Needing none of its own, it is denied by the folder that it is looked up in.
        guard number >= 0 else { throw .system(-number, at: path(number == -EACCES ? place : next)) }
        let found = Descriptor(number)
        var facts = dd_facts()
        let looked = dd_look_at(found.number, &facts)
        guard looked == 0 else { throw .system(-looked, at: path(next)) }
        if facts.kind == DD_KIND_LINK { throw .link(at: path(next)) }
        guard facts.kind == DD_KIND_FOLDER else { throw .file(at: path(next)) }
        (folder, place) = (found, next)
        return true
    }

    private func path(_ place: DrivePath) -> [UInt8] { [0x2F] + place.bytes }

    /// Whether anything has the name in it, be it a link that leads nowhere.
    public func has(_ name: FileName) -> Bool { missing.isEmpty && folder.has(name) }

    /// Why nothing could be made in it, or what is missing of it could not; nil where nothing is known that speaks against it.
    public func obstruction(to name: FileName) -> Obstacle? {
        let name = missing.first ?? name
        let code = dd_obstruction(folder.number, name.bytes, name.bytes.count, false)
        return code < 0 ? .system(-code, at: path(place)) : nil
    }

    /// Whether a rename leads from that folder to this one.
    public func isOnVolume(of other: [UInt8]) -> Bool {
        var facts = dd_facts()
        return dd_look_at(folder.number, &facts) == 0 && Volume(at: other) == Volume(facts)
    }

    /// As `ExclusiveRename.move`, once nothing of the folder is missing.
    public func take(_ name: FileName, from source: [UInt8], as newName: FileName) -> Int32 {
        missing.isEmpty ? ExclusiveRename.move(name, in: source, to: newName, in: folder.number) : ENOENT
    }
}
