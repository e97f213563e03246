import CLinux
public import DriveCore

/// A file or folder whose tags and comment are looked at or changed, in the extended attributes that desktops use
/// (freedesktop.org, "Common Extended Attributes"). It stays the same one, even if it is moved meanwhile.
public struct TaggedFile: Sendable {
    private let descriptor: Descriptor
    private let path: String

    /// Nothing is opened: neither reading nor writing it is needed for that, only its folder. It is not followed if it is a
    /// link.
    public init(_ name: FileName, inFolder folder: [UInt8]) throws(DriveError) {
        path = String(decoding: folder + [0x2F] + name.bytes, as: UTF8.self)
        guard let found = try Self.found(name, inFolder: folder) else {
            throw DriveError(.notFound, "there is no such file; check the spelling", path: path)
        }
        descriptor = found
    }

    /// Nil also where there is no such folder.
    private static func found(_ name: FileName, inFolder folder: [UInt8]) throws(DriveError) -> Descriptor? {
        do throws(DriveError) {
            let parent = try Descriptor.root(at: folder)
            let found = try Descriptor.pin(name, in: parent.number)
            // Its number is good only while somebody holds it.
            withExtendedLifetime(parent) {}
            return found
        } catch {
            if error.kind == .notFound { return nil }
            throw error
        }
    }

    /// The bytes under one key; nil where there are none, or the volume keeps no extended attributes.
    public func attribute(_ key: AttributeKey) throws(DriveError) -> [UInt8]? {
        guard let name = key.extendedAttributeName else { return nil }
        return try descriptor.attribute(name)
    }

    /// Sets it, or removes it with nil. Throws where the volume keeps none, and for links, which cannot have any (xattr(7)).
    public func setAttribute(_ key: AttributeKey, _ value: [UInt8]?) throws(DriveError) {
        guard let name = key.extendedAttributeName else { return }
        if try descriptor.facts().kind == DD_KIND_LINK {
            throw DriveError(.usage, "a link has no tags; name what it points to", path: path)
        }
        try descriptor.setAttribute(name, value)
        guard try descriptor.attribute(name) == value else {
            throw DriveError(
                .usage, "the file system keeps no extended attributes, so no tags; use ext4, XFS or Btrfs", path: path)
        }
    }
}
