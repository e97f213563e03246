import CLinux
import DriveCore
import Glibc

/// An open file or folder; closed when nobody holds it any more.
final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { _ = dd_close(number) }
}

extension Descriptor {
    /// Opens a folder by a path of the person's, in which links are followed.
    static func root(at path: [UInt8]) throws(DriveError) -> Descriptor {
        let number = path.withPathPointer { dd_open_root($0) }
        return Descriptor(try check(number, "open the folder", path: String(decoding: path, as: UTF8.self)))
    }

    /// The folder of that name; nil where there is none, a link being none.
    func folder(_ name: FileName) throws(DriveError) -> Descriptor? {
        try Descriptor.folder(name, in: number)
    }

    static func folder(_ name: FileName, in folder: Int32) throws(DriveError) -> Descriptor? {
        let result = dd_open_folder(folder, name.bytes, name.bytes.count)
        if result < 0, (-result).meansAbsent { return nil }
        return Descriptor(try check(result, "open the folder", path: path(of: name, in: folder)))
    }

    /// The folder of that path, through no link and never above the folder; nil where there is none.
    static func folder(beneath folder: Int32, _ path: [UInt8]) throws(DriveError) -> Descriptor? {
        let result = path.withPathPointer { dd_open_beneath(folder, $0, true) }
        if result < 0, (-result).meansAbsent { return nil }
        return Descriptor(
            try check(
                result, "open the folder",
                path: "\(Self.path(of: nil, in: folder))/\(String(decoding: path, as: UTF8.self))"))
    }

    /// Holds on to an item of any kind; nil where nothing has the name.
    static func pin(_ name: FileName, in folder: Int32) throws(DriveError) -> Descriptor? {
        let result = dd_pin(folder, name.bytes, name.bytes.count)
        if result < 0, (-result).meansAbsent { return nil }
        return Descriptor(try check(result, "look at it", path: path(of: name, in: folder)))
    }

    /// Whether another process has the file open for writing; nil where that cannot be told.
    static func isBeingWritten(_ name: FileName, in folder: Int32) -> Bool? {
        let number = dd_open_file(folder, name.bytes, name.bytes.count)
        // A lease of another process that the open would have to break, as file servers hold for their writers.
        if number == -EAGAIN { return true }
        guard number >= 0 else { return nil }
        let file = Descriptor(number)
        let answer = dd_is_open_for_writing(file.number)
        return answer < 0 ? nil : answer == 1
    }

    /// Where an item is now, for people.
    static func path(of name: FileName?, in folder: Int32) -> String {
        let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            count = buffer.withMemoryRebound(to: CChar.self) { max(0, dd_path_of(folder, $0.baseAddress, $0.count)) }
        }
        let place = String(decoding: bytes, as: UTF8.self)
        return name.map { "\(place)/\($0)" } ?? place
    }

    /// Whether anything has the name here.
    func has(_ name: FileName) -> Bool {
        var facts = dd_facts()
        return dd_look(number, name.bytes, name.bytes.count, &facts) == 0
    }

    func facts() throws(DriveError) -> dd_facts {
        var facts = dd_facts()
        _ = try check(dd_look_at(number, &facts), "look at it", path: Descriptor.path(of: nil, in: number))
        return facts
    }
}

extension [UInt8] {
    /// The bytes with a NUL behind them, for a path that may be longer than a name.
    func withPathPointer<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (self + [0]).withUnsafeBytes { body($0.assumingMemoryBound(to: CChar.self).baseAddress!) }
    }
}
