import DriveCore
import DriveFiles
import DriveTransport
import FileCoordination
import Glibc

// The store, and the clock that the devices share.
extension Doctor {
    func storeInTime() async throws -> [Report] {
        try await withThrowingTaskGroup(of: [Report]?.self) { group in
            group.addTask { try await store() }
            group.addTask {
                try await Task.sleep(for: patience)
                return nil
            }
            defer { group.cancelAll() }
            if let reports = try await group.next() ?? nil { return reports }
            return [
                Report(
                    .problem, "it did not answer within \(patience.components.seconds) seconds",
                    Self.lookAtIt)
            ]
        }
    }

    private func store() async throws -> [Report] {
        let settings = try DriveSettings.load(from: folder)
        if IndexFile(drive: folder).exists, let error = try? DriveReader(folder).storeConflict() {
            return [Self.report(error)]
        }
        guard let access = try StoreAccess(settings, of: folder) else {
            return [Report(.warning, "the drive has none", "connect one with `docdrive sync --to URL`")]
        }
        guard let id = settings.storeID.flatMap({ StoreID($0) }) else {
            return [Report(.problem, "the settings name no possible store", "correct `store-id` in config.toml")]
        }
        let finder = StoreFinder(access)
        let found = try await finder.find(id)
        let (all, unread) = try await Store.devicesAndUnread(of: found, in: access.objects)
        let devices = all.filter { !$0.isForgotten }
        let count = devices.count == 1 ? "1 device" : "\(devices.count) devices"
        var reports = [Report(.ok, "\(access.address.text), id \(id), \(count)")]
        reports += journals(of: unread)
        reports += try await Self.others(than: id, access)
        if let folder = access.address.folder { reports += Self.disk(of: folder) }
        return try reports + lastTrouble()
    }

    /// Of devices that have published, and of which the store returns no head whole.
    private func journals(of unread: [DeviceID]) -> [Report] {
        if unread.isEmpty { return [] }
        var labels: DeviceLabels?
        // What is wrong with the index is a finding of its own.
        if IndexFile(drive: folder).exists { labels = try? DriveReader(folder).index.labels() }
        let names = unread.map { labels?.text(Dot(device: $0, n: .max)) ?? $0.description }.joined(separator: ", ")
        return [
            Report(
                .warning, "the journal of \(names) cannot be read: its head is listed, and missing or not whole",
                "`docdrive store check` names it, and --repair on that device publishes it again")
        ]
    }

    /// As of two devices that made the store of one place at the same moment, and of a copy.
    private static func others(than id: StoreID, _ access: StoreAccess) async throws -> [Report] {
        let others = try await Store.others(than: id, in: access.objects)
        if others.isEmpty { return [] }
        let list = others.map(\.description).joined(separator: ", ")
        return [
            Report(
                .warning, "devices share another one in the same place, and nothing with this drive: \(list)",
                "`store-id` in .docdrive/config.toml says which one a device has; to bring one to the other, take `store` and "
                    + "`store-id` out there, then say `docdrive sync --to URL --store-id ID`")
        ]
    }

    /// What can be read may still refuse what is written, which only a pass finds out.
    private func lastTrouble() throws -> [Report] {
        guard IndexFile(drive: folder).exists,
            // What is wrong with the index is a finding of its own.
            let trouble = try? StandingMemory(DriveReader(folder).index).trouble(), !trouble.isHere
        else { return [] }
        var report = Self.report(trouble.error)
        (report.level, report.message) = (.warning, "the last pass ended there: \(report.message)")
        return [report]
    }

    private static func disk(of store: FolderPath) -> [Report] {
        var reports: [Report] = []
        if store.withPointer({ access($0, W_OK) }) != 0 {
            let advice = errno == EROFS ? "mount it for writing" : "give yourself access to it"
            reports.append(Report(.problem, "its folder cannot be written: \(store)", advice))
        }
        var space = statvfs()
        if store.withPointer({ statvfs($0, &space) }) == 0 {
            let free = UInt64(space.f_bavail) * UInt64(space.f_frsize)
            if free < 1 << 30 {
                reports.append(Report(.warning, "its disk has \(free >> 20) MiB free", "make room"))
            }
        }
        return reports
    }

    /// What is wrong with the index is a finding of its own.
    func deviceName() -> [Report] {
        guard IndexFile(drive: folder).exists, let reader = try? DriveReader(folder),
            let namesakes = try? reader.index.namesakes, let name = try? reader.index.ownLabel
        else { return [] }
        guard let namesake = namesakes.first else {
            return [Report(.ok, "no other device is called \(name)")]
        }
        // Its name would be as good for this one.
        let forget =
            namesakes.count == 1
            ? "`docdrive device forget \(namesake)`"
            : "`docdrive device forget ID`, with its id, which `docdrive device ls` shows"
        return [
            Report(
                .warning, "another device is called \(name) too, so that nobody can tell them apart",
                "`docdrive config set device-name NAME` gives this one another; of one that is gone, \(forget)")
        ]
    }

    /// Names of conflict copies come from clocks; nothing else depends on them.
    func clock() throws -> [Report] {
        let now = SystemClock().milliseconds()
        // Nobody made a drive before.
        if now < 1_750_000_000_000 {
            return [Report(.problem, "the clock says a time that is long past", "set it; `timedatectl` shows it")]
        }
        guard IndexFile(drive: folder).exists else { return [] }
        // What is wrong with the index is a finding of its own.
        return (try? othersClocks(now: now))
            ?? [Report(.warning, "not compared with those of other devices, since the index cannot be read")]
    }

    private func othersClocks(now: UInt64) throws -> [Report] {
        let index = try DriveReader(folder).index
        let own = try index.numbers().device
        var newest: (time: UInt64, device: DeviceID)?
        for item in try index.allItems() {
            for head in item.state.heads where head.dot.device != own {
                let time = head.time.milliseconds
                if time > newest?.time ?? 0 { newest = (time, head.dot.device) }
            }
        }
        guard let newest, newest.time > now + RecordNumbers.greatestAdvance else {
            return [Report(.ok, "no device is ahead of it")]
        }
        let name = try index.labels().text(Dot(device: newest.device, n: .max))
        return [
            Report(
                .warning, "\(name) is \(Self.span(newest.time - now)) ahead of this device",
                "set the clock of whichever is wrong; `timedatectl` shows it")
        ]
    }

    private static func span(_ milliseconds: UInt64) -> String {
        let minutes = milliseconds / 60_000
        if minutes < 3 * 60 { return "\(minutes) minutes" }
        return minutes < 3 * 24 * 60 ? "\(minutes / 60) hours" : "\(minutes / (24 * 60)) days"
    }
}
