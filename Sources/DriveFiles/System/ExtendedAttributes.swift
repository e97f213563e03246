import CLinux
import DriveCore
import Glibc

/// The most that Linux stores under one key (`XATTR_SIZE_MAX`) and for all keys together (`XATTR_LIST_MAX`), limits.h.
private let largest = 65_536

/// The names of an item's extended attributes, by a call that fills a buffer; none where the volume has none.
func attributeNames(_ fill: (UnsafeMutablePointer<CChar>?, Int) -> Int, path: @autoclosure () -> String)
    throws(DriveError) -> [String]
{
    // Nearly all files have none, so ask for the size first.
    let size = fill(nil, 0)
    if size == 0 || (size < 0 && Int32(-size).meansUnsupported) { return [] }
    _ = try check(size, "read the extended attributes", path: path())
    var filled = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: largest) { buffer, count in
        filled = buffer.withMemoryRebound(to: CChar.self) { fill($0.baseAddress, $0.count) }
        count = max(0, filled)
    }
    _ = try check(filled, "read the extended attributes", path: path())
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
}

/// The value of one extended attribute; nil where the item has none of that name.
func attributeValue(_ fill: (UnsafeMutableRawPointer?, Int) -> Int, path: @autoclosure () -> String)
    throws(DriveError) -> [UInt8]?
{
    var filled = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: largest) { buffer, count in
        filled = fill(buffer.baseAddress, buffer.count)
        count = max(0, filled)
    }
    if filled < 0, Int32(-filled) == ENODATA || Int32(-filled).meansUnsupported { return nil }
    _ = try check(filled, "read an extended attribute", path: path())
    return bytes
}

/// Of an item with attributes of these names, those that a drive carries.
func carriedAttributes(
    among present: [String], _ value: (String) throws(DriveError) -> [UInt8]?
) throws(DriveError) -> [AttributeKey: [UInt8]] {
    if present.isEmpty { return [:] }
    var result: [AttributeKey: [UInt8]] = [:]
    for key in AttributeKey.extendedAttributes {
        guard let name = key.extendedAttributeName, present.contains(name) else { continue }
        result[key] = try value(name)
    }
    return result
}

extension Descriptor {
    func attributeNames() throws(DriveError) -> [String] {
        try DriveFiles.attributeNames({ dd_list_attributes(number, $0, $1) }, path: Self.path(of: nil, in: number))
    }

    func attribute(_ key: String) throws(DriveError) -> [UInt8]? {
        try attributeValue({ dd_get_attribute(number, key, $0, $1) }, path: Self.path(of: nil, in: number))
    }

    /// Sets or removes one; nothing happens where the volume has no extended attributes.
    func setAttribute(_ key: String, _ value: [UInt8]?) throws(DriveError) {
        let result =
            if let value {
                dd_set_attribute(number, key, value, value.count)
            } else {
                dd_remove_attribute(number, key)
            }
        let code = -result
        if result >= 0 || code == ENODATA || code.meansUnsupported { return }
        // ext4 says ENOSPC where the attributes of a file outgrow a block: no reason to call the disk full.
        if code == ENOSPC || code == E2BIG || code == ERANGE {
            throw DriveError(
                .unfit, "cannot keep the extended attribute \(key): too large for this file system",
                path: Self.path(of: nil, in: number))
        }
        throw .system(code, "set the extended attribute \(key)", path: Self.path(of: nil, in: number))
    }

    /// Whether the file system has attributes for people, asked without a write: tmpfs lists none and refuses to set one
    /// (before Linux 6.6), and removing one that is not there tells the two apart.
    var keepsExtendedAttributes: Bool {
        let code = -dd_remove_attribute(number, "user.docdrive.none")
        return code <= 0 || !code.meansUnsupported
    }

    /// Makes the carried attributes what they should be. One that cannot be set keeps none of the others away, and is thrown
    /// after them.
    func setCarriedAttributes(_ wanted: [AttributeKey: [UInt8]]) throws(DriveError) {
        let present = try attributeNames()
        var failure: DriveError?
        for key in AttributeKey.extendedAttributes {
            guard let name = key.extendedAttributeName else { continue }
            let isPresent = present.contains(name)
            if wanted[key] == nil, !isPresent { continue }
            if isPresent, let value = wanted[key], try attribute(name) == value { continue }
            do { try setAttribute(name, wanted[key]) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }
}
