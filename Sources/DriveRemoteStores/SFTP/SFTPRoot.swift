import DriveCore

/// Where the store is on its server, and where its objects are in it.
struct SFTPRoot: Hashable, Sendable {
    /// As the server gets it.
    var path: [UInt8]
    /// The URL, for messages.
    var display: String

    /// A path counts from `/`; one that begins with `~` from the login folder, which is where a relative one of SFTP starts
    /// (section 6.2 of the draft).
    init(_ url: StoreURL) {
        let parts = url.components
        if parts.first == "~" {
            path = Array((parts.count == 1 ? "." : parts.dropFirst().joined(separator: "/")).utf8)
        } else {
            path = Array("/\(url.path)".utf8)
        }
        display = url.text
    }

    /// Of something beneath, or of the root itself for an empty name.
    func path(of name: some Collection<UInt8>) -> [UInt8] {
        if name.isEmpty { return path }
        return path == [0x2F] ? path + name : path + [0x2F] + name
    }

    func display(of name: some Collection<UInt8>) -> String {
        name.isEmpty ? display : "\(display)/\(String(decoding: name, as: UTF8.self))"
    }

    /// What the root lies in.
    var parent: [UInt8] {
        guard let slash = path.lastIndex(of: 0x2F) else { return Array(".".utf8) }
        return slash == 0 ? [0x2F] : Array(path[..<slash])
    }
}

/// A key as the bytes that a path is made of.
struct SFTPKey {
    var bytes: [UInt8]

    init(_ text: ObjectKey) throws(DriveError) { bytes = Array(try StoreKey(text).text.utf8) }

    /// The folder it lies in; empty for the root.
    var folder: [UInt8] { bytes.lastIndex(of: 0x2F).map { Array(bytes[..<$0]) } ?? [] }

    static func isComponent(_ bytes: some Collection<UInt8>) -> Bool { StoreKey.isComponent(bytes) }
}
