public import DriveCore

extension RowStorage {
    /// What was deleted here, and whose delete is held, where this is to be, or the nearest such folder above: until
    /// somebody decides, nothing comes there.
    public func heldRow(named name: FileName, in folder: RowID) throws -> Row? {
        if let row = try child(of: folder, named: name), row.isHeld { return row }
        guard let above = try row(folder) else { return nil }
        return above.isHeld ? above : try chain(of: above).last { $0.isHeld }
    }
}
