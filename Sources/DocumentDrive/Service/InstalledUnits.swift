import DriveCore

/// The units of a drive that are installed. A copy of the drive has its id, and a unit of its own.
struct InstalledUnits {
    private let replica: String
    private let units: [Unit]

    private struct Unit {
        var name: String
        /// Nil where a person has written another command into it.
        var drive: FolderPath?
        var text: String

        /// Whether it is the folder's for all that is known of it: its description stays where the command was written anew.
        func isMeant(for folder: FolderPath) -> Bool {
            guard drive == nil else { return drive == folder }
            let described = text.split(separator: "\n").first { $0.hasPrefix("Description=DocumentDrive: ") }
            return described.map { $0 == ServiceUnit.description(of: folder) } ?? true
        }
    }

    init(in folder: FolderPath, replica: String) throws(DriveError) {
        self.replica = replica
        var units: [Unit] = []
        for name in try (folder.names() ?? []).map(\.description).sorted() {
            guard name.hasPrefix(Self.stem(replica)), name.hasSuffix(Self.ending) else { continue }
            let text = String(decoding: try SmallFile.read(folder.appending(FileName(name))) ?? [], as: UTF8.self)
            units.append(Unit(name: name, drive: ServiceUnit.drive(in: text), text: text))
        }
        self.units = units
    }

    /// The name of the unit that is, or is to be, the folder's. With the folder that it was made for, where the drive is not
    /// there now: it was moved.
    func name(for drive: FolderPath) -> (name: String, former: FolderPath?) {
        if let own = units.first(where: { $0.drive == drive }) ?? units.first(where: { $0.isMeant(for: drive) }) {
            return (own.name, nil)
        }
        if let left = units.first(where: { !isThere($0.drive) }) { return (left.name, left.drive) }
        var name = Self.stem(replica) + Self.ending
        var number = 1
        while units.contains(where: { $0.name == name }) {
            number += 1
            name = "\(Self.stem(replica))-\(number)\(Self.ending)"
        }
        return (name, nil)
    }

    private func isThere(_ drive: FolderPath?) -> Bool {
        guard let drive else { return true }
        // It is, where somebody must set something right.
        do throws(DriveError) { return try Drive.present(at: drive) == replica } catch { return true }
    }

    private static func stem(_ replica: String) -> String { "docdrive-\(replica.prefix(12))" }
    private static let ending = ".service"
}
