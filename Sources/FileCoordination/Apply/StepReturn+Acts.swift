import DriveCore

extension DriveParts {
    /// What an act took out to `.outgoing` goes back where people see it; under another name if somebody took its own meanwhile.
    /// It stays where it is if the folder is not there any more.
    package func giveBack(taken name: FileName, as target: FileName, in folder: OpenFolder) throws {
        try giveBack(name, from: files.open(.outgoing), as: target, in: folder)
    }
}
