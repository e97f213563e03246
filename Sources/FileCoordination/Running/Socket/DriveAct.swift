/// Something that a person decides about a drive; done by the process that has the drive's lock.
public enum DriveAct: Hashable, Sendable, Codable {
    case renameDevice(String)
}
