import DriveCore

/// What programs leave in folders and a rule names: it is neither sent nor applied, and keeps a folder where others deleted it.
enum Litter {
    /// No person gives such a name.
    static func isNamed(_ name: FileName) -> Bool { name.bytes.first == UInt8(ascii: "~") }

    static func ignores(_ path: DrivePath) -> Bool { path.components.contains(where: isNamed) }

    /// A program on a device leaves something in some folder, or does not.
    static func drop(in folder: MemoryFolder, device: Int, seed: UInt64) -> DrivePath? {
        var generator = SeededGenerator(seed: ~seed)
        guard generator.chance(percent: 40) else { return nil }
        let folders =
            [MemoryFolder.root] + folder.walk().filter { $0.isFolder && !isNamed($0.place.name) }.map(\.number)
        let name = FileName("~\(generator.choice(["x", "y"]))")
        let place = Place(folder: generator.choice(folders), name: name)
        return folder.create(bytes(of: device), at: place) ? folder.path(of: place) : nil
    }

    private static func bytes(of device: Int) -> [UInt8] { Array("left by device \(device)".utf8) }

    /// Throws where something of another device lies in the folder; then takes all of it away, as people do who tidy up.
    static func tidy(_ folder: MemoryFolder, device: Int) throws(InvariantViolation) {
        for entry in folder.walk() where isNamed(entry.place.name) {
            // A power cut may have damaged what a device left itself.
            let content = folder.content(of: entry.number)
            if (0..<32).contains(where: { $0 != device && bytes(of: $0) == content }) {
                throw InvariantViolation(
                    .confinement, "\(folder.path(of: entry.place)) is ignored, and is not of device \(device)")
            }
            folder.remove(at: entry.place)
        }
    }
}
