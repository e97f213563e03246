import DriveCore

// What a device is called where others may be called the same.
extension DeviceLabels {
    /// Its name, with its id where others are called the same.
    func distinctName(of device: DeviceID) -> String {
        let name = text(Dot(device: device, n: .max))
        return isDistinct(name) ? name : "\(name) (\(device))"
    }

    /// By which a command knows it alone: its name, or its id where others are called the same or it has told none.
    func argument(for device: DeviceID) -> String {
        let name = text(Dot(device: device, n: .max))
        return name != device.shortText && isDistinct(name) ? name : device.description
    }

    private func isDistinct(_ name: String) -> Bool {
        devices.count { text(Dot(device: $0, n: .max)) == name } <= 1
    }
}
