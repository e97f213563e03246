import DriveCore

/// The units of a drive that are installed. A copy of the drive has its id, and a unit of its own.
struct InstalledUnits {
    private let replica: String
    private let units: [Unit]

    private struct Unit {
        var name: String
        /// Nil where a person has written another command into it.
        var drive: FolderPath?
    }

    init(in folder: FolderPath, replica: String) throws(DriveError) {
        self.replica = replica
        var units: [Unit] = []
        for name in try (folder.names() ?? []).map(\.description).sorted() {
            guard name.hasPrefix(Self.stem(replica)), name.hasSuffix(Self.ending) else { continue }
            let text = try SmallFile.read(folder.appending(FileName(name))) ?? []
            units.append(Unit(name: name, drive: ServiceUnit.drive(in: String(decoding: text, as: UTF8.self))))
        }
        self.units = units
    }

    /// The name of the unit that is, or is to be, the folder's. With the folder that it was made for, where the drive is not
    /// there now: it was moved.
    func name(for drive: FolderPath) -> (name: String, former: FolderPath?) {
        if let own = units.first(where: { $0.drive == drive }) ?? units.first(where: { $0.drive == nil }) {
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
