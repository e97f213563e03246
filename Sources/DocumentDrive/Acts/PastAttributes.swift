import DriveCore
import FileCoordination

extension Attributes {
    /// What is carried of a folder's; nil where there is nothing.
    fileprivate var ofFolder: Attributes? { extended.isEmpty ? nil : Attributes(extended: extended) }
}

/// Tags, comment, executable bit and, where it is known, the date for what comes back without having kept them itself.
struct PastAttributes {
    let parts: DriveParts

    init(_ parts: DriveParts) { self.parts = parts }

    /// Those of the file that has the name; where none has, those that the file had which held this content there; else none.
    func attributes(of hash: ContentHash, at path: DrivePath) throws -> Attributes {
        if let standing = try standing(at: path) { return standing }
        if let row = try parts.state.row(at: path), row.hash == hash { return row.attributes }
        let items = try parts.state.items(named: path).compactMap { try parts.state.item($0)?.state }
        let held = try items.compactMap { item in try head(of: item, hash).map { (item, $0) } }
        guard let (item, head) = held.max(by: { $0.1.time < $1.1.time }) else { return Attributes() }
        // Of a content that another one replaced nothing tells any more what else its date was.
        return item.shownAttributes(head: item.head(head.dot))
    }

    /// Tags and comment that the folder had which was at the path last; nil where it had none.
    func folder(at path: DrivePath) throws -> Attributes? {
        if let row = try parts.state.row(at: path), row.kind == .folder { return row.attributes.ofFolder }
        let items = try parts.state.items(named: path).compactMap { try parts.state.item($0)?.state }
        return items.filter { $0.kind == .folder }.max { $0.newestTime < $1.newestTime }?.shownAttributes(head: nil)
            .ofFolder
    }

    private func standing(at path: DrivePath) throws -> Attributes? {
        guard let name = path.name, let folder = try parts.files.open(path: path.parent),
            let facts = try parts.files.look(at: name, in: folder), facts.kind == .file
        else { return nil }
        var attributes = try parts.files.attributes(facts, of: name, in: folder)
        // That of the content that has the name now.
        attributes.modified = nil
        return attributes
    }

    /// The last one with this content.
    private func head(of item: ItemState, _ hash: ContentHash) throws -> Head? {
        guard item.kind.hasContent else { return nil }
        let heads = try item.heads + parts.state.pastVersions(of: item.id).map(\.head)
        return heads.filter { $0.content.hash == hash }.max { $0.time < $1.time }
    }
}
